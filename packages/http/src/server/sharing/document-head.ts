import { guideTitles } from '../../api/guide-titles.ts'
import { type DrawnView, escapeMarkup, imageSize } from './card-drawing.ts'

/** The title, the description and the address of a document, in plain text. */
export type Head = {
  readonly title: string
  readonly description: string
  /** The canonical address. */
  readonly address: string
  /** Elements to add, as markup. */
  readonly more?: readonly string[]
}

/** The elements of the document that are replaced. */
const replaced = /<meta name="description"[^>]*>\s*|<title>[^<]*<\/title>/g

/** Returns the page's document with a title, a description and an address for browsers and for sites that show a preview of a link (OpenGraph). */
export function documentWith(document: string, head: Head): string {
  const { title, description, address, more = [] } = head
  const name = title === 'Heirloom' ? title : `${title} · Heirloom`
  const markup = [
    `<title>${escapeMarkup(name)}</title>`,
    meta('name', 'description', description),
    `<link rel="canonical" href="${escapeMarkup(address)}">`,
    ...[meta('property', 'og:type', 'website'), meta('property', 'og:site_name', 'Heirloom')],
    ...[meta('property', 'og:title', title), meta('property', 'og:description', description)],
    meta('property', 'og:url', address),
    ...more,
  ].join('')
  return document.replaceAll(replaced, '').replace('</head>', () => `${markup}</head>`)
}

/** Returns a meta element. */
export const meta = (kind: 'name' | 'property', name: string, content: string): string =>
  `<meta ${kind}="${name}" content="${escapeMarkup(content)}">`

const { width, height } = imageSize

/** Returns the elements that name the image of a document. */
export const imageMetas = (address: string, alt: string): readonly string[] => [
  meta('property', 'og:image', address),
  meta('property', 'og:image:type', 'image/png'),
  meta('property', 'og:image:width', `${width}`),
  meta('property', 'og:image:height', `${height}`),
  meta('property', 'og:image:alt', alt),
  meta('name', 'twitter:card', 'summary_large_image'),
]

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
