import {
  type Account,
  type Catalogue,
  type CataloguedToken,
  type Clock,
  Failure,
  type HistoryEntry,
  isFailure,
  type MemoryService,
  offersNothing,
  type Prices,
  sameAccount,
  type TokenId,
  type Wei,
  wei,
} from '@heirloom/core'

/** The time for which a price stands until a caller counts as having seen it, in milliseconds. */
const seenAfter = 60_000

/** The number of events of a token that are read at once. */
const pageSize = 100

/** The three prices of a listing. */
type PriceName = keyof Prices<Wei>

/**
 * Returns the prices at which a token was offered in the last minute, as the catalogue records them.
 *
 * @throws `catalogue/unavailable`
 */
async function seenPrices(
  { catalogue, clock }: seenPrices.Parts,
  { tokenId, listedAt, terms }: CataloguedToken,
  name: PriceName,
): Promise<readonly Wei[]> {
  const since = clock.now() - seenAfter
  if (listedAt === undefined || listedAt > since) {
    return pricesSince(await changesOf(catalogue, tokenId), name, since)
  }
  return terms[name] === 0n ? [] : [terms[name]]
}

declare namespace seenPrices {
  type Parts = {
    readonly catalogue: Pick<Catalogue, 'history' | 'token'>
    readonly clock: Clock
  }
}

/**
 * A change of the terms of a token: its owner lists it, in wei or in dollars, or a transfer takes the
 * listing down.
 */
type Change = Extract<HistoryEntry, { readonly kind: 'listing' | 'dollar-listing' | 'transfer' }>

async function changesOf(
  { history }: Pick<Catalogue, 'history'>,
  id: TokenId,
): Promise<readonly Change[]> {
  const changes: Change[] = []
  let after: string | undefined
  do {
    const page = await history(id, { after, limit: pageSize })
    changes.push(...(page?.items ?? []).filter(isChange))
    after = page?.next
  } while (after !== undefined)
  return changes
}

const isChange = (entry: HistoryEntry): entry is Change =>
  entry.kind === 'listing' || entry.kind === 'dollar-listing' || entry.kind === 'transfer'

/** Returns the prices in wei that stood after a moment: each stands until the next change, or until now. */
function pricesSince(changes: readonly Change[], name: PriceName, since: number): readonly Wei[] {
  const prices = changes.map((change) => (change.kind === 'listing' ? change[name] : wei(0n)))
  return prices.filter((price, index) => {
    const next = changes[index + 1]
    return price > 0n && (next === undefined || next.at > since)
  })
}

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
