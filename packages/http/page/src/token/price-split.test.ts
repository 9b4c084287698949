import {
  account,
  claimsOn,
  forkRoyalty,
  forkRoyaltyOfShares,
  type LineageMember,
  maxClaims,
  splitPrice,
  tokenId,
  wei,
} from '@heirloom/core'
import fc from 'fast-check'
import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { ether } from '../text/amount.ts'
import { describeCap, describeOwedRoyalties, mostRoyalties } from '../text/describe-royalties.ts'
import { describeOnlyShare, formatShare, listShares, splitCsv } from './price-split.tsx'

const [seller, creator, first] = [1, 2, 3].map((it) => `0x${String(it).repeat(40)}`) as [
  Hex,
  Hex,
  Hex,
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

describe('the split of a price', () => {
  const split = {
    price: '1000000000000000000',
    royalties: [
      { to: creator, amount: '90000000000000000', tokenId: '6' },
      { to: first, amount: '10000000000000000', tokenId: '1' },
    ],
    rest: '900000000000000000',
  }

  it('is saved as CSV with the exact amounts, or without those of an example', () => {
    const shares = listShares(split, seller)
    expect(splitCsv(shares, ether)).toBe(
      'recipient,role,memory,share,amount,currency\r\n' +
        `${seller},owner,,90 %,0.9,ETH\r\n` +
        `${creator},creator of No. 6,6,9 %,0.09,ETH\r\n` +
        `${first},creator of No. 1,1,1 %,0.01,ETH\r\n`,
    )
    expect(splitCsv(shares.slice(0, 1), undefined)).toBe(
      `recipient,role,memory,share\r\n${seller},owner,,90 %\r\n`,
    )
  })

  const owner = { to: seller, amount: 7n, percent: '100 %' }
  it.each([
    [owner, { when: 'requested', you: seller }, 'If you sell it, you receive the whole price.'],
    [
      owner,
      { when: 'requested' },
      'If it is sold, the owner, 0x1111…1111, receives the whole price.',
    ],
    [
      owner,
      { when: 'requested', name: 'ada.eth' },
      'If it is sold, the owner, ada.eth, receives the whole price.',
    ],
    [
      owner,
      { when: 'example' },
      'If it were sold, the owner, 0x1111…1111, would receive the whole price.',
    ],
    [owner, { when: 'example', you: seller }, 'If you sold it, you would receive the whole price.'],
    [owner, { when: 'paid' }, 'The owner, 0x1111…1111, receives the whole price.'],
    [
      { ...owner, tokenId: '6' },
      { when: 'requested', you: seller },
      'If it is sold, you receive the whole price.',
    ],
  ] as const)('has a sentence for one recipient: %#', (share, view, words) => {
    expect(describeOnlyShare(share, view)).toBe(words)
  })

  it('has shares that add up to the price, as the core splits it', () => {
    const price = fc.bigInt({ min: 1n, max: 2n ** 80n })
    fc.assert(
      fc.property(price, fc.array(arbitraryFork, { maxLength: 9 }), (amount, forks) => {
        const { royalties, rest } = splitPrice(wei(amount), claimsOn(forks.reduce(addFork, root)))
        const shown = royalties.map((it) => ({
          to: it.to,
          amount: `${it.amount}`,
          tokenId: `${it.tokenId}`,
        }))
        const split = { price: `${amount}`, royalties: shown, rest: `${rest}` }
        const shares = listShares(split, seller)
        expect(shares.reduce((sum, share) => sum + share.amount, 0n)).toBe(amount)
      }),
    )
  })

  it.each([
    [0, 0, 'You owe no royalties on its later earnings.'],
    [1000, 1000, '10 % of everything it earns later goes to the creator of this one.'],
    [0, 2664, '26.64 % of everything it earns later goes to the creators before this one.'],
    [
      400,
      1400,
      '14 % of everything it earns later goes to earlier creators: 4 % to the creator of this one, 10 % to those before.',
    ],
  ])('describes what a fork would owe: %i of %i', (effectiveRoyaltyBps, totalRoyaltyBps, words) => {
    expect(describeOwedRoyalties({ effectiveRoyaltyBps, totalRoyaltyBps })).toBe(words)
  })

  it.each([
    [[333], 333, undefined],
    [
      Array(maxClaims).fill(333),
      333,
      'The listing sets a royalty of 3.33 %, but a memory owes at most 8 royalties, and this one owes 8, so a fork adds 0 %.',
    ],
    [
      [6000],
      5000,
      'The listing sets a royalty of 50 %, but all royalties of a memory are at most 100 % of its price, so a fork adds 40 %.',
    ],
  ])('explains the cap of a royalty, as the core caps it: %j %i', (shares, royaltyBps, words) => {
    const owed = forkRoyaltyOfShares({ shares, depth: shares.length, royaltyBps })
    expect(describeCap({ ...owed, forkRoyaltyBps: royaltyBps })).toBe(words)
    expect(mostRoyalties).toBe(maxClaims)
  })

  it('never rounds a payment to nothing', () => {
    expect(formatShare(1n, 10n ** 18n)).toBe('under 0.01 %')
    expect(formatShare(0n, 10n)).toBe('0 %')
  })
})
