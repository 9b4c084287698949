import type { CataloguedToken } from '@heirloom/core'
import { documentWith, imageMetas } from './document-head.ts'

/** Describes what a shared link shows of a token. */
export type Shared = Pick<CataloguedToken, 'tokenId' | 'card' | 'erasedAt'>

/** The longest description, in characters; sites show less. */
const longestDescription = 300

/**
 * Returns the page's document for a token, whose head has the title, the description, the canonical
 * address and the image for sites that show a preview of a link (OpenGraph).
 */
export function documentOfToken(
  document: string,
  token: Shared,
  { origin, hasImage }: { readonly origin: string; readonly hasImage: boolean },
): string {
  const { tokenId, card, erasedAt } = token
  const shown = erasedAt === undefined ? card : undefined
  const title = shown?.title ?? `Memory No. ${tokenId}`
  const address = `${origin}/token/${tokenId}`
  const description = describe(shown?.description)
  const more = hasImage
    ? imageMetas(`${address}/card.png`, `The seal and the title of ${title}`)
    : []
  return documentWith(document, { title, description, address, more })
}

function describe(text = ''): string {
  const line = text.replace(/\s+/gu, ' ').trim()
  if (line === '') return 'A memory of an agent, with its provenance.'
  const characters = [...line]
  if (characters.length <= longestDescription) return line
  return `${characters.slice(0, longestDescription - 1).join('')}…`
}
