import { type Excerpt, type MemoryFacts, readFacts } from '@heirloom/core'
import { describeCount, formatNameOf } from '../formats/describe-format.ts'

type Excerpts = readonly Excerpt[]

/** Returns the facts that the excerpts of a memory show, each with its name. */
export function describeFacts(excerpts: Excerpts): readonly (readonly [string, string])[] {
  const { format, counts, agentId, version } = readFacts(excerpts)
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Format', format && formatNameOf(format)],
    ['Contains', describeCounts(counts)],
    ['Agent', agentId],
    ['Version', version],
  ]
  return facts.flatMap(([name, text]) => (text === undefined ? [] : [[name, text] as const]))
}

/** The most counts that a card names. */
const mostOnCard = 2

/** Describes in one line which kind of memory it is; empty when its excerpts show nothing of it. */
export function describeKind(excerpts: Excerpts): string {
  const { format, counts } = readFacts(excerpts)
  return [format && formatNameOf(format), describeCounts(counts?.slice(0, mostOnCard))]
    .filter((it) => it !== undefined)
    .join(' · ')
}

const describeCounts = (counts: MemoryFacts['counts']): string | undefined =>
  counts?.map(describeCount).join(', ')
