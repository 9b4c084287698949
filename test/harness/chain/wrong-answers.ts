import { setTimeout as pause } from 'node:timers/promises'
import { type Hex, toHex } from 'viem'
import type { Lie, RpcCall } from './lying-proxy.ts'

/** Returns a lie about the answers of a method, unless they are null or about block 0. */
const about =
  <Answer>(method: string, change: (truth: Answer) => unknown): Lie =>
  (call, truth: Answer | null) =>
    call.method === method && truth !== null && call.params[0] !== '0x0' ? change(truth) : truth

const logs = (change: (truth: readonly object[]) => unknown) => about('eth_getLogs', change)
const head = (change: (number: number) => number) =>
  about('eth_blockNumber', (truth: Hex) => toHex(Math.max(0, change(Number(truth)))))
const blocks = (change: (truth: { readonly number: Hex }) => unknown) =>
  about('eth_getBlockByNumber', change)
const calls = (change: (truth: Hex) => unknown) => about('eth_call', change)

/** Returns a lie about each answer of one method, also those that are null. */
const always =
  (method: string, answer: (truth: never) => unknown): Lie =>
  (call, truth) =>
    call.method === method ? answer(truth) : truth

/** Shows the events of other blocks than those that were requested, so many above or below them. */
const logsOf = (blocks: number) =>
  logs((truth) =>
    truth.map((log) => {
      const { blockNumber } = log as { readonly blockNumber: Hex }
      return { ...log, blockNumber: toHex(Math.max(0, Number(blockNumber) + blocks)) }
    }),
  )

const otherHash = `0x${'ab'.repeat(32)}`
const maxUint = `0x${'ff'.repeat(32)}`
const emptyBloom = `0x${'00'.repeat(256)}`

/** Answers each call of a method as the one before. */
function mixedUp(): Lie {
  const last = new Map<string, unknown>()
  return ({ method, params }: RpcCall, truth) => {
    const before = last.get(method) ?? truth
    if (params[0] !== '0x0') last.set(method, truth)
    return before
  }
}

/** The blocks by which a node of a balancer is behind the others. */
const blocksBehind = 90

/** Answers each call as a node that has the whole chain, or as one that is behind, in an order that looks random. */
function balanced(): Lie {
  let [state, newest] = [1, Infinity]
  const isBehind = () => {
    // The generator of Park and Miller.
    state = (state * 48_271) % 2_147_483_647
    return state % 2 === 0
  }
  const hasBlock = (number: unknown) => !(Number(number) > newest - blocksBehind)
  const older: Readonly<Record<string, (truth: never) => unknown>> = {
    eth_blockNumber: (truth: Hex) => toHex(Math.max(0, Number(truth) - blocksBehind)),
    eth_getBlockByNumber: (truth: { readonly number: Hex } | null) =>
      truth !== null && hasBlock(truth.number) ? truth : null,
    eth_getLogs: (truth: readonly { readonly blockNumber: Hex }[]) =>
      truth.filter((it) => hasBlock(it.blockNumber)),
  }
  return ({ method }, truth) => {
    if (method === 'eth_blockNumber') newest = Number(truth)
    const answer = isBehind() ? older[method] : undefined
    return answer === undefined ? truth : answer(truth)
  }
}

/** Answers with null or an object where a number belongs. */
export const formless = (): Lie => (call, truth) =>
  call.method === 'eth_chainId' ? null : call.method === 'eth_blockNumber' ? {} : truth

const inYear3000 = toHex(32_503_680_000)

/** Shows blocks and events of the year 3000. */
export const laterTimes: Lie = (call, truth: unknown) => {
  const dated = blocks((it) => ({ ...it, timestamp: inYear3000 }))(call, truth as never)
  return logs((all) => all.map((log) => ({ ...log, blockTimestamp: inYear3000 })))(
    call,
    dated as never,
  )
}

/** The wrong answers of a node to an indexer, by their names. */
export const wrongAnswers: Readonly<Record<string, () => Lie>> = {
  'no events': () => logs(() => []),
  'events without the last': () => logs((truth) => truth.slice(0, -1)),
  'events without the first': () => logs((truth) => truth.slice(1)),
  'only the first event': () => logs((truth) => truth.slice(0, 1)),
  'events twice': () => logs((truth) => [...truth, ...truth]),
  'events in another order': () => logs((truth) => truth.toReversed()),
  'null for events': () => logs(() => null),
  'events of another chain': () =>
    logs((truth) => truth.map((log) => ({ ...log, blockHash: otherHash }))),
  'events of older blocks': () => logsOf(-3),
  'events of newer blocks': () => logsOf(3),
  'events without their words': () => logs((truth) => truth.map((log) => ({ ...log, data: '0x' }))),
  'a head that is far too high': () => head((number) => number + 1_000_000),
  'a head that is a little too high': () => head((number) => number + 5),
  'a head that is a little too low': () => head((number) => number - 5),
  'a head that is far too low': () => head((number) => number - 90),
  'head 0': () => head(() => 0),
  'null for the head': () => always('eth_blockNumber', () => null),
  'null for blocks': () => blocks(() => null),
  'blocks of another hash': () => blocks((truth) => ({ ...truth, hash: otherHash })),
  'blocks of another parent': () => blocks((truth) => ({ ...truth, parentHash: otherHash })),
  'blocks without events': () => blocks((truth) => ({ ...truth, logsBloom: emptyBloom })),
  'blocks at the end of time': () => blocks((truth) => ({ ...truth, timestamp: maxUint })),
  'blocks of the year 3000': () =>
    blocks((truth) => ({ ...truth, timestamp: toHex(32_503_680_000) })),
  'blocks at time 0': () => blocks((truth) => ({ ...truth, timestamp: '0x0' })),
  'events of the year 3000': () =>
    logs((truth) => truth.map((log) => ({ ...log, blockTimestamp: inYear3000 }))),
  'the block before': () =>
    blocks((truth) => ({ ...truth, number: toHex(Number(truth.number) - 1) })),
  'the block behind': () =>
    blocks((truth) => ({ ...truth, number: toHex(Number(truth.number) + 1) })),
  'empty blocks': () => blocks(() => ({})),
  'null for code': () => always('eth_getCode', () => null),
  'no code': () => about('eth_getCode', () => '0x'),
  'no tokens': () => calls(() => toHex(0n, { size: 32 })),
  'fewer tokens': () => calls((truth) => toHex(BigInt(truth) - 1n, { size: 32 })),
  'more tokens': () => calls((truth) => toHex(BigInt(truth) + 1n, { size: 32 })),
  'half of the number of tokens': () => calls((truth) => truth.slice(0, 34)),
  'null for calls': () => always('eth_call', () => null),
  'another chain': () => always('eth_chainId', () => '0x1'),
  'no chain': () => always('eth_chainId', () => null),
  'answers to the call before': mixedUp,
  'a balancer with a node that is behind': balanced,
  'late answers': () => async (_call, truth) => {
    await pause(20)
    return truth
  },
}
