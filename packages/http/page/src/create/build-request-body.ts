import { buildCard, type Draft, parseExcerpts } from './draft.ts'
import type { Source } from './source.ts'

/** Builds the body of a snapshot; the data and metadata of the file stay exactly as they are. */
export function buildRequestBody(
  source: Source,
  draft: Draft,
  recipient: string | undefined,
): string {
  const card = buildCard(draft)
  const excerpts = parseExcerpts(draft)
  const parent = draft.parent.trim()
  const members = [
    `"data":${source.data}`,
    `"metadata":${source.metadata ?? buildMetadata(draft)}`,
    ...(card === undefined
      ? []
      : [`"card":${JSON.stringify({ ...card, ...(excerpts.length > 0 && { excerpts }) })}`]),
    ...(parent === '' ? [] : [`"parentTokenId":"${parent}"`]),
    ...(recipient === undefined ? [] : [`"recipient":"${recipient}"`]),
  ]
  return `{${members.join(',')}}`
}

/** Builds the metadata of a draft, as JSON. */
export function buildMetadata({ category, agentId, version }: Draft): string {
  return JSON.stringify({
    category: category.trim(),
    ...(agentId.trim() !== '' && { agentId: agentId.trim() }),
    ...(version.trim() !== '' && { version: version.trim() }),
  })
}
