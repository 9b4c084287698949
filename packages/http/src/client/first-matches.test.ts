import { expect, test } from 'vitest'
import { firstMatches } from './parts.ts'
import type { FoundInMemory } from './responses.ts'

type Page = Pick<FoundInMemory, 'misspelt' | 'isTooLarge' | 'next'> & {
  readonly matches: readonly string[]
}

test('goes on over pages without a match', async () => {
  const pages = [{ matches: [], next: '1' }, { matches: [], next: '2' }, { matches: ['found'] }]
  const search = async (after = '0') => pages[Number(after)] ?? { matches: [] }
  expect(await firstMatches(search)).toEqual({ matches: ['found'] })
  expect(await firstMatches(search, { requests: 2 })).toEqual({ matches: [], next: '2' })
})

test('passes on what only the first page says', async () => {
  const misspelt = [{ word: 'tidd', stem: 'tidd', nearest: 'tide' }]
  const first: Page = { matches: [], next: '1', misspelt, isTooLarge: true }
  const search = async (after?: string): Promise<Page> =>
    after === undefined ? first : { matches: ['found'] }
  const found = { matches: ['found'], misspelt, isTooLarge: true }
  expect(await firstMatches(search)).toEqual(found)
})

test.each([
  ['the same page', ['a', 'a']],
  ['an earlier page', ['a', 'b', 'a']],
  ['the page that it began at', ['start']],
])('a server that leads back to %s is refused', async (_, cursors) => {
  const left = [...cursors]
  const search = async () => ({ matches: [], next: left.shift() ?? 'a' })
  const refused = { code: 'client/bad-answer' }
  await expect(firstMatches(search, { after: 'start' })).rejects.toMatchObject(refused)
})

test('a server whose pages have no end gets so many requests', async () => {
  let requests = 0
  const found = await firstMatches(async () => ({ matches: [], next: `${requests++}` }))
  expect([requests, found.next]).toEqual([1000, '999'])
})
