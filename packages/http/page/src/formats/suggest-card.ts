import type { FormatName, ImportedCount } from '@heirloom/adapters/formats'
import { tagOf, titleContent } from './describe-format.ts'

/** Labels and a public description that fit the files; each may be empty. */
export type Suggestion = Readonly<ReturnType<typeof suggestCard>>

type SuggestCardOptions = {
  /** The name of the file or folder; empty when it has none. */
  readonly name: string
  readonly format: FormatName
  readonly data: unknown
  readonly metadata: unknown
  readonly taken: readonly ImportedCount[]
}

/** The most names or headings that are suggested. */
const mostNames = 6

/** The most counts that are suggested. */
const mostCounts = 5

/**
 * Suggests a description from the structure of files: their format, counts, names and headings. No
 * value of the memory is in it, because it becomes public.
 */
export function suggestCard({ name, format, data, metadata, taken }: SuggestCardOptions) {
  const label = (member: string) => textIn(metadata, member)
  const names = topicsOf({ data, format, metadata })
  const sentences = [
    `${titleContent({ format, taken: taken.slice(0, mostCounts) })}.`,
    ...(names.length === 0 ? [] : [`Contains ${names.join(', ')}.`]),
  ]
  return {
    category: label('category'),
    agentId: label('agentId'),
    version: label('version'),
    title: clean(label('agentId') === '' ? titleFrom(name) : `Memory of ${label('agentId')}`, 120),
    description: clean(sentences.join(' '), 2000),
    tags: tagsFrom(format, names),
  }
}

function textIn(value: unknown, member: string): string {
  const found = (value as Readonly<Record<string, unknown>> | undefined)?.[member]
  return typeof found === 'string' ? found : ''
}

type Structure = Pick<SuggestCardOptions, 'data' | 'format' | 'metadata'>

/** Returns the headings of Markdown files, or the names at the top of JSON. */
function topicsOf(structure: Structure): readonly string[] {
  const headings = headingsOf(structure.data)
  const names = headings.length > 0 ? headings : ownNamesOf(structure)
  const plain = names.map((it) => clean(it, 40)).filter((it) => it !== '')
  return [...new Set(plain)].slice(0, mostNames)
}

function headingsOf(data: unknown): readonly string[] {
  const { files } = (data ?? {}) as { readonly files?: unknown }
  const texts = typeof files === 'object' && files !== null ? Object.values(files) : []
  return texts.flatMap((text) =>
    typeof text === 'string'
      ? [...text.slice(0, 100_000).matchAll(/^#{1,3} +(\S.*?) *$/gm)].map(([, it = '']) => it)
      : [],
  )
}

/** Returns the names that the author of a JSON text chose: those of a known format say nothing. */
function ownNamesOf({ data, format, metadata }: Structure): readonly string[] {
  const { importedFrom } = metadata as { readonly importedFrom?: { readonly form?: unknown } }
  // A list or lines stand below a name that the import gives them.
  const isWrapped = importedFrom?.form !== undefined
  if (format !== 'json' || isWrapped || typeof data !== 'object' || data === null) return []
  return Object.keys(data)
    .filter((it) => !isTechnical(it))
    .map((it) => it.replaceAll('_', ' '))
}

const technicalName =
  /^[$_@]|^(?:(?:.+_)?(?:ids?|uuid|at|ts|url|uri|hash)|key|type|kind|version|schema|format|meta|metadata|timestamp|created|updated|data|items|values?)$/i

/** Returns whether a name of JSON is for programs, such as `created_at`, `userId` or `API_KEY`. */
const isTechnical = (name: string) =>
  technicalName.test(name) || /[a-z][A-Z]/.test(name) || /^[A-Z]+(?:_[A-Z\d]+)+$/.test(name)

function titleFrom(name: string): string {
  const stem = name.replace(/\.[a-z0-9]{1,8}$/i, '').replaceAll(/[-_]+/g, ' ')
  const text = clean(stem, 120)
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

function tagsFrom(format: FormatName, names: readonly string[]): string {
  const known = [tagOf(format)].filter((it) => it !== undefined)
  const short = names
    .map((it) => it.toLowerCase())
    .filter((it) => /^[\p{L}\p{N} -]{2,24}$/u.test(it))
  return [...new Set([...known, ...short])].slice(0, 5).join(', ')
}

/** Keeps letters, numbers and plain punctuation in one line, of a length. */
const clean = (text: string, most: number): string =>
  text
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}\p{Po}\p{Pd}\p{Ps}\p{Pe} ]/gu, ' ')
    .replaceAll(/ +/g, ' ')
    .trim()
    .slice(0, most)
    .trim()
