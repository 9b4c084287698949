import {
  type Catalogue,
  type CataloguedToken,
  type Digest,
  isFailure,
  type Page,
  type PageInput,
  type TokenId,
  tokenId,
  wei,
} from '@heirloom/core'
import { memoryWorld } from '../fakes/harness.ts'
import type { CatalogueWorld } from '../harness.ts'
import type { Broken } from './broken.ts'

/** What a fault changes of a catalogue, given that catalogue as it should be. */
type Fault = (inner: Catalogue) => Partial<Catalogue>

function worldWith(fault: Fault): () => Promise<CatalogueWorld> {
  return async () => {
    const world = memoryWorld()
    return { ...world, catalogue: { ...world.catalogue, ...fault(world.catalogue) } }
  }
}

/** Returns a fault that tells something else of single tokens. */
function telling(change: (token: CataloguedToken) => Partial<CataloguedToken>): Fault {
  return (inner) => ({
    token: async (id) => {
      const token = await inner.token(id)
      return token && { ...token, ...change(token) }
    },
  })
}

/** One world for each law of catalogues. */
export const brokenCatalogues: readonly Broken<CatalogueWorld>[] = [
  {
    law: 'tells every token as the ledger does',
    fault: 'takes the content hash for the digest',
    open: worldWith(telling(({ contentHash }) => ({ digest: contentHash as string as Digest }))),
  },
  {
    law: "tells a token's owner, terms and rentals after every write as the ledger does",
    fault: 'takes the creator for the owner',
    open: worldWith(telling(({ creator }) => ({ owner: creator }))),
  },
  {
    law: 'marks copies by what a memory was sealed with, whoever minted first',
    fault: 'takes every token for an original',
    open: worldWith(telling(() => ({ originality: 'original' }))),
  },
  {
    law: 'shows the card of a memory with its licensed forks, and no card that speaks of another memory',
    fault: 'shows no card with a fork',
    open: worldWith(
      telling((token) => (token.royaltyBps === undefined ? {} : { card: undefined })),
    ),
  },
  {
    law: 'tells live listings only',
    fault: 'tells every token when asked for nothing else',
    open: worldWith((inner) => ({
      listings: (query) =>
        query.parent === undefined ? inner.tokens(query) : inner.listings(query),
    })),
  },
  {
    law: 'tells every listing that matches, once, page by page',
    fault: 'does not look at the offers',
    open: worldWith((inner) => ({
      listings: (query) => inner.listings({ ...query, offers: [] }),
    })),
  },
  {
    law: 'tells listings in the order asked for',
    fault: 'turns every page by price around',
    open: worldWith((inner) => ({
      listings: async (query) => {
        const page = await inner.listings(query)
        return query.sort === 'price' ? { ...page, items: page.items.toReversed() } : page
      },
    })),
  },
  {
    law: 'keeps its place on a page while others are listed and taken down',
    fault: 'counts what it has told',
    open: worldWith(counting),
  },
  {
    law: 'refuses a cursor it did not give with `request/malformed`',
    fault: 'begins again with a cursor it does not know',
    open: worldWith((inner) => ({
      listings: (query) => forgiving(query, (page) => inner.listings({ ...query, ...page })),
    })),
  },
  {
    law: 'tells the tokens of an owner, a creator, a parent, a renter and a content hash',
    fault: 'does not look at the renter',
    open: worldWith((inner) => ({
      tokens: (query) => inner.tokens({ ...query, renter: undefined }),
    })),
  },
  {
    law: 'tells a lineage with the kind of each link',
    fault: 'takes every fork for a licensed one',
    open: worldWith((inner) => ({
      lineage: async (id) => {
        const kin = await inner.lineage(id)
        const licensed = (relative: NonNullable<typeof kin>['ancestors'][number]) =>
          relative.link === undefined ? relative : { ...relative, link: 'fork' as const }
        return kin && { ...kin, descendants: kin.descendants.map(licensed) }
      },
    })),
  },
  {
    law: 'tells all that happened to a token, in its order',
    fault: 'keeps royalties to itself',
    open: worldWith((inner) => ({
      history: async (id, page) => {
        const told = await inner.history(id, page)
        return told && { ...told, items: told.items.filter(({ kind }) => kind !== 'royalty') }
      },
    })),
  },
  {
    law: 'tells what happened after an event, and nothing twice',
    fault: 'says nothing of what was undone',
    open: worldWith((inner) => ({
      happened: async (after, limit) => ({
        ...(await inner.happened(after, limit)),
        undoneFrom: undefined,
      }),
    })),
  },
  {
    law: 'names the newest event',
    fault: 'names the first',
    open: worldWith((inner) => ({
      newest: async () => (await inner.happened(undefined, 1)).entries[0]?.id,
    })),
  },
  {
    law: 'finds cards by the beginnings of their words',
    fault: 'finds whole words only',
    open: worldWith((inner) => ({
      tokens: async (query) =>
        /zeb$|^sto$/.test(query.search ?? '')
          ? { items: [], next: undefined }
          : inner.tokens(query),
    })),
  },
  {
    law: 'tells what a search finds by rank, then newest first, each once, page by page',
    fault: 'turns every page of a search around',
    open: worldWith((inner) => ({
      tokens: async (query) => {
        const page = await inner.tokens(query)
        return query.search ? { ...page, items: page.items.toReversed() } : page
      },
    })),
  },
  {
    law: 'refuses a search of one letter, or of more than 16 words, with `request/malformed`',
    fault: 'leaves out the words that are too many',
    open: worldWith((inner) => ({
      tokens: (query) =>
        inner.tokens({ ...query, search: query.search?.split(' ').slice(0, 16).join(' ') }),
    })),
  },
  {
    law: 'tells earnings that add up to the prices paid',
    fault: 'counts every sale twice',
    open: worldWith((inner) => ({
      earnings: async (account) => {
        const earned = await inner.earnings(account)
        return { ...earned, sales: wei(earned.sales * 2n) }
      },
    })),
  },
  {
    law: 'knows nothing of a token that was never minted',
    fault: 'shows the first token in its place',
    open: worldWith((inner) => ({
      token: async (id) => (await inner.token(id)) ?? inner.token(firstToken),
    })),
  },
]

const firstToken: TokenId = tokenId(1n)

/** Tells pages by how many came before them. */
function counting(inner: Catalogue): Partial<Catalogue> {
  const given = new Map<string, number>()
  return {
    listings: async (query) => {
      const { after, limit } = query
      const begin = after === undefined ? 0 : given.get(`${query.sort} ${after}`)
      if (begin === undefined) return inner.listings({ ...query, after: 'unknown' })
      const { items } = await inner.listings({ ...query, after: undefined, limit: 10_000 })
      const next = `${begin + limit}`
      given.set(`${query.sort} ${next}`, begin + limit)
      const isEnd = begin + limit >= items.length
      return { items: items.slice(begin, begin + limit), next: isEnd ? undefined : next }
    },
  }
}

async function forgiving<T>(
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
