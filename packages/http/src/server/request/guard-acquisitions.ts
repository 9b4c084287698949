import {
  type Account,
  type CataloguedToken,
  Failure,
  isFailure,
  type MemoryService,
  offersNothing,
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
 * token that shows a copy, or whose memory was erased, because nobody can open it; the latter is not
 * listed either. Without a `maxPrice` it pays at most the
 * lowest price of the last minute, as the catalogue records it; the agent's own offers have no such
 * limit. While the catalogue does not answer, a request with a `maxPrice` passes.
 *
 * @throws `listing/copied`, `memory/erased`, `listing/price-raised`, `catalogue/unavailable`, and the failures of the
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
    await refuseWorthless(input.tokenId, token)
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
  const list: MemoryService['list'] = async (input) => {
    // Taking a listing down is always right.
    if (!takesDown(input))
      await refuseWorthless(input.tokenId, parts.catalogue.token(input.tokenId))
    return service.list(input)
  }
  return { ...service, ...verbs, list }
}

export declare namespace guardAcquisitions {
  type Parts = seenPrices.Parts & { readonly agent: Account }
}

const takesDown = ({ dollars, ...terms }: Parameters<MemoryService['list']>[0]): boolean =>
  offersNothing(terms) && (dollars === undefined || offersNothing(dollars))

type Token = CataloguedToken | undefined

/**
 * Refuses a token that shows a copy, and one whose memory was erased, because nobody can open it.
 * While the catalogue does not answer, it passes.
 *
 * @throws `listing/copied`, `memory/erased`
 */
export async function refuseWorthless(tokenId: TokenId, reading: Promise<Token>): Promise<void> {
  await refuseErased(reading)
  const token = await whileAnswered(reading)
  if (token?.originality === 'copied') throw new Failure('listing/copied', { tokenId })
}

/**
 * Refuses a token whose memory was erased. While the catalogue does not answer, it passes.
 *
 * @throws `memory/erased`
 */
export async function refuseErased(reading: Promise<Token>): Promise<void> {
  const token = await whileAnswered(reading)
  if (token?.erasedAt === undefined) return
  const { digest, erasedAt } = token
  throw new Failure('memory/erased', { digest, erasedAt })
}

const whileAnswered = (reading: Promise<Token>): Promise<Token> =>
  reading.catch((error: unknown) => {
    if (!isFailure(error, 'catalogue/unavailable')) throw error
    return undefined
  })

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
