import { type Hex, HttpRequestError } from 'viem'
import type { RpcCall } from '../batcher.ts'
import { isUnanswered, type NodeResponse } from '../http-transport.ts'
import type { Means } from '../means.ts'
import { memoize } from '../memoize.ts'
import { askForAgreement, NoAgreement, needsAgreement } from './agreement.ts'
import { checkNode, moveAnchor, newestBlockOf, setState, statusOf, takeOut } from './check-node.ts'
import { type NodeStatus, smallStep } from './node-health.ts'
import { floorOf, isShownAgain, type NodeChange, type NodePoolTimes, type Pool } from './pool.ts'
import { faultOfReceipt, type ShownReceipt } from './receipt-fault.ts'
import { hashAt, isNodeTrouble, type RpcNode, rpcNode } from './rpc-node.ts'
import { silenceWatch } from './silence-watch.ts'

export type { NodeStatus } from './node-health.ts'
export type { NodeChange, NodePoolTimes } from './pool.ts'

/** The nodes of one chain, used as one (EIP-1193). */
export type NodePool = {
  /**
   * Answers a call by the first node of the list that is up. Rejects with the error of the last one
   * that was asked.
   */
  readonly request: (call: RpcCall) => Promise<unknown>
  /** Answers a call by another node than `request` asks, where one is up. */
  readonly requestElsewhere: (call: RpcCall) => Promise<unknown>
  /** Tells a pool from a chain in this process. */
  readonly isRemote: true
  /** Returns whether a node can be used, as far as is known. */
  readonly isReachable: () => boolean
  /** The nodes as the means of work. A search for events may take long, and says nothing of them. */
  readonly means: Means
  /** Returns what is known of each node, in the order of the list. */
  readonly status: () => readonly NodeStatus[]
  /** Returns the time of the newest block of the nodes that are up, in milliseconds since 1970. */
  readonly newestBlockAt: () => number | undefined
  /** Checks every node now. */
  readonly check: () => Promise<void>
  readonly close: () => void
}

export declare namespace nodePool {
  type Options = {
    /** The id of the chain (EIP-155); that of the first node that answers when absent. */
    readonly chainId?: number | undefined
    /** The number of nodes that must agree on what gives a right or ends a write; 1 when absent. */
    readonly quorum?: number | undefined
    /** Observes how each request ended, after all nodes that were asked. */
    readonly observe?: ((response: NodeResponse) => void) | undefined
    /** Observes that a node of several goes out, and that it comes back. */
    readonly onChange?: ((change: NodeChange) => void) | undefined
    readonly times?: Partial<NodePoolTimes>
  }
}

const severalTimes: NodePoolTimes = {
  usual: 3_000,
  longest: 10_000,
  checkEvery: 10_000,
  staleAfter: 30_000,
  silentAfter: 4_000,
  floorFor: 60_000,
}
// A node without a substitute gets more patience and fewer questions.
const singleTimes: NodePoolTimes = { ...severalTimes, usual: 10_000, checkEvery: 30_000 }

/**
 * Returns a pool of nodes, most preferred first. All calls go to one node, so that a caller reads what
 * it wrote; another takes over when it falls silent, stops, goes back in time, or shows another chain.
 */
export function nodePool(urls: readonly URL[], options: nodePool.Options = {}): NodePool {
  const times = { ...(urls.length > 1 ? severalTimes : singleTimes), ...options.times }
  const pool: Pool = {
    times,
    expected: options.chainId,
    chainId: options.chainId,
    genesis: undefined,
    shownBy: undefined,
    isCertain: false,
    anchor: undefined,
    current: undefined,
    floor: { number: 0, at: 0 },
    checks: new Map(),
    onChange: options.onChange,
    nodes: urls.map((url, index) => rpcNode(url, index + 1, times)),
  }
  const memory: Memory = { sent: new Set(), shown: new Map() }
  const check = async () => {
    const now = performance.now()
    const rested = pool.nodes.filter(({ restsUntil }) => restsUntil <= now)
    await Promise.all(rested.map((node) => checkNode(pool, node)))
    await moveAnchor(pool)
  }
  const timer = setInterval(() => void check(), times.checkEvery).unref()
  const quorum = options.quorum ?? 1
  const request = (call: RpcCall) => observed(options, () => route(pool, memory, { call, quorum }))
  return {
    isRemote: true,
    ...watchSilence(request, { quorum, patience: times.silentAfter }),
    requestElsewhere: (call) => observed(options, () => askElsewhere(pool, call)),
    isReachable: () => pool.nodes.some(({ state }) => state === 'up' || state === 'unknown'),
    status: () => statusOf(pool),
    newestBlockAt: () => newestBlockOf(pool),
    check,
    close: () => clearInterval(timer),
  }
}

async function observed<T>({ observe }: nodePool.Options, ask: () => Promise<T>): Promise<T> {
  try {
    const answer = await ask()
    observe?.({ answered: true })
    return answer
  } catch (error) {
    observe?.(isSilence(error) ? { answered: false, error } : { answered: true })
    throw error
  }
}

/** Returns whether an error means that no node, or too few of them, gave an answer. */
const isSilence = (error: unknown): boolean =>
  isUnanswered(error) || error instanceof NoNode || error instanceof NoAgreement

const newestBlock: RpcCall = { method: 'eth_blockNumber', params: [] }
/** The receipt of a transaction that no chain has. */
const noReceipt: RpcCall = { method: 'eth_getTransactionReceipt', params: [`0x${'0'.repeat(64)}`] }

type Watched = { readonly quorum: number; readonly patience: number }

/**
 * Watches requests for silence. What several nodes must agree on is apart: one node that answers alone
 * ends no write. Those who ask for an answer at the same time share it.
 */
function watchSilence(
  request: NodePool['request'],
  { quorum, patience }: Watched,
): Pick<NodePool, 'request' | 'means'> {
  const open = () => silenceWatch({ patience, isNoAnswer: isSilence })
  const [single, agreed] = [open(), open()]
  const watchOf = (call: RpcCall) => (quorum > 1 && needsAgreement(call) ? agreed : single)
  const isSoon = (call: RpcCall) => watchOf(call).isAnsweredSoon(() => request(call))
  const answer = async () => {
    const answers = await Promise.all([newestBlock, noReceipt].map(isSoon))
    return answers.every(Boolean)
  }
  return {
    request: (call) =>
      call.method === 'eth_getLogs' ? request(call) : watchOf(call).ask(() => request(call)),
    means: {
      areSilent: () => single.isSilent() || agreed.isSilent(),
      answer: memoize(answer, { resultFor: 0 }),
    },
  }
}

type Question = { readonly call: RpcCall; readonly quorum: number }

/** The transactions that were sent, and the receipts that were shown. */
type Memory = { readonly sent: Set<unknown>; readonly shown: Shown }

function route(pool: Pool, memory: Memory, { call, quorum }: Question): Promise<unknown> {
  const { method, params } = call
  if (quorum > 1 && needsAgreement(call)) return askForAgreement(pool, call, quorum)
  const [, second] = Array.isArray(params) ? params : []
  // A node that lags behind knows a lower nonce, which harms nothing; only a lie is higher.
  if (method === 'eth_getTransactionCount' && second === 'pending')
    return askAll(pool, call, lowest)
  if (method === 'eth_getTransactionReceipt') return askForReceipt(pool, memory.shown, call)
  return method === 'eth_sendRawTransaction' ? send(pool, memory.sent, call) : askInTurn(pool, call)
}

/** Sends a transaction to one node, or to all when it is sent again. */
function send(pool: Pool, sent: Memory['sent'], call: RpcCall): Promise<unknown> {
  const [raw] = call.params as readonly unknown[]
  const isSeen = sent.has(raw)
  if (sent.size >= mostSent) sent.clear()
  sent.add(raw)
  // Sent again means that no block has it: the node that got it may keep it to itself.
  return isSeen ? askAll(pool, call, ([answer]) => answer) : askInTurn(pool, call)
}

/** The number of transactions that are remembered. */
const mostSent = 512

const lowest = (counts: readonly unknown[]): unknown =>
  counts.reduce((one, other) => (Number(other) < Number(one) ? other : one))

/** Asks one node after another until one answers, after so many of those that may be up. */
async function askInTurn(pool: Pool, call: RpcCall, turn = 0): Promise<unknown> {
  const tried = passedBy(pool, turn)
  let trouble: unknown
  for (;;) {
    const node = await nextNode(pool, tried)
    if (node === undefined) throw trouble ?? noNode(pool)
    use(pool, node, turn)
    tried.add(node)
    const attempt = await tryNode(pool, node, call)
    if ('answer' in attempt) return attempt.answer
    trouble = attempt.trouble ?? trouble
  }
}

/** Makes a node the one in use, unless a turn passed by others, which are well. */
function use(pool: Pool, node: RpcNode, turn: number): void {
  if (turn === 0) pool.current = node
}

/** Returns the nodes that a turn passes by: so many of those that may be up, and never all. */
function passedBy({ nodes }: Pool, turn: number): Set<RpcNode> {
  const likely = nodes.filter(({ state }) => state === 'up' || state === 'unknown')
  return new Set(likely.slice(0, turn % (likely.length || 1)))
}

type Attempt = { readonly answer: unknown } | { readonly trouble: unknown }

/** Asks a node, and takes it out if it cannot be used. @throws the refusal of the node */
async function tryNode(pool: Pool, node: RpcNode, call: RpcCall): Promise<Attempt> {
  try {
    const answer = await node.ask(call)
    await requireJump(node, call, answer)
    if (isShownAgain(pool, node, call, answer)) return { answer }
    setState(pool, node, 'behind')
    return { trouble: undefined }
  } catch (error) {
    if (!isNodeTrouble(error, call)) throw error
    if (isUnanswered(error)) takeOut(pool, node, error)
    return { trouble: error }
  }
}

/**
 * Asks for a receipt. One that says that nothing happened, or that cannot be right, is asked of every
 * node: the one that shows what happened is believed, since nothing shows what did not. One that was
 * shown and is asked again was not believed, so the nodes take turns.
 */
async function askForReceipt(pool: Pool, shown: Shown, call: RpcCall): Promise<unknown> {
  const [hash] = call.params as readonly [Hex]
  const turn = shown.get(hash) ?? 0
  if (shown.size >= mostSent) shown.clear()
  if (turn > 0) shown.set(hash, turn + 1)
  const first = await askInTurn(pool, call, turn)
  if (first === null) return first
  shown.set(hash, turn + 1)
  if (showsEvents(first, call)) return first
  return askAll(pool, call, (all) => all.find((it) => showsEvents(it, call)) ?? first)
}

/** The number of answers to the questions for each receipt that was shown. */
type Shown = Map<Hex, number>

function showsEvents(answer: unknown, { params }: RpcCall): boolean {
  if (answer === null) return false
  const receipt = answer as ShownReceipt
  const [hash] = params as readonly [Hex]
  const isSound = faultOfReceipt(receipt, hash) === undefined
  return isSound && Number(receipt.status) === 1 && receipt.logs.length > 0
}

/** Requires that a node has the block that it says is the newest, where this is far above the last one. */
async function requireJump(node: RpcNode, { method }: RpcCall, answer: unknown): Promise<void> {
  const number = Number(answer)
  if (method !== 'eth_blockNumber' || number <= (node.head?.number ?? 0) + smallStep) return
  if ((await hashAt(node, number)) !== undefined) return
  const details = `The node has no block ${number}, which it called the newest.`
  throw new HttpRequestError({ url: '', details })
}

/** Asks a node that is up and not in use; where none answers, the one in use. */
async function askElsewhere(pool: Pool, call: RpcCall): Promise<unknown> {
  for (const node of pool.nodes.filter((it) => it !== pool.current)) {
    const isUp = node.state === 'unknown' ? await checkNode(pool, node) : node.state === 'up'
    if (!isUp) continue
    const attempt = await tryNode(pool, node, call)
    if ('answer' in attempt) return attempt.answer
  }
  return askInTurn(pool, call)
}

/** Asks every node that is up, and picks one of their answers, most preferred first. */
async function askAll(
  pool: Pool,
  call: RpcCall,
  pick: (answers: readonly unknown[]) => unknown,
): Promise<unknown> {
  const up = pool.nodes.filter(({ state }) => state === 'up')
  if (up.length < 2) return askInTurn(pool, call)
  const outcomes = await Promise.allSettled(up.map((node) => node.ask(call)))
  const answers = outcomes.flatMap((it) => (it.status === 'fulfilled' ? [it.value] : []))
  return answers.length > 0 ? pick(answers) : askInTurn(pool, call)
}

/** Returns the node in use at once, so that the calls of one turn of the event loop share a request. */
async function nextNode(pool: Pool, tried: ReadonlySet<RpcNode>): Promise<RpcNode | undefined> {
  const up = pool.nodes.find((it) => it.state === 'up' && !tried.has(it))
  return up !== undefined && up === pool.current ? up : choose(pool, tried)
}

/**
 * Returns the first node that is up and has all that callers have seen. Asks those first that were
 * well and those that have rested.
 */
async function choose(pool: Pool, tried: ReadonlySet<RpcNode>): Promise<RpcNode | undefined> {
  const now = performance.now()
  const left = pool.nodes.filter((node) => !tried.has(node))
  const isLikely = ({ state, restsUntil }: RpcNode) => state === 'up' || restsUntil <= now
  for (const node of [...left.filter(isLikely), ...left.filter((it) => !isLikely(it))]) {
    const floor = floorOf(pool)
    if (!(await checkNode(pool, node)) || (node.head?.number ?? 0) < floor) continue
    return node
  }
  return undefined
}

/** Thrown when every node is out, and not because of the call. */
class NoNode extends Error {
  override readonly name = 'NoNode'
}

function noNode({ nodes }: Pool): Error {
  const [first] = nodes
  const silent = nodes.find(({ state }) => state === 'silent')
  const states = nodes.map(({ place, state }) => `${place}: ${state}`).join(', ')
  const cause = (silent ?? first)?.lastError
  return new NoNode(`No node of RPC_URL can be used (${states}).`, { cause })
}
