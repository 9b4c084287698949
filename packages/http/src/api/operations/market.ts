import { failuresOf } from '@heirloom/core'
import {
  AcquireBody,
  ForkBody,
  Forked,
  ListBody,
  RentBody,
  Rented,
  RoyaltyBody,
  Written,
} from '../schemas/market-schemas.ts'
import { TokenParams } from '../schemas/schema-parts.ts'
import { write } from './operation.ts'

const tag = 'marketplace'

/** The failures of a write that pays a listed price, besides those of its verb: the guard has them. */
export const acquisitionFailures = [
  'catalogue/unavailable',
  'listing/copied',
  'listing/price-raised',
  'memory/erased',
] as const

/** The operations of the marketplace that the agent wallet pays. */
export const marketOperations = {
  list: write({
    tag,
    summary: "Offer a token of the agent wallet's for sale, rent or fork",
    description:
      'Replaces the listing; all prices "0" takes it down. For a listing in dollars the prices in wei are all "0", and `dollars` has the others.',
    body: ListBody,
    answers: { 201: Written },
    failures: [...failuresOf.list, 'memory/erased'],
  }),
  buy: write({
    tag,
    summary: 'Buy a listed token at its asking price',
    description:
      'The agent wallet pays; it becomes the owner, or the recipient does. No body needed.',
    params: TokenParams,
    body: AcquireBody,
    answers: { 201: Written },
    failures: [...failuresOf.buy, ...acquisitionFailures],
  }),
  rent: write({
    tag,
    summary: 'Rent access to a listed token by the day',
    description: 'The agent wallet pays. Renting again prolongs a rental that still runs.',
    params: TokenParams,
    body: RentBody,
    answers: { 201: Rented },
    failures: [...failuresOf.rent, ...acquisitionFailures],
  }),
  fork: write({
    tag,
    summary: 'Mint a child of a listed token',
    description:
      'The agent wallet pays, and is the creator of the child, which owes royalties for ever. No body needed.',
    params: TokenParams,
    body: ForkBody,
    answers: { 201: Forked },
    failures: [...failuresOf.fork, ...acquisitionFailures],
  }),
  royalty: write({
    tag,
    summary: "Pay a royalty to a token's creator",
    description: 'Sends the amount from the agent wallet to the creator, whoever owns the token.',
    params: TokenParams,
    body: RoyaltyBody,
    answers: { 201: Written },
    failures: failuresOf.royalty,
  }),
}
