import { Failure, type Hex, isFailure } from '@heirloom/core'
import { createPublicClient, custom, http, type PublicClient } from 'viem'
import {
  callNode,
  type DeployedPair,
  type DollarDomain,
  dollarDomainOf,
  findPair,
} from '../ledger/acts/index.ts'
import type { Provider } from './sender.ts'
import { WalletError } from './wallet-error.ts'

/** The chain that a wallet acts on, after it was checked. */
export type WalletChain = {
  readonly chainId: number
  readonly pair: DeployedPair
  readonly client: PublicClient
  /**
   * Returns the domain in which payments in dollars are signed, as the dollar of the pair itself has
   * it. It is read once.
   *
   * @throws `dollar/missing`, `client/foreign-contracts`, `ledger/unavailable`
   */
  readonly dollar: () => Promise<DollarDomain>
}

/** The chain id of the embedded chain, under which no chain of value runs. */
const embeddedChainId = 31337

/** The chain and the contracts that a server names. */
type Named = {
  readonly chainId: number
  readonly registry: string
  readonly marketplace: string
  readonly dollar?: { readonly address: string } | null
}

export declare namespace openChain {
  type Input = {
    readonly deployment: Named
    /** The address of the server. */
    readonly url: URL
    /** The node to read from and to send to; that of the server on the embedded chain when absent. */
    readonly node: URL | Provider | undefined
    /** The address of the registry that the caller expects, from a source other than the server. */
    readonly registry: Hex | undefined
  }
}

/**
 * Opens the chain that a server names, and checks on the chain what the server says of it: the chain
 * id, and that registry and marketplace run the code of this project and refer to each other.
 *
 * @throws `client/no-node`, `client/wrong-chain`, `client/foreign-contracts`, `ledger/unavailable`
 */
export async function openChain(input: openChain.Input): Promise<WalletChain> {
  const { chainId } = input.deployment
  const client = connect(nodeOf(input))
  const actual = await callNode('eth_chainId', () => client.getChainId())
  if (actual !== chainId) throw wrongChain(actual, chainId)
  const pair = await requirePair(client, input)
  return { chainId, pair, client, dollar: dollarReader(client, { chainId, pair }) }
}

function dollarReader(
  client: PublicClient,
  { chainId, pair }: Pick<WalletChain, 'chainId' | 'pair'>,
): WalletChain['dollar'] {
  let known: DollarDomain | undefined
  return async () => {
    const { dollar: address, marketplace } = pair
    if (address === undefined) throw new Failure('dollar/missing', {})
    known ??= await dollarDomainOf(client, { chainId, address }).catch((error: unknown) => {
      throw isFailure(error, 'config/invalid') ? foreign(marketplace, error.message) : error
    })
    return known
  }
}

function nodeOf({ node, deployment: { chainId }, url }: openChain.Input): URL | Provider {
  if (node !== undefined) return node
  // A server could name a public chain and simulate it, to get transactions that are valid there.
  if (chainId !== embeddedChainId) throw noNode(chainId)
  return new URL(`${url.href.replace(/\/$/, '')}/rpc`)
}

/** The longest time that a node may take to answer, in milliseconds. */
const nodeTimeout = 10_000

function connect(node: URL | Provider): PublicClient {
  const transport =
    node instanceof URL
      ? http(node.href, { timeout: nodeTimeout, retryCount: 1 })
      : custom(node, { retryCount: 0 })
  return createPublicClient({ transport, pollingInterval: 500, cacheTime: 0, ccipRead: false })
}

async function requirePair(
  client: PublicClient,
  { deployment, registry: expected }: openChain.Input,
): Promise<DeployedPair> {
  const marketplace = deployment.marketplace as Hex
  const search = await findPair(client, { marketplace })
  if (search.kind === 'absent') throw foreign(marketplace, 'the chain has no contract there')
  if (search.kind === 'foreign') {
    throw foreign(marketplace, `${search.address} is a contract of another kind or version`)
  }
  const problem = problemOf(search.pair, { deployment, expected })
  if (problem !== undefined) throw foreign(marketplace, problem)
  return search.pair
}

/** Returns how a pair differs from what the server says and the caller expects. */
function problemOf(
  { registry, dollar }: DeployedPair,
  { deployment, expected }: { readonly deployment: Named; readonly expected: Hex | undefined },
): string | undefined {
  if (!isSame(registry, deployment.registry)) {
    return `its registry is ${registry}, not ${deployment.registry}`
  }
  const named = deployment.dollar?.address
  if (named !== undefined && !isSame(dollar ?? '', named)) {
    return `its dollar is ${dollar ?? 'none'}, not ${named}`
  }
  if (expected === undefined || isSame(registry, expected)) return undefined
  return `its registry is ${registry}, and ${expected} is expected`
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

const foreign = (marketplace: Hex, problem: string) =>
  new WalletError(
    'client/foreign-contracts',
    { marketplace, problem },
    {
      message: `The marketplace ${marketplace} that the server names is not to be used: ${problem}.`,
    },
  )

/** Returns the error of a node of another chain than expected. */
export const wrongChain = (chainId: number, expected: number): WalletError<'client/wrong-chain'> =>
  new WalletError(
    'client/wrong-chain',
    { chainId, expected },
    { message: `The node or wallet is on chain ${chainId}, and the server on chain ${expected}.` },
  )

const noNode = (chainId: number) =>
  new WalletError(
    'client/no-node',
    { chainId },
    { message: `The server is on chain ${chainId}; name a node of this chain that you trust.` },
  )

/** The newest block of a chain. */
export type ChainHead = {
  readonly height: bigint
  /** Seconds since 1970. */
  readonly time: number
}

/** The time for which what was signed is valid, in seconds. */
const validity = 600

/**
 * Reads the newest block.
 *
 * @throws `ledger/unavailable`
 */
export async function readHead({ client }: Pick<WalletChain, 'client'>): Promise<ChainHead> {
  const { number, timestamp } = await callNode('eth_getBlockByNumber', () => client.getBlock())
  return { height: number, time: Number(timestamp) }
}

/**
 * The most that a chain may be ahead of the clock, in seconds. With the time of a node that lies, what
 * was signed would be valid for years.
 */
const mostAhead = 900

/** The time of the newest block, in seconds since 1970, and the clock, in milliseconds. */
export type Times = Pick<ChainHead, 'time'> & { readonly now: number }

/**
 * Returns the last second in which what is signed now is valid. Blocks that follow each other fast can
 * be ahead of the clock; the clock of a chain for tests may have been turned by years.
 */
export function deadlineAfter(
  { chainId }: Pick<WalletChain, 'chainId'>,
  { time, now }: Times,
): number {
  const clock = Math.floor(now / 1000)
  const latest = chainId === embeddedChainId ? time : Math.min(time, clock + mostAhead)
  return Math.max(latest, clock) + validity
}
