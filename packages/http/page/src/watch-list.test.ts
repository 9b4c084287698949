import { expect, test, vi } from 'vitest'

vi.stubGlobal('localStorage', { getItem: () => null })
const { mostWatched, parsePrices, parseWatchList } = await import('./watch-list.ts')

test('reads token numbers, each once, and nothing else', () => {
  const stored = ['7', '7', 8, '-1', '01', '<b>', null, '12']
  expect(parseWatchList(JSON.stringify(stored))).toEqual(['7', '12'])
  for (const text of [null, '', '{', '{"7":1}', '"7"']) expect(parseWatchList(text)).toEqual([])
  const many = Array.from({ length: mostWatched + 5 }, (_, index) => `${index}`)
  expect(parseWatchList(JSON.stringify(many))).toHaveLength(mostWatched)
})

test('reads prices that are texts, and nothing else', () => {
  expect(parsePrices('{"7":"0.05 ETH","8":3}')).toEqual({ 7: '0.05 ETH' })
  for (const text of [null, '', '{', 'null', '[]', '3']) expect(parsePrices(text)).toEqual({})
})
