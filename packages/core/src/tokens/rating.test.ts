import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Account } from '../values/branded.ts'
import { dollars, tokenId, wei } from '../values/decimal.ts'
import { account, hash } from '../values/hex.ts'
import { instant } from '../values/time.ts'
import type { HistoryEntry } from './catalogued-token.ts'
import { commentLimits, opinion, paymentBy } from './rating.ts'
import type { TokenEvent } from './token-event.ts'

const named = (byte: string) => account(`0x${byte.repeat(20)}`)
const [creator, owner, buyer, friend] = [named('a1'), named('b2'), named('c3'), named('d4')]
const someHash = hash(`0x${'cd'.repeat(32)}`)

const entryOf = (event: TokenEvent, at: number): HistoryEntry => ({
  block: BigInt(at),
  blockHash: someHash,
  logIndex: 0,
  at: instant(at),
  id: `${at}`,
  tokenId: tokenId(1n),
  txHash: `0x${at.toString(16)}`,
  ...event,
})

const mint: TokenEvent = {
  kind: 'mint',
  creator,
  parent: undefined,
  royaltyBps: undefined,
  contentHash: someHash,
}
const toOwner: TokenEvent = { kind: 'transfer', from: creator, to: owner }
const sale = (payer: Account, price: bigint, recipient = payer): TokenEvent => ({
  kind: 'sale',
  seller: owner,
  buyer: payer,
  recipient,
  price: wei(price),
})
const paidDollars = { price: dollars(1n), asset: named('e5'), orderHash: someHash }
const dollarSale = (payer: Account): TokenEvent => ({
  kind: 'dollar-sale',
  seller: owner,
  recipient: payer,
  payer,
  ...paidDollars,
})
const rental = (payer: Account, paid: bigint, renter = payer): TokenEvent => ({
  kind: 'rental',
  owner,
  renter,
  payer,
  expiresAt: instant(9),
  paid: wei(paid),
})
const fork = (forker: Account, price: bigint, recipient = forker): TokenEvent => ({
  kind: 'fork',
  child: tokenId(2n),
  forker,
  recipient,
  royaltyBps: 0,
  price: wei(price),
})

/** Returns what an account may rate for, after these events of a token. */
const paid = (by: Account, ...events: readonly TokenEvent[]) =>
  paymentBy(
    by,
    [mint, toOwner, ...events]
      .filter((event) => Object.values(event).includes(by))
      .map((event, at) => entryOf(event, at)),
  )?.act

describe('an account may rate a token', () => {
  test.each<[string, Account, TokenEvent, string]>([
    ['that it bought', buyer, sale(buyer, 1n), 'buy'],
    ['that it bought for another', buyer, sale(buyer, 1n, friend), 'buy'],
    ['that another bought for it', friend, sale(buyer, 1n, friend), 'buy'],
    ['that it bought with dollars', buyer, dollarSale(buyer), 'buy'],
    ['that it rented', buyer, rental(buyer, 1n), 'rent'],
    ['that another rented for it', friend, rental(buyer, 1n, friend), 'rent'],
    ['that it forked', buyer, fork(buyer, 1n), 'fork'],
  ])('%s', (_, by, event, act) => {
    expect(paid(by, event)).toBe(act)
  })

  test('for its last payment', () => {
    expect(paid(buyer, sale(buyer, 1n), rental(buyer, 1n), sale(buyer, 0n))).toBe('rent')
  })

  test('that it bought and gave away before it forked it', () => {
    const back: TokenEvent = { kind: 'transfer', from: buyer, to: friend }
    const got: TokenEvent = { kind: 'transfer', from: owner, to: buyer }
    expect(paid(buyer, got, back, fork(buyer, 1n))).toBe('fork')
  })
})

describe('an account may not rate a token', () => {
  test.each<[string, Account, TokenEvent]>([
    ['that it never paid for', friend, sale(buyer, 1n)],
    ['that it got for nothing', buyer, sale(buyer, 0n)],
    ['that it rented for nothing', buyer, rental(buyer, 0n)],
    ['that it forked for nothing', buyer, fork(buyer, 0n)],
    ['that it made', creator, sale(creator, 1n)],
    ['that it bought from itself', owner, sale(owner, 1n)],
    ['that its owner bought for it', friend, sale(owner, 1n, friend)],
    ['that its owner rented to it and paid itself', friend, rental(owner, 1n, friend)],
    ['that it rents to itself at the cost of another', owner, rental(buyer, 1n, owner)],
    ['that it owns and forked', owner, fork(owner, 1n)],
    ['that its owner forked for it', friend, fork(owner, 1n, friend)],
    ['that was given to it', owner, { kind: 'transfer', from: creator, to: owner }],
  ])('%s', (_, by, event) => {
    expect(paid(by, event)).toBe(undefined)
  })
})

describe('an opinion', () => {
  test('has a score of 1 to 5 and a comment of bounded length', () => {
    expect(opinion({ score: 3 })).toEqual({ score: 3, comment: '' })
    const longest = 'a'.repeat(commentLimits.length)
    expect(opinion({ score: 5, comment: longest }).comment).toBe(longest)
    expect(() => opinion({ score: 5, comment: `${longest}a` })).toThrow('at most 500 characters')
  })

  test('has no other score', () => {
    fc.assert(
      fc.property(fc.oneof(fc.double(), fc.integer()), (score) => {
        fc.pre(![1, 2, 3, 4, 5].includes(score))
        expect(() => opinion({ score })).toThrow('its score must be 1, 2, 3, 4 or 5')
      }),
    )
  })

  test.each([
    ['text in the other direction', 'good \u202E dab', 'U+202E'],
    ['a control', 'a\u0007b', 'U+0007'],
    ['too many lines', 'a\n'.repeat(11), 'more than 10 line breaks'],
  ])('has no comment with %s', (_, comment, problem) => {
    expect(() => opinion({ score: 1, comment })).toThrow(problem)
  })
})
