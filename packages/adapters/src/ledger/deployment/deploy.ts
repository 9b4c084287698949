import { Failure } from '@heirloom/core'
import { type Hex, keccak256, type LocalAccount, type PublicClient } from 'viem'
import { type Chain, connect } from '../connection.ts'
import { type DeployedPair, findPair, type PairSearch, requirePair } from '../contract-pair.ts'
import { callNode } from '../node-call.ts'
import { sendOnce } from '../send-once.ts'
import { miningTimeout } from '../transaction.ts'
import { probeDollar } from './dollar-probe.ts'
import {
  type DeploymentStatus,
  type DeploymentTransaction,
  deploymentStatus,
  findFirstPair,
  type SignedDeployment,
} from './find-deployment.ts'
import { type Dollar, readDollar } from './read-dollar.ts'
import { encodeCreation, pairAddresses, type Simulation, simulate } from './simulate.ts'

type Options = {
  readonly wallet: LocalAccount
  /** The ERC-20 token with EIP-3009 in which listings may be priced; none when absent. */
  readonly dollar?: Hex | undefined
  /** The nonce of the transaction; the wallet's next when absent. */
  readonly nonce?: number
  /** Receives the signed transaction before it is sent. */
  readonly onSigned?: (signed: SignedDeployment) => void
}

/**
 * Deploys a contract pair: the marketplace deploys the other contracts in the same transaction.
 *
 * @throws `wallet/short`, `ledger/unavailable`, `transaction/unconfirmed`, `transaction/reverted`
 */
export async function deployContracts({
  chain,
  ...options
}: Options & { readonly chain: Chain | URL }): Promise<DeployedPair & DeploymentTransaction> {
  return deploy(connect(chain), options)
}

async function deploy(
  client: PublicClient,
  options: Options,
): Promise<DeployedPair & DeploymentTransaction> {
  const { contractAddress, transactionHash, blockNumber } = await sendOnce(
    { client, wallet: reportingWallet(options) },
    { operation: 'deploy', data: await encodeCreation(options.dollar) },
  )
  const pair = await requirePair(client, { marketplace: contractAddress ?? '0x', blockNumber })
  return { ...pair, txHash: transactionHash, blockNumber }
}

/** Returns the wallet, which reports a signed transaction before it can be sent. */
function reportingWallet({ wallet, dollar, nonce: fixedNonce, onSigned }: Options): LocalAccount {
  const signTransaction: LocalAccount['signTransaction'] = async (transaction, options) => {
    const nonce = fixedNonce ?? transaction.nonce ?? 0
    const raw = await wallet.signTransaction({ ...transaction, nonce }, options)
    const deployer = wallet.address
    const { registry, marketplace } = pairAddresses(deployer, nonce)
    const txHashes = [keccak256(raw)]
    onSigned?.({ registry, marketplace, dollar, deployer, nonce, txHashes })
    return raw
  }
  return { ...wallet, signTransaction }
}

/**
 * Returns the pair of a deployed marketplace, and requires that the code of all its contracts is ours.
 *
 * @throws `config/invalid`, `ledger/unavailable`
 */
export async function existingContracts({
  chain,
  marketplace,
}: {
  readonly chain: Chain | URL
  readonly marketplace: Hex
}): Promise<DeployedPair> {
  return requirePair(connect(chain), { marketplace })
}

/**
 * Returns the facts of the dollar of a pair; `undefined` if it is bound to none.
 *
 * @throws `config/invalid`, `ledger/unavailable`
 */
export async function dollarOf({
  chain,
  pair,
}: {
  readonly chain: Chain | URL
  readonly pair: Pick<DeployedPair, 'dollar'>
}): Promise<Dollar | undefined> {
  return pair.dollar && readDollar(connect(chain), pair.dollar)
}

/** The hashes of the code of a pair's contracts. */
export type CodeHashes = Readonly<
  Record<'registry' | 'marketplace' | 'forwarder' | 'depositCode', Hex>
>

/** The deployments on one chain. Reads throw `ledger/unavailable` if no node answers. */
export type Deployments = {
  /** Returns the hash of the chain's first block; `undefined` if no node returns it. */
  genesis(): Promise<Hex | undefined>
  /** Returns the height of the chain. */
  height(): Promise<bigint>
  /** Finds the pair of a marketplace at an address. */
  find(marketplace: Hex): Promise<PairSearch>
  /** Returns the pair that one of a wallet's first transactions deployed. */
  firstOf(wallet: Hex): Promise<DeployedPair | undefined>
  /** Returns the status of a signed deployment. */
  fateOf(signed: SignedDeployment): Promise<DeploymentStatus>
  /** Simulates a deployment, with or without a wallet that pays, and bound to a dollar or none. */
  simulate(options?: {
    readonly wallet?: Hex | undefined
    readonly dollar?: Hex | undefined
  }): Promise<Simulation>
  /**
   * Returns the facts of an ERC-20 token, and requires that it can be the dollar of a pair.
   *
   * @throws `config/invalid`, `ledger/unavailable`
   */
  dollar(address: Hex): Promise<Dollar>
  /** Returns the hashes of the code of a pair's contracts, as `EXTCODEHASH` returns them. */
  codeHashes(pair: DeployedPair): Promise<CodeHashes>
  /** Waits for the block of a known transaction or of its replacement. */
  settled(txHash: Hex): Promise<void>
  /** Deploys a pair; throws the failures of `deployContracts`. */
  make(options: Options): Promise<DeployedPair & DeploymentTransaction>
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
    simulate: (options) => simulate(client, options),
    dollar: (address) => probeDollar(client, address),
    codeHashes: (pair) => readCodeHashes(client, pair),
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

async function readCodeHashes(
  client: PublicClient,
  { registry, marketplace, forwarder, depositCode }: DeployedPair,
): Promise<CodeHashes> {
  const hashAt = async (address: Hex) =>
    keccak256(
      await callNode('eth_getCode', async () => (await client.getCode({ address })) ?? '0x'),
    )
  const pair = { registry: await hashAt(registry), marketplace: await hashAt(marketplace) }
  return { ...pair, forwarder: await hashAt(forwarder), depositCode: await hashAt(depositCode) }
}

export declare namespace sources {
  type Settings = { readonly outputSelection: object; readonly [name: string]: unknown }
  type Output = {
    readonly compilerVersion: string
    /** The standard JSON input of solc. */
    readonly standardInput: { readonly settings: Settings }
  }
}
