import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ChainReader } from './chain-reader.ts'
import { findFirstBlock } from './common-block.ts'

/** Returns a reader of a chain with a contract from a block on, whose node keeps its newest states. */
function readerOf({
  head,
  deployed,
  kept = head,
  wrongAt,
}: Record<'head' | 'deployed', number> & { kept?: number; wrongAt?: number }) {
  let requests = 0
  const reader: ChainReader = {
    get elsewhere() {
      return reader
    },
    head: async () => head,
    hasCode: async (_contract: string, block: number) => {
      requests += 1
      if (requests === wrongAt) return false
      if (block < head - kept) throw new Error('missing trie node')
      return block >= deployed
    },
  } as unknown as ChainReader
  return { reader, requests: () => requests }
}

test('the search ends shortly before the deployment, after a question for each halving', async () => {
  const chain = fc
    .nat(2 ** 40)
    .chain((head) => fc.record({ head: fc.constant(head), deployed: fc.nat(head) }))
  await fc.assert(
    fc.asyncProperty(chain, async ({ head, deployed }) => {
      const { reader, requests } = readerOf({ head, deployed })
      expect(await findFirstBlock(reader, '0x')).toBe(Math.max(0, deployed - 64))
      expect(requests()).toBeLessThanOrEqual(Math.ceil(Math.log2(head + 1)) + 2)
    }),
  )
})

test('a node without old states, or without the contract, is read from block 0', async () => {
  const pruned = readerOf({ head: 10_000, deployed: 5_000, kept: 128 })
  expect(await findFirstBlock(pruned.reader, '0x')).toBe(0)
  const absent = readerOf({ head: 10_000, deployed: 20_000 })
  expect(await findFirstBlock(absent.reader, '0x')).toBe(0)
})

test('one wrong answer hides no block of the contract', async () => {
  for (let wrongAt = 1; wrongAt <= 16; wrongAt++) {
    const { reader } = readerOf({ head: 10_000, deployed: 5_000, wrongAt })
    expect(await findFirstBlock(reader, '0x')).toBeLessThanOrEqual(5_000)
  }
})
