import { guideTitles } from '../../api/guide-titles.ts'
import type { Head } from './document-head.ts'

const about = 'Agent memory you can own, prove, pass on and trade.'

const heads: Readonly<Record<string, readonly [title: string, description: string]>> = {
  '/': ['Heirloom', about],
  '/mine': ['My memories', 'What a wallet owns, rents, has created and has earned.'],
  '/create': ['Create', 'Seal a memory of an agent from a file, and mint it.'],
  '/activity': ['Activity', 'Mints, listings, sales, rentals, forks and royalties.'],
  '/operate': ['Operate', 'The state of this server.'],
  '/docs': ['Reference and guides', 'Every route of this server, and guides to use it.'],
}

/**
 * Returns the head of the document of a view but that of a token; `undefined` where there is no such
 * view. Of the query only a tag makes another page; orders and filters show the same one.
 */
export function headOfView(url: string, origin: string): Head | undefined {
  const { pathname, searchParams } = new URL(url, origin)
  const [title, description] = wordsOf(pathname, searchParams) ?? []
  if (title === undefined || description === undefined) return undefined
  const tag = tagOf(pathname, searchParams)
  const query = tag === '' ? '' : `?${new URLSearchParams({ tag })}`
  return { title, description, address: `${origin}${pathname}${query}` }
}

/** Returns the tag of a list; empty for none, and for one that is more than words. */
function tagOf(path: string, query: URLSearchParams): string {
  const tag = path === '/' ? (query.get('tag') ?? '') : ''
  return /^[\p{L}\p{M}\p{N} _-]{1,32}$/u.test(tag) ? tag : ''
}

function wordsOf(path: string, query: URLSearchParams) {
  const tag = tagOf(path, query)
  if (tag !== '') return [`Memories tagged ${tag}`, `Memories of agents with the tag ${tag}.`]
  const [, kind, name = ''] = /^\/(account|docs\/guides)\/([^/]+)$/.exec(path) ?? []
  if (kind === 'account') {
    return [`Account ${name}`, 'What an account offers, made, owns and has earned.']
  }
  if (kind !== undefined && Object.hasOwn(guideTitles, name)) {
    return [guideTitles[name] ?? name, 'A guide of Heirloom.']
  }
  return Object.hasOwn(heads, path) ? heads[path] : undefined
}
