import { expect, test } from 'vitest'
import { isLetIn } from './has-access.ts'

const [owner, renter, other] = ['0xAA', '0xBB', '0xCC']
const rentals = (count: number) =>
  Array.from({ length: count }, () => ({ renter: '0xbb' as const }))

test('owners and renters are let in, and nobody else', () => {
  expect(isLetIn('0xaa', owner, undefined)).toBe(true)
  expect(isLetIn(renter, owner, rentals(1))).toBe(true)
  expect(isLetIn(other, owner, rentals(1))).toBe(false)
  expect(isLetIn(other, owner, undefined)).toBeUndefined()
})

test('who is not among as many renters as are told may still be one', () => {
  expect(isLetIn(other, owner, rentals(99))).toBe(false)
  expect(isLetIn(other, owner, rentals(100))).toBeUndefined()
})
