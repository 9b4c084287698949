import { type ContractPair, callNode, findPair } from '@heirloom/adapters/internal/acts'
import type { Hex } from '@heirloom/core'
import { createPublicClient, custom, http, type PublicClient } from 'viem'
import { HeirloomError } from '../client/heirloom-error.ts'
import type { Deployment } from '../client/responses.ts'
import type { Provider } from './account.ts'

/** The chain that a wallet acts on, after it was checked. */
export type WalletChain = {
  readonly chainId: number
  readonly pair: ContractPair
  readonly client: PublicClient
}

/** The chain id of the embedded chain, under which no chain of value runs. */
const embeddedChainId = 31337

export declare namespace openChain {
  type Input = {
    readonly deployment: Deployment
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
  return { chainId, pair: await requirePair(client, input), client }
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
  return createPublicClient({ transport, pollingInterval: 500, cacheTime: 0 })
}

async function requirePair(
  client: PublicClient,
  { deployment, registry: expected }: openChain.Input,
): Promise<ContractPair> {
  const marketplace = deployment.marketplace as Hex
  const search = await findPair(client, { marketplace })
  if (search.kind === 'absent') throw foreign(marketplace, 'the chain has no contract there')
  if (search.kind === 'foreign') {
    throw foreign(marketplace, `${search.address} is a contract of another kind or version`)
  }
  const { pair } = search
  if (!isSame(pair.registry, deployment.registry)) {
    throw foreign(marketplace, `its registry is ${pair.registry}, not ${deployment.registry}`)
  }
  if (expected !== undefined && !isSame(pair.registry, expected)) {
    throw foreign(marketplace, `its registry is ${pair.registry}, and ${expected} is expected`)
  }
  return pair
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

const foreign = (marketplace: Hex, problem: string) =>
  new HeirloomError({
    code: 'client/foreign-contracts',
    facts: { marketplace, problem },
    message: `The marketplace ${marketplace} that the server names is not to be used: ${problem}.`,
  })

/** Returns the error of a node of another chain than expected. */
export const wrongChain = (
  chainId: number,
  expected: number,
): HeirloomError<'client/wrong-chain'> =>
  new HeirloomError({
    code: 'client/wrong-chain',
    facts: { chainId, expected },
    message: `The node or wallet is on chain ${chainId}, and the server on chain ${expected}.`,
  })

const noNode = (chainId: number) =>
  new HeirloomError({
    code: 'client/no-node',
    facts: { chainId },
    message: `The server is on chain ${chainId}; name a node of this chain that you trust.`,
  })
