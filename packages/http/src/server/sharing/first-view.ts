import type { CataloguedToken } from '@heirloom/core'
import { routeOf } from '../../api/operations/paths.ts'
import { drawRosette } from '../../api/rosette.ts'
import { escapeMarkup } from './card-drawing.ts'

/** Describes what is seen first of a token. */
type FirstSeen = Pick<CataloguedToken, 'tokenId' | 'card' | 'contentHash' | 'originality'>

const emptyMain = '<main id="main"></main>'

/**
 * Returns the document of a token with its seal and title, in the elements of the page's own view,
 * which takes their place when its scripts have run. On a slow phone that is a second later. A copy
 * has neither before the page says what it is.
 */
export function withFirstView(document: string, token: FirstSeen): string {
  if (token.originality === 'copied') return document
  const main = [
    '<main id="main"><article class="token"><header class="head">',
    `${seal(token.contentHash)}<div><p class="number">No. ${token.tokenId}</p>`,
    `<h1>${title(token)}</h1></div></header></article></main>`,
  ]
  return document.replace(emptyMain, () => main.join(''))
}

const title = ({ card }: FirstSeen): string =>
  card === undefined ? 'Untitled memory' : `<bdi dir="auto">${escapeMarkup(card.title)}</bdi>`

function seal(contentHash: string): string {
  const { curves, ink } = drawRosette(contentHash)
  const paths = curves.map((d) => `<path d="${d}"/>`).join('')
  return [
    `<svg class="seal ink-${ink}" viewBox="0 0 100 100" aria-hidden="true">`,
    `<circle cx="50" cy="50" r="47"/><circle cx="50" cy="50" r="44.5"/>${paths}</svg>`,
  ].join('')
}

/** The scripts that the view of a token begins with; the first script would name them late. */
const beginning = /^(base|memory)-[\w-]{8}\.js$/

/** Returns the elements that make a browser load what the view of a token needs while it reads the first script. */
export const preloadsOf = (tokenId: string, assets: Iterable<string>): readonly string[] => [
  ...[...assets]
    .filter((name) => beginning.test(name))
    .map((name) => `<link rel="modulepreload" href="/assets/${name}">`),
  `<link rel="preload" as="fetch" crossorigin href="${routeOf('tokens').path}?tokenId=${tokenId}&amp;limit=1">`,
]
