import {
  account,
  claimsOn,
  forkRoyalty,
  type Licensed,
  splitPrice,
  tokenId,
  wei,
} from '@heirloom/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { owedWords, percentOf, sharesOf, splitSentence } from './describe-split.ts'

const [seller, maker, first] = [1, 2, 3].map((it) => `0x${String(it).repeat(40)}`) as [
  string,
  string,
  string,
]

const arbitraryFork = fc.record({
  creator: fc.constantFrom(seller, maker, first).map(account),
  asked: fc.integer({ min: 0, max: 10_000 }),
})

const root: readonly Licensed[] = [
  { tokenId: tokenId(1n), creator: account(first), royaltyBps: undefined },
]

type Fork = { readonly creator: Licensed['creator']; readonly asked: number }

/** Returns a line with one more fork, of what its first token asks. */
function forked(line: readonly Licensed[], { creator, asked }: Fork): readonly Licensed[] {
  const { effectiveRoyaltyBps: royaltyBps } = forkRoyalty(line, asked)
  return [{ tokenId: tokenId(BigInt(line.length + 1)), creator, royaltyBps }, ...line]
}

describe('the split of a price in words', () => {
  it('names everybody who is paid, and why', () => {
    const split = {
      price: '1000000000000000000',
      royalties: [
        { to: maker, amount: '90000000000000000', tokenId: '6' },
        { to: first, amount: '10000000000000000', tokenId: '1' },
      ],
      rest: '900000000000000000',
    }
    expect(splitSentence(split, seller, maker.toUpperCase().replace('0X', '0x'))).toBe(
      'Of 1 ETH, 0.9 ETH (90 %) goes to the owner, 0x1111…1111; 0.09 ETH (9 %) to you, the maker of No. 6; and 0.01 ETH (1 %) to the maker of No. 1, 0x3333…3333.',
    )
  })

  it('says so when one is paid all of it', () => {
    expect(splitSentence({ price: '7', royalties: [], rest: '7' }, seller)).toBe(
      'All of 7 wei goes to the owner, 0x1111…1111.',
    )
  })

  it('has shares that add up to the price, as the core splits it', () => {
    const price = fc.bigInt({ min: 1n, max: 2n ** 80n })
    fc.assert(
      fc.property(price, fc.array(arbitraryFork, { maxLength: 9 }), (amount, forks) => {
        const { royalties, rest } = splitPrice(wei(amount), claimsOn(forks.reduce(forked, root)))
        const shown = royalties.map((it) => ({
          ...{ to: it.to, amount: `${it.amount}`, tokenId: `${it.tokenId}` },
        }))
        const split = { price: `${amount}`, royalties: shown, rest: `${rest}` }
        const shares = sharesOf(split, seller)
        expect(shares.reduce((sum, share) => sum + share.amount, 0n)).toBe(amount)
      }),
    )
  })

  it.each([
    [0, 0, 'Nothing is owed for what you later earn with it.'],
    [1000, 1000, '10 % of what it later earns goes to those before you.'],
    [
      400,
      1400,
      '14 % of what it later earns goes to those before you: 4 % to the maker of this one, the rest to earlier makers.',
    ],
  ])('says what a fork would owe: %i of %i', (effectiveRoyaltyBps, totalRoyaltyBps, words) => {
    expect(owedWords({ effectiveRoyaltyBps, totalRoyaltyBps })).toBe(words)
  })

  it('never calls something nothing', () => {
    expect(percentOf(1n, 10n ** 18n)).toBe('under 0.01 %')
    expect(percentOf(0n, 10n)).toBe('0 %')
  })
})
