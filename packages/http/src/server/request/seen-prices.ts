import {
  type Catalogue,
  type CataloguedToken,
  type Clock,
  type HistoryEntry,
  type Prices,
  type TokenId,
  type Wei,
  wei,
} from '@heirloom/core'

/** The time for which a price stands until a caller counts as having seen it, in milliseconds. */
const seenAfter = 60_000

/** The number of events of a token that are read at once. */
const pageSize = 100

/** The three prices of a listing. */
export type PriceName = keyof Prices<Wei>

/**
 * Returns the prices at which a token was offered in the last minute, as the catalogue records them.
 *
 * @throws `catalogue/unavailable`
 */
export async function seenPrices(
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

export declare namespace seenPrices {
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
