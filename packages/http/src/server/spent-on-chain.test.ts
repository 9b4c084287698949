import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  countFounding,
  everything,
  type RpcChain,
  spentByNonces,
  spentInBlocks,
} from './spent-on-chain.ts'

const own = '0x00000000000000000000000000000000000000Aa'
const other = '0x00000000000000000000000000000000000000bb'
const contract = '0x00000000000000000000000000000000000000cc'
const hex = (value: number | bigint) => `0x${value.toString(16)}`
const secondsPerDay = 86_400

type Sent = {
  readonly by: string
  readonly value: bigint
  readonly gas: number
  readonly succeeds: boolean
  readonly creates: boolean
}
type Mined = { readonly hours: number; readonly sent: readonly Sent[] }

const sent: fc.Arbitrary<Sent> = fc.record({
  by: fc.constantFrom(own, own, other),
  value: fc.bigInt({ min: 0n, max: 2n ** 70n }),
  gas: fc.nat(100_000),
  succeeds: fc.boolean(),
  creates: fc.boolean(),
})
// The blocks of a chain, each some hours after the one before.
const history = fc.array(
  fc.record({ hours: fc.integer({ min: 0, max: 9 }), sent: fc.array(sent, { maxLength: 3 }) }),
  { maxLength: 24 },
)

/** Returns a chain of blocks that answers JSON-RPC, from the state of block `oldest` on. */
function chainOf(blocks: readonly Mined[], oldest = 0) {
  const nonces = new Map<string, number>()
  let time = 1_790_000_000
  const mined = [{ hours: 0, sent: [] }, ...blocks].map(({ hours, sent }, number) => {
    time += hours * 3600
    const transactions = sent.map(({ by, value, creates, ...rest }, at) => {
      const nonce = nonces.get(by) ?? 0
      nonces.set(by, nonce + 1)
      const to = creates ? null : contract
      const hash = hex(number * 100 + at + 1)
      // Nodes write addresses in lower case.
      const reported = { hash, from: by.toLowerCase(), to, nonce: hex(nonce), value: hex(value) }
      const cost = creates ? 0n : costOf({ by, value, creates, ...rest })
      return { ...rest, creates, cost, by, nonce, reported }
    })
    return { time, transactions, counts: new Map(nonces) }
  })
  const all = mined.flatMap(({ time: at, transactions }) =>
    transactions.map((it) => ({ ...it, day: Math.floor(at / secondsPerDay) })),
  )
  const receiptOf = (hash: string) => {
    const it = all.find(({ reported }) => reported.hash === hash)
    const status = it?.succeeds ? '0x1' : '0x0'
    return { gasUsed: hex(it?.gas ?? 0), effectiveGasPrice: '0x3', status }
  }
  const countAt = (tag: string) => {
    const number = tag === 'latest' ? mined.length - 1 : Number(tag)
    if (number < oldest) throw new Error('missing trie node')
    return hex(mined[number]?.counts.get(own) ?? 0)
  }
  const answers: Readonly<Record<string, (first: string, second: string) => unknown>> = {
    eth_blockNumber: () => hex(mined.length - 1),
    eth_getBlockByNumber: (number, isFull) => blockAt(Number(number), Boolean(isFull)),
    eth_getTransactionReceipt: receiptOf,
    eth_getTransactionCount: (_address, tag) => countAt(tag),
  }
  const request: RpcChain['request'] = async ({ method, params }) => {
    const [first = '', second = ''] = (params ?? []) as readonly string[]
    return answers[method]?.(first, second)
  }
  const blockAt = (number: number, isFull: boolean) => {
    const block = mined[number]
    const reported = block?.transactions.map((it) => (isFull ? it.reported : it.reported.hash))
    return block ? { hash: hex(number), timestamp: hex(block.time), transactions: reported } : null
  }
  const today = Math.floor(time / secondsPerDay)
  const spentSince = (known: number) => {
    const writes = all
      .filter(({ by, day, nonce }) => by === own && day === today && nonce >= known)
      .filter(({ creates }) => !creates)
    return { spent: writes.reduce((sum, { cost }) => sum + cost, 0n), writes: writes.length }
  }
  const spent = (known: number) => spentSince(known).spent
  return { spentSince, request, today, spent, next: nonces.get(own) ?? 0 }
}

const costOf = ({ value, gas, succeeds }: Sent): bigint =>
  3n * BigInt(gas) + (succeeds ? value : 0n)

describe('what a wallet spent today since a nonce', () => {
  test('is the sum of its transactions in the blocks of the day, read in either way', async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.nat(12), async (blocks, before) => {
        const chain = chainOf(blocks)
        const known = Math.min(before, chain.next)
        const expected = { day: chain.today, ...chain.spentSince(known) }
        expect(await spentInBlocks(chain, own, { known })).toEqual(expected)
        const { next } = chain
        expect(await spentByNonces(chain, own, { known, next })).toEqual(expected)
      }),
    )
  })

  test('is everything where the node has forgotten the state of the day, unless nothing is needed of it', async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.nat(30), async (blocks, oldest) => {
        const chain = chainOf(blocks, oldest)
        const { next } = chain
        const { spent } = await spentByNonces(chain, own, { known: 0, next })
        if (spent !== everything) expect(spent).toBe(chain.spent(0))
      }),
    )
    const two = Array(2).fill({ hours: 1, sent: [] as Sent[] })
    const one = { by: own, value: 5n, gas: 1, succeeds: true, creates: false }
    const chain = chainOf([{ hours: 30, sent: [] }, ...two, { hours: 0, sent: [one] }], 4)
    const found = await spentByNonces(chain, own, { known: 0, next: 1 })
    expect(found).toEqual({ day: chain.today, spent: everything, writes: 1 })
  })

  test('is everything where the transactions are too many to look up', async () => {
    const many = Array(101).fill({ by: own, value: 0n, gas: 1, succeeds: true, creates: false })
    const chain = chainOf([{ hours: 0, sent: many }])
    const { next } = chain
    expect((await spentByNonces(chain, own, { known: 0, next })).spent).toBe(everything)
    expect((await spentByNonces(chain, own, { known: 1, next })).spent).toBe(chain.spent(1))
  })
})

test('the contracts that a wallet created before it did anything else are not its writes', async () => {
  const create = { by: own, value: 0n, gas: 1, succeeds: true, creates: true }
  const write = { ...create, creates: false }
  const founding = [
    { hours: 0, sent: [create] },
    { hours: 0, sent: [create, create] },
  ]
  expect(await countFounding(chainOf(founding), own)).toBe(3)
  expect(await countFounding(chainOf([...founding, { hours: 0, sent: [write] }]), own)).toBe(3)
  expect(await countFounding(chainOf([{ hours: 0, sent: [write] }, ...founding]), own)).toBe(0)
  expect(await countFounding(chainOf([]), own)).toBe(0)
})
