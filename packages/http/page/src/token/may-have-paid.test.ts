import { expect, test } from 'vitest'
import type { Event } from '../../../src/client/responses.ts'
import { mayHavePaid } from './ratings.tsx'

const [ada, ben] = [`0x${'a1'.repeat(20)}`, `0x${'B2'.repeat(20)}`]

const page = (event: object, next: string | null = null) => ({ items: [event as Event], next })

test.each([
  ['bought it', { kind: 'sale', seller: ada, buyer: ben, recipient: ada }],
  ['got it as a gift', { kind: 'sale', seller: ada, buyer: ada, recipient: ben }],
  ['rented it', { kind: 'rental', owner: ada, renter: ben, payer: ada }],
  ['paid its rent', { kind: 'dollar-rental', owner: ada, renter: ada, payer: ben }],
  ['forked it', { kind: 'fork', child: '2', forker: ben, recipient: ada }],
  ['bought it in dollars', { kind: 'dollar-sale', seller: ada, recipient: ben, payer: ada }],
  ['forked it in dollars', { kind: 'dollar-fork', child: '2', recipient: ada, payer: ben }],
])('an account that %s may rate a memory', (_, event) => {
  expect(mayHavePaid(page(event), ben.toLowerCase())).toBe(true)
})

test.each([
  ['sold it', { kind: 'sale', seller: ben, buyer: ada, recipient: ada }],
  ['rented it out', { kind: 'rental', owner: ben, renter: ada, payer: ada }],
  ['listed it', { kind: 'listing', seller: ben }],
  ['was given it', { kind: 'transfer', from: ada, to: ben }],
  ['was paid a royalty', { kind: 'royalty', to: ben, from: ada }],
])('an account that %s did not pay', (_, event) => {
  expect(mayHavePaid(page(event), ben)).toBe(false)
})

test('an account with more events than were read may have paid', () => {
  expect(mayHavePaid({ items: [], next: 'more' }, ben)).toBe(true)
  expect(mayHavePaid({ items: [], next: null }, ben)).toBe(false)
})
