import { expect, test } from 'vitest'
import { isMadeBy } from './account.ts'

const [maker, forker] = [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`] as const

test('a memory is made by its creator', () => {
  expect(isMadeBy({ creator: maker }, maker)).toBe(true)
  expect(isMadeBy({ creator: maker }, forker)).toBe(false)
})

test('a fork is made by the creator of its source', () => {
  const fork = { creator: forker, source: { tokenId: '1', creator: maker } }
  expect(isMadeBy(fork, maker)).toBe(true)
  expect(isMadeBy(fork, forker)).toBe(false)
})
