import type { CataloguedToken } from '@heirloom/core'
import { imageSize } from './card-drawing.ts'
import { escapeMarkup } from './escape-markup.ts'

/** Describes what a shared link shows of a token. */
export type Shared = Pick<CataloguedToken, 'tokenId' | 'card' | 'erasedAt'>

/** The longest description, in characters; sites show less. */
const longestDescription = 300

/** The elements of the document that are replaced. */
const replaced = /<meta name="description"[^>]*>\s*|<title>[^<]*<\/title>/g

/**
 * Returns the page's document for a token, whose head has the title, the description, the canonical
 * address and the image for sites that show a preview of a link (OpenGraph).
 */
export function documentOfToken(
  document: string,
  token: Shared,
  { origin, hasImage }: { readonly origin: string; readonly hasImage: boolean },
): string {
  const head = shareHead(token, origin, hasImage)
  return document.replaceAll(replaced, '').replace('</head>', () => `${head}</head>`)
}

function shareHead({ tokenId, card, erasedAt }: Shared, origin: string, hasImage: boolean): string {
  const shown = erasedAt === undefined ? card : undefined
  const title = shown?.title ?? `Memory No. ${tokenId}`
  const description = describe(shown?.description)
  const address = `${origin}/token/${tokenId}`
  return [
    `<title>${escapeMarkup(title)} · Heirloom</title>`,
    meta('name', 'description', description),
    `<link rel="canonical" href="${escapeMarkup(address)}">`,
    ...[meta('property', 'og:type', 'website'), meta('property', 'og:site_name', 'Heirloom')],
    ...[meta('property', 'og:title', title), meta('property', 'og:description', description)],
    meta('property', 'og:url', address),
    ...(hasImage ? imageMetas(`${address}/card.png`, title) : []),
  ].join('')
}

const { width, height } = imageSize

const imageMetas = (address: string, title: string): readonly string[] => [
  meta('property', 'og:image', address),
  ...[
    meta('property', 'og:image:type', 'image/png'),
    meta('property', 'og:image:width', `${width}`),
  ],
  meta('property', 'og:image:height', `${height}`),
  meta('property', 'og:image:alt', `The seal and the title of ${title}`),
  meta('name', 'twitter:card', 'summary_large_image'),
]

const meta = (kind: 'name' | 'property', name: string, content: string): string =>
  `<meta ${kind}="${name}" content="${escapeMarkup(content)}">`

function describe(text = ''): string {
  const line = text.replace(/\s+/gu, ' ').trim()
  if (line === '') return 'A memory of an agent, with its provenance.'
  const characters = [...line]
  if (characters.length <= longestDescription) return line
  return `${characters.slice(0, longestDescription - 1).join('')}…`
}
