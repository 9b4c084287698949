import type { FormatName, ImportedCount } from '@heirloom/adapters/formats'
import { describeFormat } from './describe-format.ts'

/** Labels and a public description that fit the files; each may be empty. */
export type Suggestion = {
  readonly category: string
  readonly agentId: string
  readonly version: string
  readonly title: string
  readonly description: string
  readonly tags: string
}

export declare namespace suggestCard {
  type Options = {
    readonly name: string
    readonly format: FormatName
    readonly data: unknown
    readonly metadata: unknown
    readonly taken: readonly ImportedCount[]
  }
}

/** The most names or headings that are suggested. */
const mostNames = 6

/**
 * Suggests a description from the structure of files: their format, counts, names and headings. No
 * value of the memory is in it, because it becomes public.
 */
export function suggestCard({
  name,
  format,
  data,
  metadata,
  taken,
}: suggestCard.Options): Suggestion {
  const label = (member: string) => textIn(metadata, member)
  const names = topicsOf(data)
  const counts = taken.filter(({ count }) => count > 0).map(describeCount)
  const what = format === 'json' ? 'JSON' : describeFormat(format)
  const sentences = [
    counts.length === 0 ? `${what}.` : `${what}: ${counts.slice(0, 5).join(', ')}.`,
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

const describeCount = ({ what, count }: ImportedCount) =>
  `${count.toLocaleString('en')} ${count === 1 ? what.replace(/s$/, '') : what}`

function textIn(value: unknown, member: string): string {
  const found = (value as Readonly<Record<string, unknown>> | undefined)?.[member]
  return typeof found === 'string' ? found : ''
}

/** Returns the headings of Markdown files, or the names at the top of other data. */
function topicsOf(data: unknown): readonly string[] {
  if (typeof data !== 'object' || data === null) return []
  const { files } = data as { readonly files?: unknown }
  const texts = typeof files === 'object' && files !== null ? Object.values(files) : []
  const headings = texts.flatMap((text) =>
    typeof text === 'string' ? [...text.slice(0, 100_000).matchAll(/^#{1,3} +(\S.*?) *$/gm)] : [],
  )
  const names = headings.length > 0 ? headings.map(([, it = '']) => it) : Object.keys(data)
  const plain = names.map((it) => clean(it.replaceAll('_', ' '), 40)).filter((it) => it !== '')
  return [...new Set(plain)].slice(0, mostNames)
}

function titleFrom(name: string): string {
  const stem = name.replace(/\.[a-z0-9]{1,8}$/i, '').replaceAll(/[-_]+/g, ' ')
  const text = clean(stem, 120)
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

function tagsFrom(format: FormatName, names: readonly string[]): string {
  const known = format === 'json' ? [] : [format]
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
