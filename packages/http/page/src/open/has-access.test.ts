import { expect, test } from 'vitest'
import { hasAccess } from '../token/use-token.ts'

const [owner, renter, other] = ['0xAA', '0xBB', '0xCC']
const rentals = (count: number) =>
  Array.from({ length: count }, () => ({ renter: '0xbb' as const }))

test('allows owners and renters, and nobody else', () => {
  expect(hasAccess('0xaa', owner, undefined)).toBe(true)
  expect(hasAccess(renter, owner, rentals(1))).toBe(true)
  expect(hasAccess(other, owner, rentals(1))).toBe(false)
  expect(hasAccess(other, owner, undefined)).toBeUndefined()
})

test('cannot decide when the list of renters may be incomplete', () => {
  expect(hasAccess(other, owner, rentals(99))).toBe(false)
  expect(hasAccess(other, owner, rentals(100))).toBeUndefined()
})
