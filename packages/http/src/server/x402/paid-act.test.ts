import { account, orderActs, tokenId } from '@heirloom/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  deadlineAt,
  earlierDeadlines,
  isOrderOf,
  momentOf,
  never,
  orderOf,
  type PaidAct,
  readPaidAct,
  saltAt,
} from './paid-act.ts'

const arbitraryAccount = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => account(`0x${Buffer.from(bytes).toString('hex')}`))
const whole = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })

const arbitraryPaidAct: fc.Arbitrary<PaidAct> = fc.record({
  act: fc.constantFrom(...orderActs),
  tokenId: fc.bigInt({ min: 1n, max: 2n ** 64n }).map((id) => tokenId(id)),
  recipient: arbitraryAccount,
  refundTo: arbitraryAccount,
  days: fc.nat(365),
  renew: fc.constant(undefined),
  price: fc.constant(undefined),
  maxRoyaltyBps: fc.nat(10_000),
  id: fc.constant(undefined),
  deadline: whole,
})

const choiceOf = fc.record({
  asset: arbitraryAccount,
  price: whole,
  salt: whole.map((it) => saltAt(it, 0)),
})

const timesOf = fc.record({
  asOf: fc.bigInt({ min: 0n, max: 2n ** 40n }),
  now: fc.bigInt({ min: 60n, max: 2n ** 40n }),
})

describe('the order of a paid act', () => {
  test('is its own at any price and any salt, and that of no other paid act', () => {
    const pair = fc.tuple(arbitraryPaidAct, arbitraryPaidAct, choiceOf)
    fc.assert(
      fc.property(pair, ([one, other, choice]) => {
        const order = orderOf(one, { ...choice, deadline: one.deadline ?? 0n })
        expect(isOrderOf(one, order)).toBe(true)
        const names = ['act', 'tokenId', 'recipient', 'refundTo', 'days', 'deadline'] as const
        for (const name of names) {
          const changed = { ...one, [name]: other[name] }
          expect(isOrderOf(changed, order)).toBe(one[name] === other[name])
        }
      }),
    )
  })

  test('that names an id or a price is its own with that alone', () => {
    fc.assert(
      fc.property(
        arbitraryPaidAct,
        choiceOf,
        fc.string(),
        fc.string(),
        (one, choice, id, other) => {
          const { price } = choice
          const salt = saltAt(momentOf(id), 0)
          const order = orderOf(one, { ...choice, salt, deadline: one.deadline ?? 0n })
          expect(isOrderOf({ ...one, id, price }, order)).toBe(true)
          expect(isOrderOf({ ...one, id: other, price }, order)).toBe(id === other)
          expect(isOrderOf({ ...one, id, price: price + 1n }, order)).toBe(false)
        },
      ),
    )
  })

  test('has a deadline within a week where its client gives none, and no other one', () => {
    fc.assert(
      fc.property(arbitraryPaidAct, choiceOf, timesOf, whole, (one, choice, times, other) => {
        const paidAct = { ...one, deadline: undefined }
        const deadline = deadlineAt(times)
        expect(isOrderOf(paidAct, orderOf(paidAct, { ...choice, deadline }))).toBe(true)
        for (const earlier of earlierDeadlines(deadline)) {
          const order = orderOf(paidAct, { ...choice, deadline: earlier })
          expect(isOrderOf(paidAct, order)).toBe(true)
        }
        fc.pre((other + 1n) % 604_800n !== 0n && other !== never)
        expect(isOrderOf(paidAct, orderOf(paidAct, { ...choice, deadline: other }))).toBe(false)
      }),
    )
  })

  test('has another deadline only once no block can carry out the one before', () => {
    fc.assert(
      fc.property(timesOf, (times) => {
        const [earlier = 0n] = earlierDeadlines(deadlineAt(times))
        const { asOf, now } = times
        expect(deadlineAt(times)).toBeGreaterThanOrEqual(asOf)
        expect(asOf > earlier || now > earlier + 60n).toBe(true)
        const soonest = deadlineAt(times) - 604_800n
        expect(soonest < asOf || soonest < now).toBe(true)
      }),
    )
  })

  test('has a salt that differs by moment and round', () => {
    const moments = fc.uniqueArray(fc.tuple(whole, fc.nat(16)), {
      minLength: 2,
      selector: ([moment, round]) => `${moment} ${round}`,
    })
    fc.assert(
      fc.property(moments, (all) => {
        const salts = all.map(([moment, round]) => saltAt(moment, round))
        expect(new Set(salts).size).toBe(all.length)
      }),
    )
  })
})

describe('a paid act is read', () => {
  const ada = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  const ben = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
  const id = tokenId(7n)

  test('with the recipient as the account of a refund, and the other way round', () => {
    const both = { recipient: ada, refundTo: ada }
    expect(readPaidAct('buy', id, { recipient: ada })).toMatchObject(both)
    expect(readPaidAct('royalty', id, { refundTo: ada })).toMatchObject(both)
    const given = { recipient: ada, refundTo: ben }
    expect(readPaidAct('buy', id, given)).toMatchObject(given)
  })

  test.each([
    ['nobody', 'buy', {}, 'request/malformed'],
    ['no days', 'rent', { recipient: ada, durationDays: '0' }, 'rental/bad-duration'],
    ['too many days', 'rent', { recipient: ada, durationDays: '366' }, 'rental/bad-duration'],
    ['a misspelt account', 'buy', { recipient: ada.replace('C', 'c') }, 'value/invalid'],
    ['too large a share', 'fork', { recipient: ada, maxRoyaltyBps: '10001' }, 'royalty/bad-share'],
    [
      'a deadline out of range',
      'buy',
      { recipient: ada, deadline: `${2n ** 256n}` },
      'value/invalid',
    ],
  ] as const)('and %s is refused', (_, act, query, code) => {
    expect(() => readPaidAct(act, id, query)).toThrow(expect.objectContaining({ code }))
  })
})
