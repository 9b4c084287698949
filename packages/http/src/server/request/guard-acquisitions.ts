import {
  type Account,
  type CataloguedToken,
  Failure,
  isFailure,
  type MemoryService,
  sameAccount,
  type TokenId,
  type Wei,
  wei,
} from '@heirloom/core'
import { type PriceName, seenPrices } from './seen-prices.ts'

/** The verbs that pay a listed price: those whose input can limit it. */
type AcquiringVerb = {
  [verb in keyof MemoryService]: 'maxPrice' extends keyof Parameters<MemoryService[verb]>[0]
    ? verb
    : never
}[keyof MemoryService]

type Acquisition = { readonly tokenId: TokenId; readonly maxPrice?: Wei | undefined }

type Payment = { readonly name: PriceName; readonly times?: number }

/**
 * Returns a service that buys, rents and forks only what the caller can have seen. It refuses a
 * token that shows a copy, because nobody can open one. Without a `maxPrice` it pays at most the
 * lowest price of the last minute, as the catalogue records it; the agent's own offers have no such
 * limit. While the catalogue does not answer, a request with a `maxPrice` passes.
 *
 * @throws `listing/copied`, `listing/price-raised`, `catalogue/unavailable`, and the failures of the
 * service
 */
export function guardAcquisitions(
  service: MemoryService,
  parts: guardAcquisitions.Parts,
): MemoryService {
  const guarded = async <Input extends Acquisition, Output>(
    input: Input,
    payment: Payment,
    acquire: (input: Input) => Promise<Output>,
  ): Promise<Output> => {
    const token = parts.catalogue.token(input.tokenId)
    await refuseCopy(input.tokenId, token)
    if (input.maxPrice !== undefined) return acquire(input)
    const maxPrice = await seenPrice(parts, await token, payment)
    if (maxPrice === undefined) return acquire(input)
    return acquire({ ...input, maxPrice }).catch((error) => refuseRaisedPrice(error, maxPrice))
  }
  const verbs: Pick<MemoryService, AcquiringVerb> = {
    buy: (input) => guarded(input, { name: 'price' }, service.buy),
    rent: (input) => guarded(input, { name: 'rentalPricePerDay', times: input.days }, service.rent),
    fork: (input) => guarded(input, { name: 'forkPrice' }, service.fork),
  }
  return { ...service, ...verbs }
}

export declare namespace guardAcquisitions {
  type Parts = seenPrices.Parts & { readonly agent: Account }
}

type Token = CataloguedToken | undefined

/**
 * Refuses a token that shows a copy, because nobody can open one. While the catalogue does not answer,
 * it passes.
 *
 * @throws `listing/copied`
 */
export async function refuseCopy(tokenId: TokenId, reading: Promise<Token>): Promise<void> {
  const token = await reading.catch((error: unknown) => {
    if (!isFailure(error, 'catalogue/unavailable')) throw error
    return undefined
  })
  if (token?.originality === 'copied') throw new Failure('listing/copied', { tokenId })
}

/** Returns the lowest price that the caller can have seen; `undefined` if there is no limit. */
async function seenPrice(
  parts: guardAcquisitions.Parts,
  token: Token,
  { name, times = 1 }: Payment,
): Promise<Wei | undefined> {
  if (token === undefined || sameAccount(token.owner, parts.agent)) return undefined
  const prices = await seenPrices(parts, token, name)
  const [lowest] = prices.toSorted((one, other) => (one < other ? -1 : 1))
  return lowest === undefined ? undefined : wei(lowest * BigInt(times))
}

function refuseRaisedPrice(error: unknown, seenPrice: Wei): never {
  if (!isFailure(error, 'listing/over-max-price')) throw error
  const { tokenId, price } = error.facts
  throw new Failure('listing/price-raised', { tokenId, price: wei(price), seenPrice })
}
