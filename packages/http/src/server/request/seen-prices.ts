import {
  type Account,
  type Catalogue,
  type Clock,
  Failure,
  type HistoryEntry,
  isFailure,
  type MemoryService,
  sameAccount,
  type Terms,
  type TokenId,
  type Wei,
  wei,
} from '@heirloom/core'

/** How long a price stands until a caller counts as having seen it, in milliseconds. */
const seenAfter = 60_000

/** How many events of a token are read at once. */
const pageSize = 100

/** The three prices of a listing. */
type PriceName = Exclude<keyof Terms, 'forkRoyaltyBps'>

/**
 * Returns a service that pays no price that was raised just before the request: without a
 * `maxPrice`, `buy`, `rent` and `fork` pay at most the least that was asked in the last minute, as
 * the catalogue records it. What the agent itself offers has no such bound.
 *
 * @throws `listing/price-raised`, `catalogue/unavailable`, and what the service throws
 */
export function seenPrices(service: MemoryService, parts: seenPrices.Parts): MemoryService {
  const bounded = async <Input extends Acquisition, Output>(
    input: Input,
    { name, times = 1 }: { readonly name: PriceName; readonly times?: number },
    acquire: (input: Input) => Promise<Output>,
  ): Promise<Output> => {
    const { tokenId } = input
    if (input.maxPrice !== undefined) return acquire(input)
    const least = await leastSeen(parts, tokenId, name)
    if (least === undefined) return acquire(input)
    const maxPrice = wei(least * BigInt(times))
    return acquire({ ...input, maxPrice }).catch((error: unknown) => refuse(error, maxPrice))
  }
  return {
    ...service,
    buy: (input) => bounded(input, { name: 'price' }, service.buy),
    rent: (input) => bounded(input, { name: 'rentalPricePerDay', times: input.days }, service.rent),
    fork: (input) => bounded(input, { name: 'forkPrice' }, service.fork),
  }
}

export declare namespace seenPrices {
  type Parts = {
    readonly catalogue: Pick<Catalogue, 'history' | 'token'>
    readonly clock: Clock
    readonly agent: Account
  }
}

type Acquisition = { readonly tokenId: TokenId; readonly maxPrice?: Wei | undefined }

function refuse(error: unknown, seenPrice: Wei): never {
  if (!isFailure(error, 'listing/over-max-price')) throw error
  const { tokenId, price } = error.facts
  throw new Failure('listing/price-raised', { tokenId, price, seenPrice })
}

/** Returns the least that was asked in the last minute; absent where there is nothing to compare with. */
async function leastSeen(
  { catalogue, clock, agent }: seenPrices.Parts,
  id: TokenId,
  name: PriceName,
): Promise<Wei | undefined> {
  const token = await catalogue.token(id)
  if (token === undefined || sameAccount(token.owner, agent)) return undefined
  const since = clock.now() - seenAfter
  const { listedAt = since + 1, terms } = token
  if (listedAt > since) return leastOf(await changesOf(catalogue, id), name, since)
  return terms[name] === 0n ? undefined : terms[name]
}

/** What changes the terms of a token: its owner does, and every transfer takes a listing down. */
type Change = Extract<HistoryEntry, { readonly kind: 'listing' | 'transfer' }>

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
  entry.kind === 'listing' || entry.kind === 'transfer'

/** Returns the least price that stood after a moment: until the next change, or until now. */
function leastOf(changes: readonly Change[], name: PriceName, since: number): Wei | undefined {
  const prices = changes.map((change) => (change.kind === 'listing' ? change[name] : wei(0n)))
  const seen = prices.filter((price, index) => {
    const next = changes[index + 1]
    return price > 0n && (next === undefined || next.at > since)
  })
  return seen.toSorted((one, other) => (one < other ? -1 : 1))[0]
}
