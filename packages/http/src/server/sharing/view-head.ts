import { guideTitles } from '../../api/guide-titles.ts'
import type { DrawnView } from './card-drawing.ts'
import { type Head, imageMetas, meta } from './document-head.ts'

const about = 'Agent memory you can own, prove, pass on and trade.'

type Words = readonly [title: string, description: string]

const heads: Readonly<Record<string, Words>> = {
  '/': ['Heirloom', about],
  '/mine': ['My memories', 'What a wallet owns, rents, has created and has earned.'],
  '/create': ['Create', 'Seal a memory of an agent from a file, and mint it.'],
  '/activity': ['Activity', 'Mints, listings, sales, rentals, forks and royalties.'],
  '/operate': ['Operate', 'The state of this server.'],
  '/docs': ['Reference and guides', 'Every route of this server, and guides to use it.'],
}

/** Any address: the paths and queries of a view are parsed, and its own origin is not. */
const anywhere = 'http://page'

/**
 * Returns the head of the document of a view but that of a token; `undefined` where there is no such
 * view. Of the query only a tag or a search makes another page; orders and filters show the same one.
 */
export function headOfView(url: string, origin: string): Head | undefined {
  const { pathname, searchParams } = new URL(url, anywhere)
  const words = wordsOf(pathname)
  if (words === undefined) return undefined
  const [title, description] = words
  const filter = filterOf(pathname, searchParams)
  if (filter === undefined) return { title, description, address: `${origin}${pathname}` }
  const { query, ...head } = filter
  return { ...head, address: `${origin}/?${query}` }
}

/**
 * Returns the drawing of a view; `undefined` where there is no such view. A filtered market has that
 * of the market: no image shows the words of a stranger.
 */
export function drawingOfView(path: string): DrawnView | undefined {
  const words = wordsOf(path)
  if (words === undefined) return undefined
  const [, account] = /^\/account\/(.+)$/.exec(path) ?? []
  return { title: words[0], description: words[1], rosette: account ?? markOfPage }
}

/** The bytes of the rosette of the page. */
const markOfPage = `0x${'1f40687a2e2b'.repeat(5)}1f40`

/** Returns the elements that name the image of a view. */
export const imageOfView = (address: string, title: string): readonly string[] => {
  const [path = ''] = address.split('?')
  return imageMetas(`${path.replace(/\/$/, '')}/card.png`, `The title ${title}`)
}

/** Asks search engines not to list a page: it has nothing, or stands beside others without end. */
export const unlisted = meta('name', 'robots', 'noindex')

type Filter = Omit<Head, 'address'> & { readonly query: URLSearchParams }

/** Returns the head of a tag or a search; `undefined` for neither, and for one that is more than words. */
function filterOf(path: string, query: URLSearchParams): Filter | undefined {
  if (path !== '/') return undefined
  const tag = wordsIn(query.get('tag'), 32)
  if (tag !== undefined) {
    const title = `Memories tagged ${tag}`
    return {
      title,
      description: `Memories of agents with the tag ${tag}.`,
      query: new URLSearchParams({ tag }),
    }
  }
  const search = wordsIn(query.get('search'), 64)
  if (search === undefined) return undefined
  const title = `Memories about ${search}`
  const description = `Memories of agents that match the search ${search}.`
  return { title, description, query: new URLSearchParams({ search }), more: [unlisted] }
}

function wordsIn(text: string | null, most: number): string | undefined {
  const isShort = text !== null && text.length <= most
  return isShort && /^[\p{L}\p{M}\p{N} _-]+$/u.test(text) ? text : undefined
}

function wordsOf(path: string): Words | undefined {
  const [, kind, name = ''] = /^\/(account|docs\/guides)\/([^/]+)$/.exec(path) ?? []
  if (kind === 'account') {
    return [`Account ${name}`, 'What an account offers, made, owns and has earned.']
  }
  if (kind !== undefined && Object.hasOwn(guideTitles, name)) {
    return [guideTitles[name] ?? name, 'A guide of Heirloom.']
  }
  return Object.hasOwn(heads, path) ? heads[path] : undefined
}
