import { highestPrice, type Terms, type TokenId, wei } from '@heirloom/core'
import fc from 'fast-check'
import { arbitraryTerms } from '../../arbitraries/money.ts'
import type { ServiceHarness } from '../../harness.ts'
import { idOf, type Model, type Pick, tokenOf, type Who } from '../model.ts'
import { arbitraryPick, arbitraryWho } from '../picks.ts'
import { agree, firstOf, serviceOf, step } from '../step.ts'

const nothing = {
  price: wei(0n),
  rentalPricePerDay: wei(0n),
  forkPrice: wei(0n),
  forkRoyaltyBps: 0,
}

/** Terms that nobody can pay. */
const unaffordable = {
  price: highestPrice,
  rentalPricePerDay: highestPrice,
  forkPrice: highestPrice,
  forkRoyaltyBps: 10_000,
}

const tooHigh = wei(highestPrice + 1n)

/** Terms cheap enough that buy, rent and fork mostly succeed. */
const affordable = arbitraryTerms.map((terms) => ({
  ...terms,
  price: cheaper(terms.price),
  rentalPricePerDay: cheaper(terms.rentalPricePerDay),
  forkPrice: cheaper(terms.forkPrice),
}))

type Input = {
  /** The lister, mostly the owner. */
  readonly who: Who | 'owner'
  readonly pick: Pick
  readonly terms: Terms
}

/** Lists the first token on terms that others can pay. */
export const firstListing = affordable
  .map((terms): Input => ({ who: 'owner', pick: 0, terms }))
  .map(stepOf)

/** Lists a token on any terms, valid or not, or takes its listing down. */
export const listCommand = fc
  .record({
    who: fc.oneof({ weight: 5, arbitrary: fc.constant('owner' as const) }, arbitraryWho),
    pick: arbitraryPick,
    terms: fc.oneof(
      { weight: 16, arbitrary: affordable },
      { weight: 6, arbitrary: arbitraryTerms },
      { weight: 4, arbitrary: fc.constantFrom<Terms>(nothing, unaffordable, unaffordable) },
      {
        weight: 1,
        arbitrary: fc.constantFrom<Terms>(
          { ...nothing, price: tooHigh },
          { ...nothing, rentalPricePerDay: tooHigh },
          { ...nothing, forkPrice: tooHigh },
        ),
      },
      { weight: 1, arbitrary: fc.constant({ ...nothing, forkRoyaltyBps: 10_001 }) },
    ),
  })
  .map(stepOf)

function stepOf(input: Input) {
  return step(`list ${show(input)}`, (model, harness) => run(model, harness, input))
}

function run(model: Model, harness: ServiceHarness, { who, pick, terms }: Input) {
  const tokenId = idOf(model, pick)
  const lister = who === 'owner' ? (tokenOf(model, tokenId)?.owner ?? 0) : who
  return runList(model, harness, { tokenId, lister, terms })
}

type Offer = { readonly tokenId: TokenId; readonly lister: Who; readonly terms: Terms }

/** Lists a token in the model and the harness, and returns it. */
export async function runList(
  model: Model,
  harness: ServiceHarness,
  { tokenId, lister, terms }: Offer,
) {
  const token = tokenOf(model, tokenId)
  const prices = [terms.price, terms.rentalPricePerDay, terms.forkPrice]
  const predicted = firstOf(
    [prices.some((price) => price > highestPrice), 'listing/price-too-high'],
    [terms.forkRoyaltyBps > 10_000, 'royalty/bad-share'],
    [token === undefined, 'token/not-found'],
    [token?.owner !== lister, 'listing/not-owner'],
  )
  const listed = await agree(
    model,
    'list',
    predicted,
    serviceOf(harness, lister).list({ tokenId, ...terms }),
  )
  if (listed && token) token.terms = isNothing(terms) ? undefined : terms
  return token
}

function isNothing({ price, rentalPricePerDay, forkPrice, forkRoyaltyBps }: Terms): boolean {
  return price + rentalPricePerDay + forkPrice === 0n && forkRoyaltyBps === 0
}

function cheaper(price: bigint) {
  return wei(price % 10n ** 15n)
}

function show({ who, pick, terms }: Input): string {
  return `${pick} by ${who} for ${Object.values(terms).join('/')}`
}
