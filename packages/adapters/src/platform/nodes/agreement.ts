import type { RpcCall } from '../batcher.ts'
import { isUnanswered } from '../http-transport.ts'
import { checkNode, takeOut } from './check-node.ts'
import type { Pool } from './pool.ts'
import { isNodeTrouble, type RpcNode } from './rpc-node.ts'

/** Returns whether an answer gives a right or ends a write, so that several nodes must agree on it. */
export const needsAgreement = ({ method }: RpcCall): boolean =>
  method === 'eth_call' || method === 'eth_getTransactionReceipt'

/** Thrown when nodes contradict each other, or too few of them answer. */
export class NoAgreement extends Error {
  override readonly name = 'NoAgreement'
}

/**
 * Asks so many nodes, and returns the answer on which all of them agree. Nodes whose newest blocks
 * differ are asked again about the newest one that all of them have.
 */
export async function askForAgreement(pool: Pool, call: RpcCall, quorum: number): Promise<unknown> {
  const voters = await findVoters(pool, quorum)
  const votes = await voteOn(pool, call, voters)
  if (call.method === 'eth_getTransactionReceipt') return agreedReceipt(votes)
  if (isUnanimous(votes)) return resultOf(votes[0])
  const pinned = await voteOn(pool, await pin(call, voters), voters)
  if (isUnanimous(pinned)) return resultOf(pinned[0])
  throw disagreement(call, pinned)
}

async function findVoters(pool: Pool, quorum: number): Promise<readonly RpcNode[]> {
  const voters: RpcNode[] = []
  for (const node of pool.nodes) {
    if (voters.length === quorum) break
    if (node.state === 'up' || (await checkNode(pool, node))) voters.push(node)
  }
  if (voters.length === quorum) return voters
  throw new NoAgreement(`RPC_QUORUM wants ${quorum} nodes, and ${voters.length} can be used.`)
}

/** The answer of a node: a result, or the error with which it refused. */
type Vote = { readonly place: number } & (
  | { readonly result: unknown }
  | { readonly error: unknown; readonly code: unknown; readonly data: unknown }
)

async function voteOn(
  pool: Pool,
  call: RpcCall,
  voters: readonly RpcNode[],
): Promise<readonly Vote[]> {
  return Promise.all(
    voters.map(async (node) => {
      const { place } = node
      try {
        return { place, result: await node.ask(call) }
      } catch (error) {
        if (isUnanswered(error)) takeOut(pool, node, error)
        if (isNodeTrouble(error, call)) throw error
        const { code, data } = Object(error)
        return { place, error, code, data }
      }
    }),
  )
}

function resultOf(vote: Vote | undefined): unknown {
  if (vote !== undefined && 'error' in vote) throw vote.error
  return vote?.result
}

/** Returns what votes are compared by; messages of refusals differ between programs. */
const contentOf = (vote: Vote): string =>
  'error' in vote ? `refused ${String(vote.data)}` : JSON.stringify(vote.result)

const isUnanimous = (votes: readonly Vote[]): boolean => new Set(votes.map(contentOf)).size === 1

/** Returns the call on the newest block that all nodes have. */
async function pin({ method, params }: RpcCall, voters: readonly RpcNode[]): Promise<RpcCall> {
  const [request, tag] = params as readonly unknown[]
  if (tag !== 'latest') return { method, params }
  const heights = await Promise.all(
    voters.map((node) => node.ask({ method: 'eth_blockNumber', params: [] })),
  )
  const lowest = Math.min(...heights.map(Number))
  return { method, params: [request, `0x${lowest.toString(16)}`] }
}

/** Returns a receipt that all nodes show; none while one of them has none, or one of another block. */
function agreedReceipt(votes: readonly Vote[]): unknown {
  const receipts = votes.map(resultOf)
  if (receipts.some((receipt) => receipt === null)) return null
  if (new Set(receipts.map((receipt) => Object(receipt).blockHash)).size > 1) return null
  const contents = new Set(receipts.map(receiptContent))
  if (contents.size === 1) return receipts[0]
  throw disagreement({ method: 'eth_getTransactionReceipt' }, votes)
}

function receiptContent(receipt: unknown): string {
  const { status, transactionHash, logs = [] } = Object(receipt)
  const events = logs.map(({ address, topics, data }: Record<string, unknown>) => [
    address,
    topics,
    data,
  ])
  return JSON.stringify([status, transactionHash, events]).toLowerCase()
}

const disagreement = ({ method }: RpcCall, votes: readonly Vote[]): NoAgreement =>
  new NoAgreement(
    `Nodes ${votes.map(({ place }) => place).join(', ')} of RPC_URL contradict each other on ${method}.`,
  )
