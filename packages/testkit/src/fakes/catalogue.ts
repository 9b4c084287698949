import {
  type CardOf,
  type Catalogue,
  type CataloguedToken,
  type Digest,
  existing,
  Failure,
  forkRoyalty,
  type Happened,
  type Hash,
  type HistoryEntry,
  originalityOf,
  type Seal,
  type SealContext,
  sameContext,
  type TokenId,
} from '@heirloom/core'
import { earningsOf } from './catalogue-earnings.ts'
import { lineageOf } from './catalogue-lineage.ts'
import { isListingWanted, isTokenWanted, listingsOrder, tokensOrder } from './catalogue-filters.ts'
import { type Order, pageOf } from './catalogue-pages.ts'
import { rankedOrders } from './catalogue-ranking.ts'
import { type Entry, isLive, type Read, readOn } from './catalogue-state.ts'
import { spelled } from './chain-state.ts'
import { type MemoryChain, memoryRegistry } from './ledger.ts'

/** Returns a catalogue that never lags behind a chain in memory. */
export function memoryCatalogue({ chain, cards, seals }: memoryCatalogue.Options): Catalogue {
  const read: Read = { entries: new Map(), length: 0 }
  const entriesNow = () => {
    readOn(read, chain)
    return read.entries
  }
  const lineOf = lines(entriesNow)
  const known = { cards: cards ?? nothing, seals: seals ?? nothing }
  const shown = showing({ entriesNow, lineOf, ...known })
  const sourceOf = (entry: Entry) => lineOf(entry).at(-1) ?? entry
  const ranked = rankedOrders((id) => sourceOf(existing(id, read.entries.get(id))).tokenId)
  const all = async () => Promise.all([...entriesNow().values()].map(shown))
  return {
    listings: async (query) => {
      const listed = (await all()).filter(({ terms }) => isLive(terms))
      const wanted = listed.filter((token) => isListingWanted(token, query))
      const byWords =
        query.sort === 'relevance' ? ranked(query.search, 'ranked-listings') : undefined
      return pageOf(wanted, query, byWords ?? listingsOrder(query))
    },
    tokens: async (query) => {
      const renters = (id: TokenId) => read.entries.get(id)?.rentals.keys() ?? []
      const wanted = (await all()).filter((it) => isTokenWanted(it, renters(it.tokenId), query))
      return pageOf(wanted, query, ranked(query.search, 'ranked') ?? tokensOrder())
    },
    token: async (tokenId) => {
      const entry = entriesNow().get(tokenId)
      return entry && shown(entry)
    },
    lineage: async (tokenId) => lineageOf(await all(), tokenId),
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
    earnings: async (account) => earningsOf(chain.history(), spelled(account)),
    happened: async (after, limit) => happened(chain.history(), after, limit),
    newest: async () => chain.history().at(-1)?.id,
    onChange: chain.onBlock,
  }
}

export declare namespace memoryCatalogue {
  type Options = {
    readonly chain: MemoryChain
    /** Returns the card that a block holds; `undefined` when it is not here or holds none. */
    readonly cards?: ByDigest<CardOf>
    /** Returns what the head of a sealed bundle says; `undefined` when it is not here. */
    readonly seals?: ByDigest<Seal>
  }
}

type ByDigest<T> = (digest: Digest) => Promise<T | undefined>
type Known = {
  readonly entriesNow: () => Read['entries']
  readonly lineOf: LineOf
  readonly cards: ByDigest<CardOf>
  readonly seals: ByDigest<Seal>
}

const nothing = async () => undefined

const oldestFirst: Order<HistoryEntry> = {
  name: 'history',
  placeOf: ({ block, logIndex }) => [block, BigInt(logIndex)],
}

type LineOf = (entry: Entry) => readonly Entry[]

/** Returns how the licensed forks that lead to a token are found, up to the snapshot they share. */
function lines(entriesNow: () => Read['entries']): LineOf {
  const lineOf: LineOf = (entry) => {
    const parent = entriesNow().get(entry.parent ?? entry.tokenId)
    return entry.royaltyBps === undefined || parent === undefined
      ? [entry]
      : [entry, ...lineOf(parent)]
  }
  return lineOf
}

/** Returns how a token is shown: with what is known of the memory it shares, and what its fork would owe. */
function showing({ entriesNow, lineOf, cards, seals }: Known) {
  return async (entry: Entry): Promise<CataloguedToken> => {
    const { cards: digests, rentals, ...token } = entry
    const line = lineOf(entry)
    const source = line.at(-1) ?? entry
    const known = await Promise.all(source.cards.map(cards))
    const own = known.findLast((it) => it?.contentHash === entry.contentHash)
    const seal = await seals(source.digest)
    const twins = [...entriesNow().values()].filter((it) => it.contentHash === source.contentHash)
    const all = await Promise.all(twins.map(({ digest }) => seals(digest)))
    const { contentHash, creator } = source
    const context = { registry: memoryRegistry, creator }
    const originality = originalityOf({
      isOwn: seal && sameContext(seal.context, context) && seal.contentHash === contentHash,
      isOfAnother: all.some((it) => it?.isAuthentic && isOfAnother(it, contentHash, context)),
      isAuthentic: seal?.isAuthentic === true,
      isRepeated: [...entriesNow().values()].some((it) => isRepetition(source, it)),
    })
    const royalty = forkRoyalty(line, token.terms.forkRoyaltyBps)
    return { ...token, ...royalty, originality, card: own?.card }
  }
}

/** Returns whether a bundle holds the same content, and was sealed in the same registry for another creator. */
const isOfAnother = (seal: Seal, contentHash: Hash, { registry, creator }: SealContext): boolean =>
  seal.contentHash === contentHash &&
  sameContext(seal.context, { registry, creator: seal.context.creator }) &&
  seal.context.creator !== creator

/** Returns whether an earlier snapshot of the same creator has the same pair of hashes. */
const isRepetition = (source: Entry, other: Entry): boolean =>
  other.tokenId < source.tokenId &&
  other.royaltyBps === undefined &&
  other.contentHash === source.contentHash &&
  other.digest === source.digest &&
  other.creator === source.creator

function happened(
  history: readonly HistoryEntry[],
  after: string | undefined,
  limit: number,
): Happened {
  if (after === undefined) return { entries: history.slice(0, limit), undoneFrom: undefined }
  const index = history.findIndex(({ id }) => id === after)
  if (index >= 0) {
    return { entries: history.slice(index + 1, index + 1 + limit), undoneFrom: undefined }
  }
  const block = blockOf(after)
  const entries = history.filter((event) => event.block >= block).slice(0, limit)
  return { entries, undoneFrom: block }
}

function blockOf(id: string): bigint {
  const [, block] = /^(0|[1-9][0-9]{0,15})-[0-9]{1,9}-[0-9a-f]{8}$/.exec(id) ?? []
  if (block !== undefined) return BigInt(block)
  throw new Failure('request/malformed', { where: 'after', problem: 'is no id of an event' })
}
