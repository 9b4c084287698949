import {
  type ActivityQuery,
  type Catalogue,
  type CataloguedToken,
  type Clock,
  type Dollars,
  dollars,
  type Earning,
  type EarningsIn,
  type EventKind,
  type Facets,
  hash,
  type Instant,
  instant,
  type Lineage,
  type ListingsFilter,
  type ListingsQuery,
  type Offer,
  type PriceRanges,
  type Ratings,
  type Rental,
  requireFound,
  storageUri,
  type TitledToken,
  type TokenId,
  type TokensQuery,
  tokenId,
  toSeconds,
  type Wei,
  wei,
} from '@heirloom/core'
import { readAddress } from '../../api/address.ts'
import { mostRentals } from '../../api/bounds.ts'
import type { catalogueOperations } from '../../api/operations/catalogue.ts'
import type { RequestOf } from '../../api/operations/operations.ts'
import { pageInput, read, splitList } from '../../api/schemas/catalogue-queries.ts'
import { assetOf } from '../../api/signed-texts.ts'
import type { Integrity } from '../health/integrity.ts'
import {
  printEvent,
  printRelative,
  printToken,
  splitRoyalties,
  type TokenPlace,
} from './print-token.ts'
import type { Handlers } from './serve-operation.ts'

/** Checks the sealed bytes of a token. @throws `service/busy`, `token/not-found` */
export type CheckIntegrity = (id: TokenId) => Promise<Integrity>

/** The reads that do not wait for others: their numbers are bounded by what they read. */
type Unbounded = 'integrity' | 'earnings'

export declare namespace catalogueReads {
  type Options = {
    readonly place: TokenPlace
    /** The ratings that listings are sorted by; without them none is rated. */
    readonly ratings?: Pick<Ratings, 'best'> | undefined
  }
}

const hour = 3_600_000

/** Returns the time a week before a time, to the hour, so that figures are cached for as long. */
const weekBefore = (now: Instant): Instant => instant((Math.floor(now / hour) - 7 * 24) * hour)

/** The most tokens that an order by ratings returns. */
const mostRated = 200

/** Returns the handlers of the reads of the catalogue, whose work is bounded. */
export const catalogueReads = (
  catalogue: Catalogue,
  clock: Clock,
  { place, ratings }: catalogueReads.Options,
): Handlers<Exclude<keyof typeof catalogueOperations, Unbounded>> => ({
  facets: async ({ query }) =>
    encodeFacets(await catalogue.facets(await filterFrom(query, ratings), weekBefore(clock.now()))),
  listings: async ({ query }) =>
    encodePage(await catalogue.listings(await listingsQuery(query, ratings)), printToken(place)),
  tokens: async ({ query }) =>
    encodePage(await catalogue.tokens(tokensQuery(query)), printToken(place)),
  titles: async ({ query }) => {
    const ids = query.tokenIds.split(',').map(tokenId)
    return encodeTitles(ids, await catalogue.titles(ids))
  },
  lineage: async ({ params, query }) => {
    const id = tokenId(params.tokenId)
    const lineage = requireFound(id, await catalogue.lineage(id, lineagePart(query)))
    return encodeLineage(place, lineage, read(wei, query.price))
  },
  history: async ({ params, query }) => {
    const id = tokenId(params.tokenId)
    return encodePage(requireFound(id, await catalogue.history(id, pageInput(query))), printEvent)
  },
  rentals: async ({ params }) => {
    const id = tokenId(params.tokenId)
    requireFound(id, await catalogue.token(id))
    const running = await catalogue.rentals(id, clock.now(), mostRentals)
    return { items: running.map((it) => encodeRental(id, it)) }
  },
  activity: async ({ query }) =>
    encodePage(await catalogue.activity(activityQuery(query)), printEvent),
  eachEarning: async ({ params, query }) => {
    const account = readAddress(params.address)
    return encodePage(await catalogue.eachEarning(account, pageInput(query)), encodeEarning)
  },
  excerpts: async ({ params }) => {
    const id = tokenId(params.tokenId)
    return encodeExcerpts(place, requireFound(id, await catalogue.token(id)))
  },
})

/** Returns the handlers of the reads whose work needs no bound. */
export const unboundedReads = (
  { earnings }: Pick<Catalogue, 'earnings'>,
  check: CheckIntegrity,
): Handlers<Unbounded> => ({
  integrity: async ({ params }) => {
    const { present, bytes, matches } = await check(tokenId(params.tokenId))
    return { tokenId: params.tokenId, present, bytes: bytes ?? null, matches }
  },
  earnings: async ({ params }) => {
    const { dollars: inDollars, ...inWei } = await earnings(readAddress(params.address))
    return { ...encodeEarnings(inWei), dollars: encodeEarnings(inDollars) }
  },
})

type Page<Item> = { readonly items: readonly Item[]; readonly next?: string | undefined }

/** Encodes a page of results. */
export const encodePage = <Item, Encoded>(
  { items, next }: Page<Item>,
  encode: (item: Item) => Encoded,
) => ({ items: items.map((it) => encode(it)), next: next ?? null })

type Filter = RequestOf<'facets'>['query']

const range = <Amount extends Wei | Dollars>(
  unit: (text: string) => Amount,
  min: string | undefined,
  max: string | undefined,
) => ({ min: read(unit, min), max: read(unit, max) })

const ranges = <Amount extends Wei | Dollars>(
  unit: (text: string) => Amount,
  it: Filter,
): PriceRanges<Amount> => ({
  price: range(unit, it.minPrice, it.maxPrice),
  rentalPricePerDay: range(unit, it.minRentalPricePerDay, it.maxRentalPricePerDay),
  forkPrice: range(unit, it.minForkPrice, it.maxForkPrice),
})

async function filterFrom(
  it: Filter,
  ratings: catalogueReads.Options['ratings'],
): Promise<ListingsFilter> {
  const { search, match, category, tag, format } = it
  const { sort = search === undefined ? 'listedAt' : 'relevance' } = it
  return {
    search,
    match,
    category,
    tag,
    format,
    sort,
    rated: sort === 'ratings' ? await ratings?.best(mostRated) : undefined,
    offers: splitList<Offer>(it.offer),
    ...(it.currency === 'dollar'
      ? { currency: it.currency, ...ranges(dollars, it) }
      : { currency: it.currency, ...ranges(wei, it) }),
    seller: read(readAddress, it.seller),
    creator: read(readAddress, it.creator),
    maker: read(readAddress, it.maker),
    parent: read(tokenId, it.parent),
    family: read(tokenId, it.family),
  }
}

async function listingsQuery(
  it: RequestOf<'listings'>['query'],
  ratings: catalogueReads.Options['ratings'],
): Promise<ListingsQuery> {
  const { order = 'desc', group } = it
  return {
    ...pageInput(it),
    ...(await filterFrom(it, ratings)),
    descending: order === 'desc',
    group,
  }
}

const lineagePart = ({ after, limit }: RequestOf<'lineage'>['query']) => ({
  after: read(tokenId, after),
  limit: read(Number, limit),
})

const tokensQuery = (it: RequestOf<'tokens'>['query']): TokensQuery => ({
  ...pageInput(it),
  tokenId: read(tokenId, it.tokenId),
  search: it.search,
  match: it.match,
  category: it.category,
  tag: it.tag,
  format: it.format,
  owner: read(readAddress, it.owner),
  creator: read(readAddress, it.creator),
  parent: read(tokenId, it.parent),
  contentHash: read(hash, it.contentHash),
  renter: read(readAddress, it.renter),
})

const activityQuery = (it: RequestOf<'activity'>['query']): ActivityQuery => ({
  ...pageInput(it),
  account: read(readAddress, it.account),
  tokenId: read(tokenId, it.token),
  kinds: splitList<EventKind>(it.kind),
})

const encodeFacets = ({
  categories,
  tags,
  makers,
  formats,
  leftOut,
  correction,
  market,
  ...numbers
}: Facets) => ({
  ...numbers,
  categories: [...categories],
  tags: [...tags],
  makers: [...makers],
  formats: [...formats],
  leftOut: [...leftOut],
  correction: correction ?? null,
  market: {
    rentals: market?.rentals ?? 0,
    paid: { native: `${market?.paid.native ?? 0}`, dollar: `${market?.paid.dollar ?? 0}` },
  },
})

function encodeTitles(ids: readonly TokenId[], found: readonly TitledToken[]) {
  const titles = new Map(found.map((it) => [it.tokenId, it.title]))
  const titleOf = (title: string | undefined) => (title === undefined ? {} : { title })
  return { items: ids.map((id) => ({ tokenId: `${id}`, ...titleOf(titles.get(id)) })) }
}

function encodeLineage(place: TokenPlace, lineage: Lineage, givenPrice: Wei | undefined) {
  const print = printRelative(place)
  const { currency, price, royalties, rest } = splitRoyalties(lineage, givenPrice)
  const encoded = royalties.map(({ to, amount, tokenId: id }) => ({
    to,
    amount: `${amount}`,
    tokenId: `${id}`,
  }))
  return {
    ...print(lineage),
    ancestors: lineage.ancestors.map(print),
    descendants: lineage.descendants.map(print),
    isCut: lineage.isCut,
    split: { currency, price: `${price}`, royalties: encoded, rest: `${rest}` },
  }
}

const encodeRental = (id: TokenId, { renter, expiresAt }: Rental) => ({
  tokenId: `${id}`,
  renter,
  expiresAt: `${toSeconds(expiresAt)}`,
})

function encodeExcerpts(
  place: TokenPlace,
  { tokenId: id, contentHash, digest, sample }: CataloguedToken,
) {
  const excerpts = sample?.excerpts ?? []
  return {
    tokenId: `${id}`,
    asset: assetOf(place, id),
    contentHash,
    storageUri: storageUri(digest),
    mark: sample?.mark ?? null,
    root: sample?.root ?? null,
    excerpts: excerpts.map(({ path, ...excerpt }) => ({ ...excerpt, path: [...path] })),
  }
}

const encodeEarning = ({ kind, currency, amount, event, tokenId: id, txHash, at }: Earning) => ({
  kind,
  currency,
  amount: `${amount}`,
  event,
  tokenId: `${id}`,
  txHash,
  timestamp: `${toSeconds(at)}`,
})

const encodeEarnings = ({
  sales,
  rentals,
  forks,
  royalties,
  credit,
}: EarningsIn<Wei | Dollars>) => ({
  sales: `${sales}`,
  rentals: `${rentals}`,
  forks: `${forks}`,
  royalties: `${royalties}`,
  credit: `${credit}`,
})
