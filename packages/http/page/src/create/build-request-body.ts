import { cardOf, type Draft } from './draft.ts'
import type { Source } from './source.ts'

/** Returns the text to post: the data and metadata of the file stay letter for letter as they are. */
export function requestBody(source: Source, draft: Draft, recipient: string | undefined): string {
  const card = cardOf(draft)
  const parent = draft.parent.trim()
  const members = [
    `"data":${source.data}`,
    `"metadata":${source.metadata ?? labels(draft)}`,
    ...(card === undefined ? [] : [`"card":${JSON.stringify(card)}`]),
    ...(parent === '' ? [] : [`"parentTokenId":"${parent}"`]),
    ...(recipient === undefined ? [] : [`"recipient":"${recipient}"`]),
  ]
  return `{${members.join(',')}}`
}

/** Returns the metadata that a draft says, as JSON. */
export function labels({ category, agentId, version }: Draft): string {
  return JSON.stringify({
    category: category.trim(),
    ...(agentId.trim() !== '' && { agentId: agentId.trim() }),
    ...(version.trim() !== '' && { version: version.trim() }),
  })
}
