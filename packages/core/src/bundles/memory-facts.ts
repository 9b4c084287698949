import { isVisible, misleadingSpace, misleadingText } from '../values/misleading-text.ts'
import type { Excerpt } from './items-root.ts'

/** The number of things of one kind in a memory. */
export type FactCount = { readonly what: string; readonly count: number }

/**
 * The facts in the labels of a memory that its creator shows as excerpts. The writer of the
 * labels may have written any words; an excerpt proves only that the sealed memory has them.
 * Texts with characters that titles of cards may not have are no facts.
 */
export type MemoryFacts = {
  /** The name of the format of the files that it was imported from. */
  readonly format?: string
  /** The number of things of each kind in these files. */
  readonly counts?: readonly FactCount[]
  readonly agentId?: string
  /** The version of the agent, or of the memory, as its creator names it. */
  readonly version?: string
}

const sources = {
  format: '/metadata/importedFrom/format',
  counts: '/metadata/importedFrom/counts',
  agentId: '/metadata/agentId',
  version: '/metadata/version',
} as const satisfies Readonly<Record<keyof MemoryFacts, string>>

/** The JSON pointers of the labels that are shown as facts. */
export const factPointers: readonly string[] = Object.values(sources)

/** Reads the facts among the excerpts of a memory; a value that is none is left out. */
export function readFacts(excerpts: readonly Excerpt[]): MemoryFacts {
  const find = (pointer: string) =>
    parse(excerpts.find((excerpt) => excerpt.pointer === pointer)?.value)
  return factsOf(find)
}

/** Returns the JSON pointers of the facts that parsed metadata has. */
export function factPointersIn(metadata: unknown): readonly string[] {
  const facts = factsOf((pointer) =>
    pointer.split('/').slice(2).reduce<unknown>(memberOf, metadata),
  )
  return Object.entries(sources).flatMap(([name, pointer]) => (name in facts ? [pointer] : []))
}

function factsOf(find: (pointer: string) => unknown): MemoryFacts {
  const [format, agentId, version] = [sources.format, sources.agentId, sources.version]
    .map(find)
    .map((it) => (isLabel(it) ? it : undefined))
  const counts = find(sources.counts)
  return {
    ...(format !== undefined && { format }),
    ...(areCounts(counts) && { counts }),
    ...(agentId !== undefined && { agentId }),
    ...(version !== undefined && { version }),
  }
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Readonly<Record<string, unknown>>)[name]
}

/** The most characters of a label, and the most counts. */
const [longest, mostCounts] = [120, 32]

/** Returns whether a value is one line that a card could have as its title. */
const isLabel = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= longest && isVisible(value) && !isMisleading(value)

const isMisleading = (text: string): boolean =>
  misleadingText(text) !== undefined || misleadingSpace(text) !== undefined

const areCounts = (value: unknown): value is readonly FactCount[] =>
  Array.isArray(value) && value.length > 0 && value.length <= mostCounts && value.every(isCount)

function isCount(value: unknown): boolean {
  const count = memberOf(value, 'count')
  return isLabel(memberOf(value, 'what')) && Number.isSafeInteger(count) && Number(count) >= 0
}

function parse(value: string | undefined): unknown {
  try {
    return value === undefined ? undefined : JSON.parse(value)
  } catch {
    return undefined
  }
}
