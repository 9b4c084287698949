import {
  account,
  claimsOn,
  forkRoyalty,
  type LineageMember,
  splitPrice,
  tokenId,
  wei,
} from '@heirloom/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ether } from './currency.ts'
import { describeOwedRoyalties, describeSplit, formatShare, listShares } from './describe-split.ts'

const [seller, creator, first] = [1, 2, 3].map((it) => `0x${String(it).repeat(40)}`) as [
  string,
  string,
  string,
]

const arbitraryFork = fc.record({
  creator: fc.constantFrom(seller, creator, first).map(account),
  listedBps: fc.integer({ min: 0, max: 10_000 }),
})

const root: readonly LineageMember[] = [
  { tokenId: tokenId(1n), creator: account(first), royaltyBps: undefined },
]

type Fork = { readonly creator: LineageMember['creator']; readonly listedBps: number }

/** Returns a lineage with one more fork of its first token. */
function addFork(
  line: readonly LineageMember[],
  { creator, listedBps }: Fork,
): readonly LineageMember[] {
  const { effectiveRoyaltyBps: royaltyBps } = forkRoyalty(line, listedBps)
  return [{ tokenId: tokenId(BigInt(line.length + 1)), creator, royaltyBps }, ...line]
}

describe('the description of a split', () => {
  it('names everyone who is paid, and why', () => {
    const split = {
      price: '1000000000000000000',
      royalties: [
        { to: creator, amount: '90000000000000000', tokenId: '6' },
        { to: first, amount: '10000000000000000', tokenId: '1' },
      ],
      rest: '900000000000000000',
    }
    expect(
      describeSplit(split, {
        ...{ currency: ether, seller },
        you: creator.toUpperCase().replace('0X', '0x'),
      }),
    ).toBe(
      'Of 1 ETH, 0.9 ETH (90 %) goes to the owner, 0x1111…1111; 0.09 ETH (9 %) to you, the creator of No. 6; and 0.01 ETH (1 %) to the creator of No. 1, 0x3333…3333.',
    )
  })

  it('has a short form for one payee', () => {
    expect(
      describeSplit({ price: '7', royalties: [], rest: '7' }, { currency: ether, seller }),
    ).toBe('All of 7 wei goes to the owner, 0x1111…1111.')
  })

  it('has shares that add up to the price, as the core splits it', () => {
    const price = fc.bigInt({ min: 1n, max: 2n ** 80n })
    fc.assert(
      fc.property(price, fc.array(arbitraryFork, { maxLength: 9 }), (amount, forks) => {
        const { royalties, rest } = splitPrice(wei(amount), claimsOn(forks.reduce(addFork, root)))
        const shown = royalties.map((it) => ({
          ...{ to: it.to, amount: `${it.amount}`, tokenId: `${it.tokenId}` },
        }))
        const split = { price: `${amount}`, royalties: shown, rest: `${rest}` }
        const shares = listShares(split, seller)
        expect(shares.reduce((sum, share) => sum + share.amount, 0n)).toBe(amount)
      }),
    )
  })

  it.each([
    [0, 0, 'You owe no royalties on its later earnings.'],
    [1000, 1000, '10 % of its later earnings goes to earlier creators.'],
    [
      400,
      1400,
      '14 % of its later earnings goes to earlier creators: 4 % to the creator of this one, the rest to the creators before.',
    ],
  ])('describes what a fork would owe: %i of %i', (effectiveRoyaltyBps, totalRoyaltyBps, words) => {
    expect(describeOwedRoyalties({ effectiveRoyaltyBps, totalRoyaltyBps })).toBe(words)
  })

  it('never rounds a payment to nothing', () => {
    expect(formatShare(1n, 10n ** 18n)).toBe('under 0.01 %')
    expect(formatShare(0n, 10n)).toBe('0 %')
  })
})
