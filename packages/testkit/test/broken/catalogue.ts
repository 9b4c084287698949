import {
  type Catalogue,
  type CataloguedToken,
  type Digest,
  isFailure,
  type ListingsQuery,
  type Page,
  type PageInput,
  type TokenId,
  tokenId,
  wei,
} from '@heirloom/core'
import { memoryHarness } from '../../src/fakes/harness.ts'
import type { CatalogueHarness } from '../../src/harness.ts'
import type { Broken } from './faulty-harness.ts'

/** Returns the faulty methods of a catalogue, given the correct one. */
type Fault = (inner: Catalogue) => Partial<Catalogue>

function faultyHarness(fault: Fault): () => Promise<CatalogueHarness> {
  return async () => {
    const harness = memoryHarness()
    return { ...harness, catalogue: { ...harness.catalogue, ...fault(harness.catalogue) } }
  }
}

/** Returns a fault that changes single tokens. */
function changeTokens(change: (token: CataloguedToken) => Partial<CataloguedToken>): Fault {
  return (inner) => ({
    token: async (id) => {
      const token = await inner.token(id)
      return token && { ...token, ...change(token) }
    },
  })
}

/** A harness with a broken catalogue for each law. */
export const brokenCatalogues: readonly Broken<CatalogueHarness>[] = [
  {
    law: 'returns the same record of every token as the ledger',
    fault: 'returns the content hash as the digest',
    open: faultyHarness(
      changeTokens(({ contentHash }) => ({ digest: contentHash as string as Digest })),
    ),
  },
  {
    law: 'returns the source of a licensed fork, with its creator',
    fault: 'returns the parent of a declared version as its source',
    open: faultyHarness(
      changeTokens(({ parent, creator, source }) =>
        source === undefined && parent !== undefined
          ? { source: { tokenId: parent, creator } }
          : {},
      ),
    ),
  },
  {
    law: 'returns the same owner, terms and rentals as the ledger after every write',
    fault: 'returns the creator as the owner',
    open: faultyHarness(changeTokens(({ creator }) => ({ owner: creator }))),
  },
  {
    law: 'marks copies by the seal of a memory and not by the order of mints',
    fault: 'marks every token as an original',
    open: faultyHarness(changeTokens(() => ({ originality: 'original' }))),
  },
  {
    law: 'shows the excerpts of a memory, as proven only where it was sealed for its source',
    fault: 'says proven of every memory',
    open: faultyHarness(
      changeTokens(({ sample }) => ({ sample: sample && { ...sample, mark: 'proven' } })),
    ),
  },
  {
    law: "shows a memory's card on its licensed forks and never the card of another memory",
    fault: 'shows no card on a fork',
    open: faultyHarness(
      changeTokens((token) => (token.royaltyBps === undefined ? {} : { card: undefined })),
    ),
  },
  {
    law: 'returns live listings only',
    fault: 'returns every token for a query without a filter',
    open: faultyHarness((inner) => ({
      listings: (query) =>
        (query.parent ?? query.tag ?? query.family) ? inner.listings(query) : inner.tokens(query),
    })),
  },
  {
    law: 'returns every matching listing once, page by page',
    fault: 'ignores the offers',
    open: faultyHarness((inner) => ({
      listings: (query) => inner.listings({ ...query, offers: [] }),
    })),
  },
  {
    law: 'returns listings in the requested order',
    fault: 'reverses every page by price',
    open: faultyHarness((inner) => ({
      listings: async (query) => {
        const page = await inner.listings(query)
        return query.sort === 'price' ? { ...page, items: page.items.toReversed() } : page
      },
    })),
  },
  {
    law: 'compares prices in one currency only',
    fault: 'ignores the currency of a descending order',
    open: faultyHarness((inner) => ({
      listings: ({ currency, ...query }) =>
        inner.listings((query.descending ? query : { ...query, currency }) as ListingsQuery),
    })),
  },
  {
    law: 'finds cards with some words of a search, those with all first',
    fault: 'finds cards with all words only',
    open: faultyHarness((inner) => ({
      listings: (query) => inner.listings({ ...query, match: 'all' }),
    })),
  },
  {
    law: 'ranks rarer words and words of the title higher in a search for some words',
    fault: 'returns the newest first',
    open: faultyHarness((inner) => ({
      listings: (query) =>
        inner.listings(query.match === 'any' ? { ...query, sort: 'tokenId' } : query),
    })),
  },
  {
    law: 'finds and counts memories by the format that they were imported from',
    fault: 'ignores the format',
    open: faultyHarness((inner) => ({
      listings: (query) => inner.listings({ ...query, format: undefined }),
    })),
  },
  {
    law: 'returns the most rented, the most forked and the best rated listings first',
    fault: 'returns the least rented first',
    open: faultyHarness((inner) => ({
      listings: (query) =>
        inner.listings(query.sort === 'rentals' ? { ...query, descending: false } : query),
    })),
  },
  {
    law: 'returns of each family its newest version, or its first listing by price, and their numbers',
    fault: 'groups nothing',
    open: faultyHarness((inner) => ({
      listings: (query) => inner.listings({ ...query, group: undefined }),
    })),
  },
  {
    law: 'counts the listings that match a filter, with each value that can be added to it',
    fault: 'counts listings that make none of the offers',
    open: faultyHarness((inner) => ({
      facets: (filter) => inner.facets({ ...filter, offers: [] }),
    })),
  },
  {
    law: 'corrects the words of a search that no card has',
    fault: 'corrects nothing',
    open: faultyHarness((inner) => ({
      facets: async (filter) => ({ ...(await inner.facets(filter)), correction: undefined }),
    })),
  },
  {
    law: 'returns the events of acts in dollars',
    fault: 'omits sales in dollars',
    open: faultyHarness((inner) => ({
      history: async (id, page) => {
        const events = await inner.history(id, page)
        const items = events?.items.filter(({ kind }) => kind !== 'dollar-sale') ?? []
        return events && { ...events, items }
      },
    })),
  },
  {
    law: 'returns the events of heirs, of no token',
    fault: 'omits signs of life',
    open: faultyHarness((inner) => ({
      eventsAfter: async (after, limit) => {
        const batch = await inner.eventsAfter(after, limit)
        return { ...batch, entries: batch.entries.filter(({ kind }) => kind !== 'heartbeat') }
      },
    })),
  },
  {
    law: 'returns the accounts that name an heir now',
    fault: 'returns the accounts in the order of their namings',
    open: faultyHarness((inner) => ({
      heirOf: async (heir, page) => {
        const { items, next } = await inner.heirOf(heir, page)
        return { items: items.toReversed(), next }
      },
    })),
  },
  {
    law: 'returns earnings in dollars apart from those in wei',
    fault: 'adds royalties in dollars to those in wei',
    open: faultyHarness((inner) => ({
      earnings: async (account) => {
        const earned = await inner.earnings(account)
        return { ...earned, royalties: wei(earned.royalties + earned.dollars.royalties) }
      },
    })),
  },
  {
    law: 'continues a list at the same place while other tokens are listed and taken down',
    fault: 'uses offsets as cursors',
    open: faultyHarness(pageByOffset),
  },
  {
    law: 'refuses a cursor that it did not issue with `request/malformed`',
    fault: 'starts again for an unknown cursor',
    open: faultyHarness((inner) => ({
      listings: (query) => acceptAnyCursor(query, (page) => inner.listings({ ...query, ...page })),
    })),
  },
  {
    law: 'finds tokens by id, owner, creator, parent, renter and content hash',
    fault: 'ignores the renter',
    open: faultyHarness((inner) => ({
      tokens: (query) => inner.tokens({ ...query, renter: undefined }),
    })),
  },
  {
    law: 'returns the titles of the cards that tokens show',
    fault: 'returns no titles',
    open: faultyHarness(() => ({ titles: async () => [] })),
  },
  {
    law: 'returns a lineage with the kind of each link',
    fault: 'returns every link as a licensed fork',
    open: faultyHarness((inner) => ({
      lineage: async (id, part) => {
        const lineage = await inner.lineage(id, part)
        const licensed = (relative: NonNullable<typeof lineage>['ancestors'][number]) =>
          relative.link === undefined ? relative : { ...relative, link: 'fork' as const }
        return lineage && { ...lineage, descendants: lineage.descendants.map(licensed) }
      },
    })),
  },
  {
    law: 'goes on with the descendants of a lineage after an id',
    fault: 'begins anew',
    open: faultyHarness((inner) => ({ lineage: (id) => inner.lineage(id) })),
  },
  {
    law: 'returns all events of a token in the order of the chain',
    fault: 'omits royalties',
    open: faultyHarness((inner) => ({
      history: async (id, page) => {
        const events = await inner.history(id, page)
        return events && { ...events, items: events.items.filter(({ kind }) => kind !== 'royalty') }
      },
    })),
  },
  {
    law: 'returns the events of a token, an account or some kinds, newest first, each once, page by page',
    fault: 'returns the events of every account and kind',
    open: faultyHarness((inner) => ({
      activity: ({ account: _account, kinds: _kinds, ...page }) => inner.activity(page),
    })),
  },
  {
    law: 'returns the events after an event, each once',
    fault: 'does not report reorganised blocks',
    open: faultyHarness((inner) => ({
      eventsAfter: async (after, limit) => ({
        ...(await inner.eventsAfter(after, limit)),
        reorganisedFrom: undefined,
      }),
    })),
  },
  {
    law: 'returns the id of the newest event',
    fault: 'returns the id of the first event',
    open: faultyHarness((inner) => ({
      newestEventId: async () => (await inner.eventsAfter(undefined, 1)).entries[0]?.id,
    })),
  },
  {
    law: 'finds cards by prefixes of their words',
    fault: 'finds whole words only',
    open: faultyHarness((inner) => ({
      tokens: async (query) =>
        /zeb$|^sto$/.test(query.search ?? '')
          ? { items: [], next: undefined }
          : inner.tokens(query),
    })),
  },
  {
    law: 'returns search results by rank, then newest first, each once, page by page',
    fault: 'reverses every page of a search',
    open: faultyHarness((inner) => ({
      tokens: async (query) => {
        const page = await inner.tokens(query)
        return query.search ? { ...page, items: page.items.toReversed() } : page
      },
    })),
  },
  {
    law: 'refuses a search of one letter, or of more than 16 words, with `request/malformed`',
    fault: 'ignores all words after the 16th',
    open: faultyHarness((inner) => ({
      tokens: (query) =>
        inner.tokens({ ...query, search: query.search?.split(' ').slice(0, 16).join(' ') }),
    })),
  },
  {
    law: 'returns earnings that add up to the prices paid',
    fault: 'counts every sale twice',
    open: faultyHarness((inner) => ({
      earnings: async (account) => {
        const earned = await inner.earnings(account)
        return { ...earned, sales: wei(earned.sales * 2n) }
      },
    })),
  },
  {
    law: 'returns each earning of an account, newest first, each once, page by page, which add up to the prices paid',
    fault: 'ends after the first page',
    open: faultyHarness((inner) => ({
      eachEarning: async (...all) => ({ ...(await inner.eachEarning(...all)), next: undefined }),
    })),
  },
  {
    law: 'returns nothing for a token that was never minted',
    fault: 'returns the first token instead',
    open: faultyHarness((inner) => ({
      token: async (id) => (await inner.token(id)) ?? inner.token(firstToken),
    })),
  },
]

const firstToken: TokenId = tokenId(1n)

/** Returns a `listings` whose cursors are offsets. */
function pageByOffset(inner: Catalogue): Partial<Catalogue> {
  const given = new Map<string, number>()
  return {
    listings: async (query) => {
      const { after, limit } = query
      const order = `${query.currency} ${query.sort}`
      const begin = after === undefined ? 0 : given.get(`${order} ${after}`)
      if (begin === undefined) return inner.listings({ ...query, after: 'unknown' })
      const { items } = await inner.listings({ ...query, after: undefined, limit: 10_000 })
      const next = `${begin + limit}`
      given.set(`${order} ${next}`, begin + limit)
      const isEnd = begin + limit >= items.length
      return { items: items.slice(begin, begin + limit), next: isEnd ? undefined : next }
    },
  }
}

async function acceptAnyCursor<T>(
  page: PageInput,
  read: (page: Pick<PageInput, 'after'>) => Promise<Page<T>>,
): Promise<Page<T>> {
  try {
    return await read({ after: page.after })
  } catch (error) {
    if (isFailure(error, 'request/malformed')) return read({ after: undefined })
    throw error
  }
}
