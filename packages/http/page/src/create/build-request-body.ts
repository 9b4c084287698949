import { buildCard, type Draft, listExcerpts } from './draft.ts'
import type { Source } from './source.ts'

/** Builds the body of a snapshot; the data and metadata of the files stay exactly as they are. */
export function buildRequestBody(
  source: Source,
  draft: Draft,
  recipient: string | undefined,
): Blob {
  const card = buildCard(draft)
  const metadata = source.metadata ?? buildMetadata(draft, source)
  const excerpts = listExcerpts(draft, metadata)
  const parent = draft.parent.trim()
  const members = [
    `"metadata":${metadata}`,
    ...(card === undefined
      ? []
      : [`"card":${JSON.stringify({ ...card, ...(excerpts.length > 0 && { excerpts }) })}`]),
    ...(parent === '' ? [] : [`"parentTokenId":"${parent}"`]),
    ...(recipient === undefined ? [] : [`"recipient":"${recipient}"`]),
  ]
  return new Blob(['{"data":', source.data, `,${members.join(',')}}`])
}

/** Builds the metadata of a draft, as JSON, with what restores the files. */
export function buildMetadata(
  { category, agentId, version }: Draft,
  { origin }: Pick<Source, 'origin'>,
): string {
  const labels = JSON.stringify({
    category: category.trim(),
    ...(agentId.trim() !== '' && { agentId: agentId.trim() }),
    ...(version.trim() !== '' && { version: version.trim() }),
  })
  return origin === undefined ? labels : `${labels.slice(0, -1)},"importedFrom":${origin}}`
}
