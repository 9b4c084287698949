import {
  type DollarPrices,
  dollars,
  highestPrice,
  type Terms,
  type TokenId,
  wei,
} from '@heirloom/core'
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

/** Terms in dollars that a party can mostly pay. */
const affordableInDollars = affordable.map((terms) =>
  inDollars({
    ...terms,
    price: wei(terms.price % 10n ** 13n),
    rentalPricePerDay: wei(terms.rentalPricePerDay % 10n ** 13n),
    forkPrice: wei(terms.forkPrice % 10n ** 13n),
  }),
)

/** Returns terms with their prices in dollars instead of wei. */
function inDollars({ price, rentalPricePerDay, forkPrice, forkRoyaltyBps }: Terms): Terms {
  return {
    ...nothing,
    forkRoyaltyBps,
    dollars: {
      price: dollars(price),
      rentalPricePerDay: dollars(rentalPricePerDay),
      forkPrice: dollars(forkPrice),
    },
  }
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
      { weight: 8, arbitrary: affordableInDollars },
      {
        weight: 1,
        arbitrary: fc.constantFrom<Terms>(
          inDollars(nothing),
          inDollars(unaffordable),
          inDollars({ ...nothing, price: tooHigh }),
          { ...unaffordable, dollars: inDollars(unaffordable).dollars },
        ),
      },
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
  const predicted = firstOf(
    [pricesOf(terms).some((price) => price > highestPrice), 'listing/price-too-high'],
    [terms.forkRoyaltyBps > 10_000, 'royalty/bad-share'],
    [sumOf(terms) > 0n && sumOf(terms.dollars) > 0n, 'listing/two-currencies'],
    [token === undefined, 'token/not-found'],
    [token?.owner !== lister, 'listing/not-owner'],
  )
  const listed = await agree(
    model,
    'list',
    predicted,
    serviceOf(harness, lister).list({ tokenId, ...terms }),
  )
  if (listed && token) token.terms = liveTerms(terms)
  return token
}

/** Returns the terms that a listing sets. Terms without a price in dollars are in wei. */
function liveTerms({ dollars: prices, ...terms }: Terms): Terms | undefined {
  if (prices !== undefined && sumOf(prices) > 0n) return { ...terms, dollars: prices }
  return sumOf(terms) === 0n && terms.forkRoyaltyBps === 0 ? undefined : terms
}

type Prices = Terms | DollarPrices

const listOf = ({ price, rentalPricePerDay, forkPrice }: Prices): readonly bigint[] => [
  price,
  rentalPricePerDay,
  forkPrice,
]

const pricesOf = (terms: Terms): readonly bigint[] => [
  ...listOf(terms),
  ...(terms.dollars ? listOf(terms.dollars) : []),
]

const sumOf = (prices: Prices | undefined): bigint =>
  prices === undefined ? 0n : listOf(prices).reduce((sum, price) => sum + price, 0n)

function cheaper(price: bigint) {
  return wei(price % 10n ** 15n)
}

function show({ who, pick, terms }: Input): string {
  const { dollars: inUsd = {}, ...inWei } = terms
  return `${pick} by ${who} for ${Object.values(inWei).join('/')} ${Object.values(inUsd).join('/')}`
}
