import assert from 'node:assert/strict'
import { type Access, tokenId as makeTokenId, nobody, type TokenId, wei } from '@heirloom/core'
import fc from 'fast-check'
import type { LedgerHarness, Party } from '../../harness.ts'
import { forAll, type Law } from '../law.ts'
import {
  accountOf,
  arbitraryContent,
  arbitraryParty,
  mintBy,
  noTerms,
  ownerOf,
  partiesFrom,
  requireKnown,
} from './fixture.ts'

/** A token and its expected source. */
type Sourced = { readonly tokenId: TokenId; readonly source: Access['source'] }

const forkPrice = wei(3n)

/**
 * A step of a scenario; half of the steps use the newest token as the parent, so that chains grow.
 */
const arbitraryStep = fc.record({
  kind: fc.constantFrom('mint', 'gift', 'child', 'batch', 'fork', 'fork', 'fork'),
  who: arbitraryParty,
  of: fc.oneof(fc.constant(0), fc.nat()),
  content: arbitraryContent,
})
type Step = typeof arbitraryStep extends fc.Arbitrary<infer T> ? T : never

/** The laws of a token's source. */
export const sourceLaws: readonly Law<LedgerHarness>[] = [
  forAll(
    'returns the source of a token through its licensed forks',
    [fc.array(arbitraryStep, { maxLength: 9 })],
    async (harness, steps) => {
      const tokens: Sourced[] = []
      for (const step of steps) tokens.push(...(await run(harness, step, tokens)))
      const [reader] = partiesFrom(harness)
      for (const { tokenId, source } of tokens) {
        const access = await requireKnown(reader.ledger.access(tokenId, accountOf(reader)))
        assert.deepEqual(access.source, source)
      }
    },
  ),
  forAll(
    'counts the transfers of a token, each sale among them',
    [fc.array(fc.boolean(), { maxLength: 4 })],
    async (harness, sales) => {
      const [maker, taker] = partiesFrom(harness)
      const tokenId = await mintBy(maker)
      await handOnAndBack([maker, taker], tokenId, sales)
      const holding = await requireKnown(maker.ledger.holding(tokenId))
      const access = await requireKnown(maker.ledger.access(tokenId, nobody))
      const { asOf: _, ...held } = { ...access, transferCount: BigInt(sales.length) }
      const { asOf, ...found } = holding
      assert.deepEqual(found, held)
      assert.equal(await maker.ledger.holding(makeTokenId(2n ** 200n)), undefined)
    },
  ),
]

/** Hands a token on to one party and back to the other, by a sale or without one. */
async function handOnAndBack(
  [maker, taker]: readonly [Party, Party],
  tokenId: TokenId,
  sales: readonly boolean[],
): Promise<void> {
  for (const [at, isSale] of sales.entries()) {
    const [from, to] = at % 2 === 0 ? [maker, taker] : [taker, maker]
    if (isSale) await sell(from, to, tokenId)
    else await from.transfer(tokenId, accountOf(to))
  }
}

async function sell(from: Party, to: Party, tokenId: TokenId): Promise<void> {
  await from.ledger.list({ ...noTerms, tokenId, price: forkPrice })
  await to.ledger.buy({ tokenId, price: forkPrice, recipient: accountOf(to) })
}

/** Runs a step and returns the tokens that it minted. */
async function run(
  harness: LedgerHarness,
  step: Step,
  tokens: readonly Sourced[],
): Promise<readonly Sourced[]> {
  const [maker, other] = partiesFrom(harness, step.who)
  const parent = tokens[tokens.length - 1 - (step.of % Math.max(tokens.length, 1))]
  if (step.kind === 'fork' && parent) return [await fork(harness, maker, parent)]
  const token = {
    ...step.content,
    parent: step.kind === 'child' ? parent?.tokenId : undefined,
    recipient: accountOf(step.kind === 'gift' ? other : maker),
  }
  const count = step.kind === 'batch' ? 3 : 1
  // Concurrent mints may share a transaction.
  const minted = await Promise.all(Array.from({ length: count }, () => maker.ledger.mint(token)))
  return minted.map(({ tokenId }) => ({
    tokenId,
    source: { tokenId, creator: accountOf(maker) },
  }))
}

async function fork(harness: LedgerHarness, forker: Party, parent: Sourced): Promise<Sourced> {
  const { tokenId, source } = parent
  const holder = await ownerOf(forker, tokenId)
  const owner = harness.parties.find((party) => accountOf(party) === holder)
  assert.ok(owner, 'a party owns the token')
  await owner.ledger.list({ ...noTerms, tokenId, forkPrice })
  const offer = { tokenId, price: forkPrice, maxRoyaltyBps: 0, recipient: accountOf(forker) }
  return { tokenId: (await forker.ledger.fork(offer)).tokenId, source }
}
