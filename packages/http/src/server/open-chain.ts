import { totalmem } from 'node:os'
import type { EmbeddedChain, OpeningChain } from '@heirloom/adapters/chain'
import {
  type DeployedPair,
  type Dollar,
  dollarOf,
  embeddedContracts,
  existingContracts,
  foundingPair,
  testDollar,
} from '@heirloom/adapters/contracts'
import { deferredChain } from '@heirloom/adapters/internal/deferred-chain'
import { type NodePool, nodePool } from '@heirloom/adapters/internal/nodes'
import { foreignCodeOf } from '@heirloom/adapters/internal/own-code'
import { chainState } from '@heirloom/adapters/ledger'
import { account, Failure, type Hex, isFailure, sameAccount } from '@heirloom/core'
import type { FastifyBaseLogger } from 'fastify'
import type { LocalAccount } from 'viem'
import type { ChainSource, Config, ContractAddresses } from '../config/config.ts'
import type { Rpc } from './routes/rpc.ts'

/** The memory that a block of the embedded chain takes in its process, in bytes. */
export const bytesPerBlock = 22_000

/** The longest embedded chain on any machine, in blocks: a start executes it for some minutes. */
const longest = 500_000

/**
 * Returns the number of blocks up to which an embedded chain suits a machine: half of its memory
 * holds them. The chain goes on above it, until the memory is used up.
 */
export const chainCeiling = (memory = availableMemory()): number =>
  Math.min(longest, Math.floor(memory / 2 / bytesPerBlock))

/** Returns the memory of this machine, or of the container that limits it, in bytes. */
function availableMemory(): number {
  const limit = process.constrainedMemory()
  // Without a limit the system reports 0, or a number far above any memory.
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}

type Source = Parameters<typeof chainState>[0]
type Pair = DeployedPair

/**
 * An open chain and the contract pair on it. The embedded chain may still replay its journal or
 * deploy the pair: its requests wait until it is ready.
 */
export type OpenChain = {
  readonly source: Source
  readonly chainId: number
  readonly contracts: Pair
  /** The dollar that the pair is bound to; absent for none. */
  readonly dollar: Dollar | undefined
  /** Identifies this chain. Only the embedded chain knows it without a request. */
  readonly origin: { readonly chainId: number; readonly genesis: Hex } | undefined
  readonly isReady: () => boolean
  /**
   * Resolves once the chain is ready.
   *
   * @throws `config/invalid`, `folder/unusable`, `journal/diverged`, and what deploying may fail with
   */
  readonly ready: Promise<void>
  /** Fails the requests that wait for a chain which is not ready yet. */
  readonly giveUp: () => void
  /** Keeps the file of the embedded chain complete and unchanged until the result is called. */
  readonly hold: (() => () => void) | undefined
  /** Requires that the file of the embedded chain is in its place. @throws `ledger/unavailable` */
  readonly requireFile: () => void
  /** Answers JSON-RPC; absent for a remote chain, and where `/rpc` is turned off. */
  readonly rpc: Rpc | undefined
  /** The nodes of a remote chain. */
  readonly nodes: NodePool | undefined
  readonly close: () => Promise<void>
}

type Agent = {
  readonly wallet: LocalAccount
  /** The private key of the wallet, where it is here: then the embedded chain opens faster. */
  readonly key: Hex | undefined
  readonly folder: string
  /** Compares the embedded chain with what else the server has, before it answers a request. */
  readonly verify?: (chain: EmbeddedChain, lane: string) => Promise<void>
  /** Observes the nodes of a remote chain. */
  readonly nodes?: Pick<nodePool.Options, 'observe' | 'onChange'>
}

/**
 * Opens the configured chain and finds its contracts; deploys them on a new embedded chain.
 *
 * @throws `config/invalid`, `ledger/unavailable`, `folder/in-use`, `folder/unusable`
 */
export async function openChain(config: Config, agent: Agent): Promise<OpenChain> {
  return config.chain.kind === 'embedded'
    ? openEmbedded(config, agent)
    : openRemote(config.chain, config.contracts, agent.nodes)
}

async function openEmbedded(
  { contracts, rpc: limits }: Config,
  { wallet, key, folder, verify = async () => undefined }: Agent,
): Promise<OpenChain> {
  // Loaded only here: a server with a remote chain needs no EVM.
  const { startOpening } = await import('@heirloom/adapters/chain')
  let deployed: Pair | undefined
  const opening = await startOpening({
    folder,
    now: () => Date.now(),
    funded: [wallet.address],
    key,
    limits,
    // Before the pair is there, only this project's code is executed.
    foreignCodeOf: foreignCodeOf(() => deployed),
  })
  try {
    const { chainId, genesis, opened, giveUp, hold, requireFile, close } = opening
    const pair = await pairOf(opening, { wallet, key })
    refuseOtherPair(contracts ?? addressesOf(pair), pair)
    const lane = `${chainId}:${genesis}:${wallet.address.toLowerCase()}`
    const verified = withVerifiedPair(opened, { pair, wallet }).then(async (chain) => {
      await verify(chain, lane)
      deployed = pair
      return chain
    })
    const source = Object.assign(deferredChain(verified), { gasOfCode: limits.gas })
    const { isOpen: isReady, opened: ready } = source
    const rpc = limits.isOn ? source.handleRpc : undefined
    const origin = { chainId, genesis }
    const dollar = pair.dollar && { address: pair.dollar, ...testDollar }
    const ends = { hold, requireFile, giveUp, close }
    const open = { source, chainId, contracts: pair, dollar, origin, nodes: undefined }
    return { ...open, isReady, ready, rpc, ...ends }
  } catch (error) {
    await opening.close()
    throw error
  }
}

/** Returns the contract pair from the journal alone, or from the chain once it is open. */
async function pairOf(
  { first, opened }: OpeningChain,
  { wallet, key }: Pick<Agent, 'wallet' | 'key'>,
): Promise<Pair> {
  try {
    return await foundingPair({ first, wallet, signsAlike: key !== undefined })
  } catch (error) {
    // A chain of an earlier version is refused before anything is written into its folder.
    if (isFailure(error)) throw error
    return embeddedContracts({ chain: await opened, wallet })
  }
}

/** Returns the chain once it holds exactly the expected pair. */
async function withVerifiedPair(
  opened: Promise<EmbeddedChain>,
  { pair, wallet }: { readonly pair: Pair; readonly wallet: LocalAccount },
): Promise<EmbeddedChain> {
  const chain = await opened
  refuseOtherPair(addressesOf(pair), await embeddedContracts({ chain, wallet }))
  return chain
}

/** The number of blocks from which the embedded chain needs much memory and a long start. */
export const longChainBlocks = 20_000n

/** Returns the advice to the operator of a long embedded chain. */
export const longChainAdvice = (): string =>
  `Each block costs about ${bytesPerBlock / 1000} KB of memory and 0.35 ms of a start, and this machine suits ${chainCeiling()} blocks. Put the contracts on another chain, see RPC_URL.`

/** Logs a warning if the embedded chain is long, once it is ready. */
export async function warnOfLongChain(
  log: Pick<FastifyBaseLogger, 'warn'>,
  { source, nodes, ready }: Pick<OpenChain, 'source' | 'nodes' | 'ready'>,
): Promise<void> {
  if (source instanceof URL || nodes !== undefined) return
  await ready
  const blocks = BigInt((await source.request({ method: 'eth_blockNumber' })) as Hex)
  if (blocks < longChainBlocks) return
  log.warn({ blocks: Number(blocks) }, `the embedded chain has grown long. ${longChainAdvice()}`)
}

type Remote = Extract<ChainSource, { kind: 'remote' }>

async function openRemote(
  { urls, chainId: expected, quorum }: Remote,
  contracts: ContractAddresses | undefined,
  observers: Agent['nodes'],
): Promise<OpenChain> {
  if (contracts === undefined) {
    throw new Failure('config/invalid', {
      name: 'MARKETPLACE_ADDRESS',
      problem: 'must be set where RPC_URL is; the command "deploy" makes a contract pair',
    })
  }
  const nodes = nodePool(urls, { ...observers, quorum })
  try {
    const chainId = await readChainId(nodes, expected)
    const pair = await existingContracts({ chain: nodes, marketplace: contracts.marketplace })
    refuseOtherPair(contracts, pair)
    return {
      source: nodes,
      chainId,
      contracts: pair,
      origin: undefined,
      rpc: undefined,
      nodes,
      hold: undefined,
      requireFile: () => undefined,
      dollar: await dollarOf({ chain: nodes, pair }),
      isReady: () => true,
      ready: Promise.resolve(),
      giveUp: () => undefined,
      close: async () => nodes.close(),
    }
  } catch (error) {
    nodes.close()
    throw error
  }
}

/**
 * Returns the id of the chain that nodes serve.
 *
 * @throws `config/invalid` when another id was expected, `ledger/unavailable`
 */
export async function readChainId(nodes: Source, expected: number | undefined): Promise<number> {
  const { chainId } = await chainState(nodes)
  if (chainId === (expected ?? chainId)) return chainId
  throw new Failure('config/invalid', {
    name: 'CHAIN_ID',
    problem: `is ${expected}, but the node at RPC_URL serves chain ${chainId}`,
  })
}

const addressesOf = ({ registry, marketplace }: Addresses): ContractAddresses => ({
  registry: account(registry),
  marketplace: account(marketplace),
})

type Addresses = Pick<Pair, 'registry' | 'marketplace'>

/**
 * Refuses a contract pair that is not the configured one.
 *
 * @throws `config/invalid`
 */
export function refuseOtherPair(configured: ContractAddresses, found: Addresses): void {
  const pair = addressesOf(found)
  for (const [name, one, other] of [
    ['REGISTRY_ADDRESS', configured.registry, pair.registry],
    ['MARKETPLACE_ADDRESS', configured.marketplace, pair.marketplace],
  ] as const) {
    if (!sameAccount(one, other)) {
      throw new Failure('config/invalid', {
        name,
        problem: `is not ${other}, the one on this chain`,
      })
    }
  }
}
