import { highestPrice, type Terms, type TokenId, wei } from '@heirloom/core'
import fc from 'fast-check'
import { arbitraryTerms } from '../../arbitraries/money.ts'
import type { World } from '../../harness.ts'
import { idOf, type Model, type Pick, tokenOf, type Who } from '../model.ts'
import { arbitraryPick, arbitraryWho } from '../picks.ts'
import { agree, firstOf, serviceOf, step } from '../step.ts'

const nothing = {
  price: wei(0n),
  rentalPricePerDay: wei(0n),
  forkPrice: wei(0n),
  forkRoyaltyBps: 0,
}

/** More than anyone has. */
const beyondMeans = {
  price: highestPrice,
  rentalPricePerDay: highestPrice,
  forkPrice: highestPrice,
  forkRoyaltyBps: 10_000,
}

const tooHigh = wei(highestPrice + 1n)

/** Cheap enough that buying, renting and forking it mostly succeed. */
const inviting = arbitraryTerms.map((terms) => ({
  ...terms,
  price: cheaper(terms.price),
  rentalPricePerDay: cheaper(terms.rentalPricePerDay),
  forkPrice: cheaper(terms.forkPrice),
}))

type Input = {
  /** Mostly the owner lists. */
  readonly who: Who | 'owner'
  readonly pick: Pick
  readonly terms: Terms
}

/** Lists the first token on terms that others can pay. */
export const firstListing = inviting
  .map((terms): Input => ({ who: 'owner', pick: 0, terms }))
  .map(stepOf)

/** Lists a token on any terms, takes it down, or tries to do either with impossible ones. */
export const listCommand = fc
  .record({
    who: fc.oneof({ weight: 5, arbitrary: fc.constant('owner' as const) }, arbitraryWho),
    pick: arbitraryPick,
    terms: fc.oneof(
      { weight: 16, arbitrary: inviting },
      { weight: 6, arbitrary: arbitraryTerms },
      { weight: 4, arbitrary: fc.constantFrom<Terms>(nothing, beyondMeans, beyondMeans) },
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
  return step(`list ${show(input)}`, (model, world) => play(model, world, input))
}

function play(model: Model, world: World, { who, pick, terms }: Input) {
  const tokenId = idOf(model, pick)
  const lister = who === 'owner' ? (tokenOf(model, tokenId)?.owner ?? 0) : who
  return playList(model, world, { tokenId, lister, terms })
}

type Offer = { readonly tokenId: TokenId; readonly lister: Who; readonly terms: Terms }

/** Lists a token in the model and the world, and returns it. */
export async function playList(model: Model, world: World, { tokenId, lister, terms }: Offer) {
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
    serviceOf(world, lister).list({ tokenId, ...terms }),
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
