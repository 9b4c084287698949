import { expect, test } from 'vitest'
import { shortenName } from './account.ts'

test('a long name keeps its end, which says whose it is', () => {
  expect(shortenName('ada.eth')).toBe('ada.eth')
  const long = `vitalik.eth.${'a'.repeat(60)}.mallory.eth`
  expect(shortenName(long)).toBe('vitali…aaaaaaaaaaa.mallory.eth')
})
