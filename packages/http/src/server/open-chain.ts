import type { EmbeddedChain, OpeningChain } from '@heirloom/adapters/chain'
import { deferredChain } from '@heirloom/adapters/chain/awaited'
import { embeddedContracts, existingContracts, foundingPair } from '@heirloom/adapters/contracts'
import { runsOwnCode } from '@heirloom/adapters/contracts/own-code'
import { chainState } from '@heirloom/adapters/ledger'
import { account, Failure, type Hex, sameAccount } from '@heirloom/core'
import type { FastifyBaseLogger } from 'fastify'
import type { LocalAccount } from 'viem'
import type { ChainSource, Config, ContractAddresses } from '../config/config.ts'
import type { Rpc } from './routes/rpc.ts'

type Source = Parameters<typeof chainState>[0]
type Pair = Awaited<ReturnType<typeof existingContracts>>

/**
 * A chain that can be worked with, and the contract pair on it. The embedded one may still mine its
 * history again, or deploy the pair: questions to it wait until it is ready.
 */
export type OpenChain = {
  readonly source: Source
  readonly chainId: number
  readonly contracts: Pair
  /** What tells this chain from others; only the chain in this process has it without being asked. */
  readonly origin: { readonly chainId: number; readonly genesis: Hex } | undefined
  readonly isReady: () => boolean
  /**
   * Resolves once it is ready.
   *
   * @throws `config/invalid`, `folder/unusable`, `journal/diverged`, and what deploying may fail with
   */
  readonly ready: Promise<void>
  /** Lets whatever waits for it fail, where it is not ready yet. */
  readonly giveUp: () => void
  /** Answers JSON-RPC; only the chain in this process has it, where it is turned on. */
  readonly rpc: Rpc | undefined
  readonly close: () => Promise<void>
}

type Agent = { readonly wallet: LocalAccount; readonly key: Hex; readonly folder: string }

/**
 * Opens the configured chain and finds the contracts on it; a new embedded chain gets them.
 *
 * @throws `config/invalid`, `ledger/unavailable`, `folder/in-use`, `folder/unusable`
 */
export async function openChain(config: Config, agent: Agent): Promise<OpenChain> {
  return config.chain.kind === 'embedded'
    ? openEmbedded(config, agent)
    : openRemote(config.chain, config.contracts)
}

async function openEmbedded(
  { contracts, rpc: limits }: Config,
  { wallet, key, folder }: Agent,
): Promise<OpenChain> {
  // Loaded only here: a chain elsewhere needs no EVM in this process.
  const { startOpening } = await import('@heirloom/adapters/chain')
  let registry: Hex | undefined
  const opening = await startOpening({
    ...{ folder, now: () => Date.now(), funded: [wallet.address], key, limits },
    runsOwnCode: runsOwnCode(() => registry),
  })
  try {
    const { chainId, genesis, opened, giveUp, close } = opening
    const pair = await pairOf(opening, wallet)
    registry = pair.registry
    refuseOtherPair(contracts ?? asConfigured(pair), pair)
    const source = deferredChain(founded(opened, { pair, wallet }))
    const { isOpen: isReady, opened: ready } = source
    const rpc = limits.isOn ? source.handleRpc : undefined
    const origin = { chainId, genesis }
    return { source, chainId, contracts: pair, origin, isReady, ready, rpc, giveUp, close }
  } catch (error) {
    await opening.close()
    throw error
  }
}

/** Returns where the contracts are, from the journal alone where that tells. */
async function pairOf({ first, opened }: OpeningChain, wallet: LocalAccount): Promise<Pair> {
  try {
    return await foundingPair({ first, wallet })
  } catch {
    return embeddedContracts({ chain: await opened, wallet })
  }
}

/** Returns the chain once the pair stands where it was looked for. */
async function founded(
  opened: Promise<EmbeddedChain>,
  { pair, wallet }: { readonly pair: Pair; readonly wallet: LocalAccount },
): Promise<EmbeddedChain> {
  const chain = await opened
  refuseOtherPair(asConfigured(pair), await embeddedContracts({ chain, wallet }))
  return chain
}

/** From how many blocks on the embedded chain takes much memory and time to start. */
export const longChain = 20_000n

/** What the operator of a long embedded chain can do. */
export const longChainAdvice =
  'Each block costs about 22 KB of memory and 0.35 ms of a start. Put the contracts on a chain elsewhere, see RPC_URL.'

/** Logs a warning once an embedded chain has opened that has grown long. */
export async function warnOfLongChain(
  log: Pick<FastifyBaseLogger, 'warn'>,
  { source, ready }: Pick<OpenChain, 'source' | 'ready'>,
): Promise<void> {
  if (source instanceof URL) return
  await ready
  const blocks = BigInt((await source.request({ method: 'eth_blockNumber' })) as Hex)
  if (blocks < longChain) return
  log.warn({ blocks: Number(blocks) }, `the embedded chain has grown long. ${longChainAdvice}`)
}

type Remote = Extract<ChainSource, { kind: 'remote' }>

async function openRemote(
  { url, chainId: expected }: Remote,
  contracts: ContractAddresses | undefined,
): Promise<OpenChain> {
  if (contracts === undefined) {
    throw new Failure('config/invalid', {
      name: 'MARKETPLACE_ADDRESS',
      problem: 'must be set where RPC_URL is; the command "deploy" makes a contract pair',
    })
  }
  const chainId = await chainIdOf(url, expected)
  const pair = await existingContracts({ chain: url, marketplace: contracts.marketplace })
  refuseOtherPair(contracts, pair)
  return {
    ...{ source: url, chainId, contracts: pair, origin: undefined, rpc: undefined },
    ...{ isReady: () => true, ready: Promise.resolve() },
    ...{ giveUp: () => undefined, close: async () => undefined },
  }
}

/**
 * Returns the id of the chain at an address.
 *
 * @throws `config/invalid` when another one was expected, `ledger/unavailable`
 */
export async function chainIdOf(url: URL, expected: number | undefined): Promise<number> {
  const { chainId } = await chainState(url)
  if (chainId === (expected ?? chainId)) return chainId
  throw new Failure('config/invalid', {
    name: 'CHAIN_ID',
    problem: `is ${expected}, but the node at RPC_URL serves chain ${chainId}`,
  })
}

const asConfigured = ({ registry, marketplace }: OpenChain['contracts']): ContractAddresses => ({
  registry: account(registry),
  marketplace: account(marketplace),
})

/**
 * Refuses a pair that is not the configured one.
 *
 * @throws `config/invalid`
 */
export function refuseOtherPair(
  configured: ContractAddresses,
  found: OpenChain['contracts'],
): void {
  const pair = asConfigured(found)
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
