import { Failure } from '@heirloom/core'
import {
  type Hex,
  keccak256,
  type LocalAccount,
  type PublicClient,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerialized,
} from 'viem'
import { type Chain, callNode, connect } from '../connection.ts'
import {
  type ContractPair,
  findPair,
  type PairSearch,
  requirePair,
  runtimeCodes,
} from '../contract-pair.ts'
import { memoryMarketplaceBytecode } from '../contracts.generated.ts'
import { miningTimeout, sendOnce } from '../send-once.ts'
import {
  type DeploymentStatus,
  type DeploymentTransaction,
  deploymentStatus,
  findFirstPair,
  type SignedDeployment,
} from './find-deployment.ts'
import { pairAddresses, type Simulation, simulate } from './simulate.ts'

type Options = {
  readonly wallet: LocalAccount
  /** The nonce of the transaction; the wallet's next when absent. */
  readonly nonce?: number
  /** Receives the signed transaction before it is sent. */
  readonly onSigned?: (signed: SignedDeployment) => void
}

/**
 * Deploys a contract pair: the marketplace deploys its registry in the same transaction.
 *
 * @throws `wallet/short`, `ledger/unavailable`, `transaction/unconfirmed`, `transaction/reverted`
 */
export async function deployContracts({
  chain,
  ...options
}: Options & { readonly chain: Chain | URL }): Promise<ContractPair & DeploymentTransaction> {
  return deploy(connect(chain), options)
}

async function deploy(
  client: PublicClient,
  options: Options,
): Promise<ContractPair & DeploymentTransaction> {
  const { contractAddress, transactionHash, blockNumber } = await sendOnce(
    { client, wallet: reportingWallet(options) },
    { operation: 'deploy', data: memoryMarketplaceBytecode },
  )
  const pair = await requirePair(client, { marketplace: contractAddress ?? '0x', blockNumber })
  return { ...pair, txHash: transactionHash, blockNumber }
}

/** Returns the wallet, which reports a signed transaction before it can be sent. */
function reportingWallet({ wallet, nonce: fixedNonce, onSigned }: Options): LocalAccount {
  const signTransaction: LocalAccount['signTransaction'] = async (transaction, options) => {
    const nonce = fixedNonce ?? transaction.nonce ?? 0
    const raw = await wallet.signTransaction({ ...transaction, nonce }, options)
    const deployer = wallet.address
    onSigned?.({ ...pairAddresses(deployer, nonce), deployer, nonce, txHashes: [keccak256(raw)] })
    return raw
  }
  return { ...wallet, signTransaction }
}

/**
 * Returns the contract pair of an embedded chain, whose first transaction is always its deployment;
 * deploys the pair if the chain is new.
 *
 * @throws the failures of `deployContracts`
 */
export async function embeddedContracts(parts: {
  readonly chain: Chain
  readonly wallet: LocalAccount
}): Promise<ContractPair> {
  const client = connect(parts.chain)
  const receipt = await callNode('eth_getBlockByNumber', async () => {
    if ((await client.getBlockNumber()) === 0n) return undefined
    const { transactions } = await client.getBlock({ blockNumber: 1n })
    return client.getTransactionReceipt({ hash: transactions[0] ?? '0x' })
  })
  if (receipt === undefined) return deployContracts(parts)
  return requirePair(client, { marketplace: receipt.contractAddress ?? '0x' })
}

/**
 * Returns the addresses of an embedded chain's pair, which follow from the sender of the chain's
 * first transaction; on a new chain that is the given wallet. Does not check that the pair exists.
 *
 * @throws viem's error if `first` is no signed transaction
 */
export async function foundingPair(founding: {
  readonly first: Hex | undefined
  readonly wallet: LocalAccount
}): Promise<ContractPair> {
  const { first, wallet } = founding
  if (first === undefined) return pairAddresses(wallet.address, 0)
  const { r: _r, s: _s, v: _v, yParity: _yParity, ...unsigned } = parseTransaction(first)
  // ECDSA is deterministic here (RFC 6979), so signing again is a cheaper check than recovery.
  const isOwn = (await wallet.signTransaction(unsigned)) === first
  const signer = isOwn ? wallet.address : await recoverSigner(first as TransactionSerialized)
  return pairAddresses(signer, unsigned.nonce ?? 0)
}

const recoverSigner = (serializedTransaction: TransactionSerialized) =>
  recoverTransactionAddress({ serializedTransaction })

/**
 * Returns the pair of a deployed marketplace, and requires that the code of both contracts is ours.
 *
 * @throws `config/invalid`, `ledger/unavailable`
 */
export async function existingContracts({
  chain,
  marketplace,
}: {
  readonly chain: Chain | URL
  readonly marketplace: Hex
}): Promise<ContractPair> {
  return requirePair(connect(chain), { marketplace })
}

/** The deployments on one chain. Reads throw `ledger/unavailable` if no node answers. */
export type Deployments = {
  /** Returns the hash of the chain's first block; `undefined` if no node returns it. */
  genesis(): Promise<Hex | undefined>
  /** Returns the height of the chain. */
  height(): Promise<bigint>
  /** Finds the pair of a marketplace at an address. */
  find(marketplace: Hex): Promise<PairSearch>
  /** Returns the pair that one of a wallet's first transactions deployed. */
  firstOf(wallet: Hex): Promise<ContractPair | undefined>
  /** Returns the status of a signed deployment. */
  fateOf(signed: SignedDeployment): Promise<DeploymentStatus>
  /** Simulates a deployment, with or without a wallet that pays. */
  simulate(wallet?: Hex): Promise<Simulation>
  /** Waits for the block of a known transaction or of its replacement. */
  settled(txHash: Hex): Promise<void>
  /** Deploys a pair; throws the failures of `deployContracts`. */
  make(options: Options): Promise<ContractPair & DeploymentTransaction>
}

/** Returns the deployments on a chain. */
export function deploymentsOn(chain: Chain | URL): Deployments {
  const client = connect(chain)
  return {
    genesis: () => client.getBlock({ blockNumber: 0n }).then(hashOf, () => undefined),
    height: () => callNode('eth_blockNumber', () => client.getBlockNumber()),
    find: (marketplace) => findPair(client, { marketplace }),
    firstOf: (wallet) => findFirstPair(client, wallet),
    fateOf: (signed) => deploymentStatus(client, signed),
    simulate: (wallet) => simulate(client, wallet),
    settled: async (hash) => {
      try {
        await client.waitForTransactionReceipt({ hash, timeout: miningTimeout })
      } catch (cause) {
        throw new Failure('transaction/unconfirmed', { txHash: hash }, { cause })
      }
    },
    make: (options) => deploy(client, options),
  }
}

const hashOf = ({ hash }: { readonly hash: Hex | null }) => hash ?? undefined

/** Returns the compiler input with which a block explorer can verify the deployed code. */
export async function sources(): Promise<sources.Output> {
  const { compilerVersion, standardInput } = await import('./standard-input.generated.ts')
  return { compilerVersion, standardInput }
}

/** Returns the keccak-256 hashes of a pair's runtime code, as `EXTCODEHASH` returns them. */
export function codeHashesOf(pair: ContractPair): ContractPair {
  const { registry, marketplace } = runtimeCodes(pair)
  return { registry: keccak256(registry), marketplace: keccak256(marketplace) }
}

export declare namespace sources {
  type Settings = { readonly outputSelection: object; readonly [name: string]: unknown }
  type Output = {
    readonly compilerVersion: string
    /** The standard JSON input of solc. */
    readonly standardInput: { readonly settings: Settings }
  }
}
