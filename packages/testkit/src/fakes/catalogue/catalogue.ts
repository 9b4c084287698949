import {
  type Account,
  accountsIn,
  type CardBlock,
  type Catalogue,
  type CataloguedToken,
  type Digest,
  type EventBatch,
  Failure,
  forkRoyalty,
  type Hash,
  type HistoryEntry,
  type ListingsFilter,
  originalityOf,
  requireFound,
  type Seal,
  type SealContext,
  sameAccount,
  sameContext,
  sampleOf,
  type TokenId,
} from '@heirloom/core'
import { checksummed } from '../chain-state.ts'
import { type MemoryChain, memoryRegistry } from '../ledger.ts'
import { eachEarningOf, earningsOf, figuresOf, type PlacedEarning } from './earnings.ts'
import { correctSearch, countFacets, firstOfFamilies, someWords } from './facets.ts'
import {
  isPrice,
  listingsOrder,
  matchesListingsFilter,
  matchesTokensQuery,
  type Numbers,
  tokensOrder,
  worthOf,
} from './filters.ts'
import { lineageOf } from './lineage.ts'
import { type Order, pageOf, searchOrders } from './pages.ts'
import { catchUp, type Entry, isLive, type ReadModel } from './state.ts'

/** Creates a catalogue that never lags behind a chain in memory. */
export function memoryCatalogue({ chain, cards, seals }: memoryCatalogue.Options): Catalogue {
  const read: ReadModel = { entries: new Map(), tokensOf: new Map(), length: 0 }
  const entriesNow = () => {
    catchUp(read, chain)
    return read.entries
  }
  const lineOf = lineageLookup(entriesNow)
  const lookups = { cards: cards ?? nothing, seals: seals ?? nothing }
  const tokenOf = tokenReader({ twinsOf: (entry) => twinsOf(read, entry), lineOf, ...lookups })
  const sourceOf = (entry: Entry) => lineOf(entry).at(-1) ?? entry
  const sourceIdOf = (id: TokenId) => sourceOf(requireFound(id, read.entries.get(id))).tokenId
  const searchOrder = searchOrders(sourceIdOf)
  const all = async () => Promise.all([...entriesNow().values()].map(tokenOf))
  return {
    ...listingReads({
      all,
      sourceIdOf,
      firstOf: firstVersionOf(entriesNow, sourceOf),
      firstOwnerOf: (id) => requireFound(id, read.entries.get(id)).firstOwner,
      searchOrder,
      history: chain.history,
      numbers: ({ tokenId }) => ({
        rentals: read.entries.get(tokenId)?.rentals.size ?? 0,
        forks: [...read.entries.values()].filter(
          ({ parent, royaltyBps }) => parent === tokenId && royaltyBps !== undefined,
        ).length,
      }),
    }),
    tokens: async (query) => {
      const renters = (id: TokenId) => read.entries.get(id)?.rentals.keys() ?? []
      const tokens = await all()
      const { known } = someWords(query.search ?? '', tokens)
      const found = tokens.filter((it) => matchesTokensQuery(it, renters(it.tokenId), query, known))
      return pageOf(found, query, searchOrder(query, known, 'ranked') ?? tokensOrder())
    },
    token: async (tokenId) => {
      const entry = entriesNow().get(tokenId)
      return entry && tokenOf(entry)
    },
    lineage: async (tokenId, part) => lineageOf(await all(), tokenId, part),
    history: async (tokenId, page) => {
      if (!entriesNow().has(tokenId)) return undefined
      const own = chain.history().filter((event) => event.tokenId === tokenId)
      return pageOf(own, page, oldestFirst)
    },
    rentals: async (tokenId, after, limit) => {
      const rentals = entriesNow().get(tokenId)?.rentals ?? []
      return [...rentals]
        .map(([renter, expiresAt]) => ({ tokenId, renter, expiresAt }))
        .filter(({ expiresAt }) => expiresAt > after)
        .toSorted((one, other) => other.expiresAt - one.expiresAt)
        .slice(0, limit)
    },
    ...historyReads(chain),
    onChange: chain.onBlock,
  }
}

type ListedParts = {
  readonly all: () => Promise<readonly CataloguedToken[]>
  readonly sourceIdOf: (id: TokenId) => TokenId
  /** Returns the first version of the memory of a token. */
  readonly firstOf: (id: TokenId) => TokenId
  readonly firstOwnerOf: (id: TokenId) => Account
  readonly searchOrder: ReturnType<typeof searchOrders>
  readonly numbers: Numbers
  readonly history: MemoryChain['history']
}

/** Returns the reads of live listings, and of titles. */
function listingReads(parts: ListedParts): Pick<Catalogue, 'listings' | 'facets' | 'titles'> {
  const { all, sourceIdOf, firstOf, firstOwnerOf, searchOrder, numbers, history } = parts
  const familyOf = ({ tokenId, owner, card }: CataloguedToken) => ({
    source: sourceIdOf(tokenId),
    key: `${firstOf(tokenId)} ${card?.title ?? ''}`,
    isResold: !sameAccount(owner, firstOwnerOf(tokenId)),
  })
  const listed = async ({ family }: ListingsFilter) => {
    const tokens = await all()
    const member = tokens.find(({ tokenId }) => tokenId === family)
    const key = member && familyOf(member).key
    return tokens.filter(
      (token) => isLive(token.terms) && (family === undefined || familyOf(token).key === key),
    )
  }
  const someOf = async ({ search = '' }: ListingsFilter) => someWords(search, await all())
  const matching = async (filter: ListingsFilter) => {
    const { known } = await someOf(filter)
    const sort = filter.sort
    return (await listed(filter)).filter(
      (token) =>
        matchesListingsFilter(token, filter, known) &&
        ((sort !== 'rentals' && sort !== 'forks') || numbers(token)[sort] > 0) &&
        (sort !== 'ratings' || worthOf(token, filter.rated) !== undefined),
    )
  }
  return {
    listings: async (query) => {
      const all = await matching(query)
      const found =
        query.sort === 'rentals' ? all.map((it) => ({ ...it, renters: numbers(it).rentals })) : all
      const { known } = await someOf(query)
      const byRelevance =
        query.sort === 'relevance' ? searchOrder(query, known, 'ranked-listings') : undefined
      const order = byRelevance ?? listingsOrder(query, numbers)
      if (query.group === undefined) return pageOf(found, query, order)
      const grouped = { ...order, name: `family-${order.name}` }
      const listedOrder = { ...order, isByPrice: isPrice(query.sort) }
      return pageOf(firstOfFamilies(found, listedOrder, familyOf), query, grouped)
    },
    titles: async (ids) =>
      (await all()).flatMap(({ tokenId, digest, card }) =>
        card !== undefined && ids.includes(tokenId) ? [{ tokenId, digest, title: card.title }] : [],
      ),
    facets: async (filter, since) => {
      const leftOut = filter.match === 'any' ? (await someOf(filter)).leftOut : []
      const market = since === undefined ? undefined : figuresOf(history(), since)
      const counted = {
        ...countFacets(await matching(filter), familyOf),
        leftOut,
        ...(market && { market }),
      }
      if (counted.total > 0) return { ...counted, correction: undefined }
      return { ...counted, correction: correctSearch(filter.search ?? '', cardsOf(await all())) }
    },
  }
}

/** Returns the cards, each once: licensed forks show the card of their source. */
const cardsOf = (tokens: readonly CataloguedToken[]) =>
  tokens.flatMap(({ royaltyBps, card }) =>
    royaltyBps === undefined && card !== undefined ? [card] : [],
  )

/** Returns the reads that need nothing but the events. */
const historyReads = ({
  history,
}: MemoryChain): Pick<
  Catalogue,
  'earnings' | 'eachEarning' | 'heirOf' | 'activity' | 'eventsAfter' | 'newestEventId'
> => ({
  earnings: async (account) => earningsOf(history(), checksummed(account)),
  eachEarning: async (account, page) => {
    const { items, next } = pageOf(
      eachEarningOf(history(), checksummed(account)),
      page,
      lastPaidFirst,
    )
    return {
      items: items.map(({ block: _block, logIndex: _logIndex, ...earning }) => earning),
      next,
    }
  },
  heirOf: async (heir, page) => {
    const { items, next } = pageOf(namingsOf(history(), checksummed(heir)), page, lastFirst)
    return { items: items.map(({ account }) => account), next }
  },
  activity: async ({ account, tokenId, kinds, ...page }) => {
    const named = history().filter(
      (event) =>
        (tokenId === undefined || event.tokenId === tokenId) &&
        (kinds === undefined || kinds.includes(event.kind)) &&
        (account === undefined || accountsIn(event).some((it) => sameAccount(it, account))),
    )
    return pageOf(named, page, newestFirst)
  },
  eventsAfter: async (after, limit) => eventsAfter(history(), after, limit),
  newestEventId: async () => history().at(-1)?.id,
})

export declare namespace memoryCatalogue {
  type Options = {
    readonly chain: MemoryChain
    /** Returns the card in a block; `undefined` when the block is missing or has no valid card. */
    readonly cards?: ByDigest<CardBlock>
    /** Returns the seal in the head of a bundle; `undefined` when the head is missing. */
    readonly seals?: ByDigest<Seal>
  }
}

type ByDigest<T> = (digest: Digest) => Promise<T | undefined>
type Lookups = {
  readonly twinsOf: (entry: Entry) => readonly Entry[]
  readonly lineOf: LineOf
  readonly cards: ByDigest<CardBlock>
  readonly seals: ByDigest<Seal>
}

const nothing = async () => undefined

const oldestFirst: Order<HistoryEntry> = {
  name: 'history',
  keyOf: ({ block, logIndex }) => [block, BigInt(logIndex)],
}

const newestFirst: Order<HistoryEntry> = {
  name: 'activity',
  descending: true,
  keyOf: ({ block, logIndex }) => [block, BigInt(-logIndex)],
}

const lastPaidFirst: Order<PlacedEarning> = {
  name: 'each-earning',
  descending: true,
  keyOf: ({ block, logIndex }) => [block, BigInt(-logIndex)],
}

type LineOf = (entry: Entry) => readonly Entry[]

/** Returns a function that returns the first version of the memory of a token. */
function firstVersionOf(
  entriesNow: () => ReadModel['entries'],
  sourceOf: (entry: Entry) => Entry,
): (id: TokenId) => TokenId {
  const firstOf = (id: TokenId): TokenId => {
    const source = sourceOf(requireFound(id, entriesNow().get(id)))
    const parent = source.parent && entriesNow().get(source.parent)
    const before = parent && sourceOf(parent)
    const isVersion =
      before &&
      sameAccount(before.creator, source.creator) &&
      sameAccount(before.firstOwner, source.firstOwner)
    return isVersion ? firstOf(parent.tokenId) : source.tokenId
  }
  return firstOf
}

/** Returns a function that returns a token and its licensed ancestors, up to their source. */
function lineageLookup(entriesNow: () => ReadModel['entries']): LineOf {
  const lineOf: LineOf = (entry) => {
    const parent = entriesNow().get(entry.parent ?? entry.tokenId)
    return entry.royaltyBps === undefined || parent === undefined
      ? [entry]
      : [entry, ...lineOf(parent)]
  }
  return lineOf
}

/** Returns all tokens with the content hash of one. */
const twinsOf = ({ entries, tokensOf }: ReadModel, { contentHash }: Entry): readonly Entry[] =>
  (tokensOf.get(contentHash) ?? []).flatMap((id) => entries.get(id) ?? [])

/** Returns a function that adds originality, card and fork royalty to the state of a token. */
function tokenReader({ twinsOf, lineOf, cards, seals }: Lookups) {
  return async (entry: Entry): Promise<CataloguedToken> => {
    const { cards: digests, rentals, firstOwner, ...token } = entry
    const line = lineOf(entry)
    const source = line.at(-1) ?? entry
    const candidates = await Promise.all(source.cards.map(cards))
    const own = candidates.findLast((it) => it?.contentHash === entry.contentHash)
    const seal = await seals(source.digest)
    const twins = twinsOf(source)
    const twinSeals = await Promise.all(twins.map(({ digest }) => seals(digest)))
    const { contentHash, creator } = source
    const context = { registry: memoryRegistry, creator }
    const originality = originalityOf({
      isOwn: seal && sameContext(seal.context, context) && seal.contentHash === contentHash,
      isOfAnother: twinSeals.some((it) => it?.isAuthentic && isOfAnother(it, contentHash, context)),
      isAuthentic: seal?.isAuthentic === true,
      isRepeated: twins.some((it) => isRepetition(source, it)),
    })
    const royalty = forkRoyalty(line, token.terms.forkRoyaltyBps)
    const sample = sampleOf(originality, { root: seal?.itemsRoot, excerpts: seal?.excerpts })
    return {
      ...token,
      ...royalty,
      originality,
      card: own?.card,
      sample,
      ...(source !== entry && { source: { tokenId: source.tokenId, creator } }),
    }
  }
}

/** Returns whether a seal has the same content and registry, and another creator. */
const isOfAnother = (seal: Seal, contentHash: Hash, { registry, creator }: SealContext): boolean =>
  seal.contentHash === contentHash &&
  sameContext(seal.context, { registry, creator: seal.context.creator }) &&
  seal.context.creator !== creator

/** Returns whether a twin is an earlier snapshot of the same creator with the same digest. */
const isRepetition = (source: Entry, other: Entry): boolean =>
  other.tokenId < source.tokenId &&
  other.royaltyBps === undefined &&
  other.digest === source.digest &&
  other.creator === source.creator

/** An account that names an heir. */
type Naming = Extract<HistoryEntry, { kind: 'heir-named' }>

/** The last naming of each account, the newest first. */
const lastFirst: Order<Naming> = {
  name: 'heir-of',
  descending: true,
  keyOf: ({ block, logIndex }) => [block, -BigInt(logIndex)],
}

/** Returns the last naming of each account that names an heir last. */
function namingsOf(history: readonly HistoryEntry[], heir: Account): readonly Naming[] {
  const last = new Map<Account, Naming>()
  for (const event of history) {
    if (event.kind === 'heir-named') last.set(event.account, event)
  }
  return [...last.values()].filter((it) => it.heir === heir)
}

function eventsAfter(
  history: readonly HistoryEntry[],
  after: string | undefined,
  limit: number,
): EventBatch {
  if (after === undefined) return { entries: history.slice(0, limit), reorganisedFrom: undefined }
  const index = history.findIndex(({ id }) => id === after)
  if (index >= 0) {
    return { entries: history.slice(index + 1, index + 1 + limit), reorganisedFrom: undefined }
  }
  const block = blockOf(after)
  const entries = history.filter((event) => event.block >= block).slice(0, limit)
  return { entries, reorganisedFrom: block }
}

function blockOf(id: string): bigint {
  const [, block] = /^(0|[1-9][0-9]{0,15})-[0-9]{1,9}-[0-9a-f]{8}$/.exec(id) ?? []
  if (block !== undefined) return BigInt(block)
  throw new Failure('request/malformed', { where: 'after', problem: 'is no id of an event' })
}
