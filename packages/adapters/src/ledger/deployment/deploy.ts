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
import { ask, type Chain, connect } from '../connection.ts'
import { memoryMarketplaceBytecode } from '../contracts.generated.ts'
import {
  type Fate,
  fateOf,
  firstPairOf,
  type Making,
  type SignedDeployment,
} from './find-deployment.ts'
import { pairMadeBy, type Simulation, simulate } from './simulate.ts'
import { type ContractPair, codesOf, type Finding, findPair, pairOf } from '../contract-pair.ts'
import { minedWithin, sendOnce } from '../send-once.ts'

type Options = {
  readonly wallet: LocalAccount
  /** The number of the transaction; the wallet's next when absent. */
  readonly nonce?: number
  /** Is told of the signed transaction before it is sent. */
  readonly onSigned?: (signed: SignedDeployment) => void
}

/**
 * Deploys the marketplace, which deploys its registry in the same transaction.
 *
 * @throws `wallet/short`, `ledger/unavailable`, `transaction/unconfirmed`, `transaction/reverted`
 */
export async function deployContracts({
  chain,
  ...options
}: Options & { readonly chain: Chain | URL }): Promise<ContractPair & Making> {
  return make(connect(chain), options)
}

async function make(client: PublicClient, options: Options): Promise<ContractPair & Making> {
  const { contractAddress, transactionHash, blockNumber } = await sendOnce(
    { client, wallet: telling(options) },
    { operation: 'deploy', data: memoryMarketplaceBytecode },
  )
  const pair = await pairOf(client, { marketplace: contractAddress ?? '0x', blockNumber })
  return { ...pair, txHash: transactionHash, blockNumber }
}

/** Returns the wallet, which tells of what it signs before anyone can send it. */
function telling({ wallet, nonce: fixed, onSigned }: Options): LocalAccount {
  const signTransaction: LocalAccount['signTransaction'] = async (transaction, options) => {
    const nonce = fixed ?? transaction.nonce ?? 0
    const raw = await wallet.signTransaction({ ...transaction, nonce }, options)
    const deployer = wallet.address
    onSigned?.({ ...pairMadeBy(deployer, nonce), deployer, nonce, txHashes: [keccak256(raw)] })
    return raw
  }
  return { ...wallet, signTransaction }
}

/**
 * Returns the contract pair of an embedded chain, whose first transaction is always their
 * deployment; deploys them when the chain is new.
 *
 * @throws what `deployContracts` may fail with
 */
export async function embeddedContracts(parts: {
  readonly chain: Chain
  readonly wallet: LocalAccount
}): Promise<ContractPair> {
  const client = connect(parts.chain)
  const deployed = await ask('eth_getBlockByNumber', async () => {
    if ((await client.getBlockNumber()) === 0n) return undefined
    const { transactions } = await client.getBlock({ blockNumber: 1n })
    return client.getTransactionReceipt({ hash: transactions[0] ?? '0x' })
  })
  if (deployed === undefined) return deployContracts(parts)
  return pairOf(client, { marketplace: deployed.contractAddress ?? '0x' })
}

/**
 * Returns where the pair of an embedded chain is or will be, as the chain's first transaction tells,
 * or, before there is one, the wallet that will send it. Nobody has looked whether it is there.
 *
 * @throws viem's error when that is no signed transaction
 */
export async function foundingPair(founding: {
  readonly first: Hex | undefined
  readonly wallet: LocalAccount
}): Promise<ContractPair> {
  const { first, wallet } = founding
  if (first === undefined) return pairMadeBy(wallet.address, 0)
  const { r: _r, s: _s, v: _v, yParity: _yParity, ...unsigned } = parseTransaction(first)
  // Whoever signs to the same bytes signed them (RFC 6979), and signing is the faster question.
  const isOwn = (await wallet.signTransaction(unsigned)) === first
  const signer = isOwn ? wallet.address : await signerOf(first as TransactionSerialized)
  return pairMadeBy(signer, unsigned.nonce ?? 0)
}

const signerOf = (serializedTransaction: TransactionSerialized) =>
  recoverTransactionAddress({ serializedTransaction })

/**
 * Returns the pair deployed at given addresses, after checking that they belong together.
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
  return pairOf(connect(chain), { marketplace })
}

/** The deployments on one chain. Each of these fails with `ledger/unavailable` when it is gone. */
export type Deployments = {
  /** Returns the hash of the chain's first block, where the node still has it. */
  genesis(): Promise<Hex | undefined>
  /** Returns the height of the chain. */
  height(): Promise<bigint>
  /** Tells what stands at the address of a marketplace. */
  find(marketplace: Hex): Promise<Finding>
  /** Returns the pair that one of a wallet's first transactions made. */
  firstOf(wallet: Hex): Promise<ContractPair | undefined>
  /** Tells what became of a signed deployment. */
  fateOf(signed: SignedDeployment): Promise<Fate>
  /** Tries a deployment out, for a wallet or for nobody. */
  simulate(wallet?: Hex): Promise<Simulation>
  /** Waits for a transaction that the node has, or for the one that took its place. */
  settled(txHash: Hex): Promise<void>
  /** Deploys a pair; fails as `deployContracts` does. */
  make(options: Options): Promise<ContractPair & Making>
}

/** Returns what can be asked of a chain about deployments, and done. */
export function deploymentsOn(chain: Chain | URL): Deployments {
  const client = connect(chain)
  return {
    genesis: () => client.getBlock({ blockNumber: 0n }).then(hashOf, () => undefined),
    height: () => ask('eth_blockNumber', () => client.getBlockNumber()),
    find: (marketplace) => findPair(client, { marketplace }),
    firstOf: (wallet) => firstPairOf(client, wallet),
    fateOf: (signed) => fateOf(client, signed),
    simulate: (wallet) => simulate(client, wallet),
    settled: async (hash) => {
      try {
        await client.waitForTransactionReceipt({ hash, timeout: minedWithin })
      } catch (cause) {
        throw new Failure('transaction/unconfirmed', { txHash: hash }, { cause })
      }
    },
    make: (options) => make(client, options),
  }
}

const hashOf = ({ hash }: { readonly hash: Hex | null }) => hash ?? undefined

/** Returns what a block explorer needs to compile the pair again and find the deployed bytes. */
export async function sources(): Promise<sources.Output> {
  const { compilerVersion, standardInput } = await import('./standard-input.generated.ts')
  return { compilerVersion, standardInput }
}

/** Returns the keccak-256 hashes of the two codes of a pair, as `EXTCODEHASH` has them. */
export function codeHashesOf(pair: ContractPair): ContractPair {
  const { registry, marketplace } = codesOf(pair)
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
