import { type Excerpt, type FactCount, readFacts } from '@heirloom/core'
import { describeCount, findFormatName } from '../formats/describe-format.ts'

type Excerpts = readonly Excerpt[]

/** A fact of a memory, in words of this program, in words of its maker, or both. */
export type Fact = {
  readonly name: string
  /** The text in words of this program. */
  readonly known?: string
  /** The text in words of the maker, which may be any. */
  readonly words?: string
}

/** Returns the facts that the excerpts of a memory show. */
export function describeFacts(excerpts: Excerpts): readonly Fact[] {
  const { format, counts = [], agentId, version } = readFacts(excerpts)
  const known = format && findFormatName(format)
  const others = counts.filter(({ what }) => !isCountKind(what))
  return [
    ...factOf('Format', known, known === undefined ? format : undefined),
    ...factOf('Contains', describeCounts(counts), join(others.map(copyCount))),
    ...factOf('Agent', undefined, agentId),
    ...factOf('Version', undefined, version),
  ]
}

function factOf(name: string, known?: string, words?: string): readonly Fact[] {
  if (known === undefined && words === undefined) return []
  return [{ name, ...(known !== undefined && { known }), ...(words !== undefined && { words }) }]
}

/** The most counts that a card names. */
const mostOnCard = 2

/**
 * Describes in one line which kind of memory it is, without words of its maker; empty when its
 * excerpts show nothing of it that this program knows.
 */
export function describeKind(excerpts: Excerpts): string {
  const { format, counts = [] } = readFacts(excerpts)
  return [format && findFormatName(format), describeCounts(counts, mostOnCard)]
    .filter((it) => it !== undefined)
    .join(' · ')
}

/** Describes the counts of known kinds, the first `most` of them. */
const describeCounts = (counts: readonly FactCount[], most?: number): string | undefined =>
  join(
    counts
      .filter(({ what }) => isCountKind(what))
      .slice(0, most)
      .map(describeCount),
  )

const copyCount = ({ what, count }: FactCount) => `${count.toLocaleString('en')} ${what}`

const join = (texts: readonly string[]): string | undefined =>
  texts.length === 0 ? undefined : texts.join(', ')

const kinds: ReadonlySet<string> = new Set([
  ...['members of data', 'members', 'items', 'values', 'texts', 'texts with front matter'],
  ...['agents', 'messages', 'LLM settings', 'blocks', 'groups', 'files', 'sources', 'tools'],
  ...['MCP servers', 'skills', 'unknown members', 'conversations', 'projects', 'documents'],
  ...['memories', 'memories of projects', 'nodes', 'types of nodes', 'edges', 'episodes'],
  'indices',
  ...['entities', 'facts', 'facts that ended', 'memory blocks', 'other files', 'observations'],
  ...['relations', 'lines of other types', 'namespaces', 'threads', 'rows of checkpoints'],
  ...['rows of checkpoint_blobs', 'rows of writes', 'rows of checkpoint_writes', 'characters'],
  ...['lines of the biography', 'lore', 'example conversations', 'example posts', 'topics'],
  ...['adjectives', 'pieces of knowledge'],
])

/** Returns whether a text is a kind of things that an importer counts, in its words. */
export const isCountKind = (text: string): boolean => kinds.has(text)
