import { imageSize } from './card-drawing.ts'
import { escapeMarkup } from './escape-markup.ts'

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
