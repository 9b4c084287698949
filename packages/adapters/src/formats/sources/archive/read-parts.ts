import { type SourceFile, throwMalformed } from '../../source-file.ts'
import type { ArchiveEntry } from './archive-entry.ts'
import { type ConversationArchive, numberedItems } from './conversation-archive.ts'
import { longestPart, type Part } from './plan-parts.ts'

/** A part of an export, and the file of conversations that it is. */
export type PartFile = { readonly part: Part; readonly file: SourceFile }

/**
 * Yields the parts of an export as files that `importMemory` takes: a JSON list of the items, each
 * as its exact bytes. Reads the export once for about 16 MiB of parts, and holds no more than these.
 *
 * @throws `import/malformed`
 */
export async function* readParts(
  archive: ConversationArchive,
  parts: readonly Part[],
): AsyncGenerator<PartFile> {
  for (const group of groupsOf(parts)) {
    const texts = await collectItems(archive, group)
    for (const part of group) yield { part, file: fileOf(part, texts) }
  }
}

/** Returns the parts in groups that fit into memory together. */
function groupsOf(parts: readonly Part[]): readonly (readonly Part[])[] {
  const groups: { parts: Part[]; bytes: number }[] = []
  for (const part of parts) {
    const last = groups.at(-1)
    if (last !== undefined && last.bytes + part.bytes <= longestPart) {
      last.parts.push(part)
      last.bytes += part.bytes
    } else groups.push({ parts: [part], bytes: part.bytes })
  }
  return groups.map((group) => group.parts)
}

type Texts = Map<string, Uint8Array>

async function collectItems(archive: ConversationArchive, parts: readonly Part[]): Promise<Texts> {
  const sizes = new Map(
    parts.flatMap(({ items }) => items.map((item) => [keyOf(item), item.bytes] as const)),
  )
  const needed = new Set(parts.flatMap(({ items }) => items.map(({ entry }) => entry)))
  const texts: Texts = new Map()
  for (const [entry, file] of archive.entries.entries()) {
    if (needed.has(entry)) await collectFrom(file, entry, { sizes, texts })
  }
  if (texts.size < sizes.size) throwMalformed('The export', 'it was changed while it was read')
  return texts
}

type Collected = { readonly sizes: ReadonlyMap<string, number>; readonly texts: Texts }

async function collectFrom(file: ArchiveEntry, entry: number, { sizes, texts }: Collected) {
  for await (const [nth, { bytes }] of numberedItems(file)) {
    const key = keyOf({ entry, nth })
    if (bytes !== undefined && sizes.get(key) === bytes.length) texts.set(key, bytes)
  }
}

const keyOf = ({ entry, nth }: { readonly entry: number; readonly nth: number }) =>
  `${entry}/${nth}`

const [open, comma, close] = ['[', ',', ']'].map((text) => text.charCodeAt(0)) as [
  number,
  number,
  number,
]

function fileOf({ items, bytes: length }: Part, texts: Texts): SourceFile {
  const bytes = new Uint8Array(length)
  let at = 0
  for (const item of items) {
    const text = texts.get(keyOf(item)) as Uint8Array
    bytes[at] = at === 0 ? open : comma
    at += 1
    bytes.set(text, at)
    at += text.length
  }
  bytes[at] = close
  return { path: 'conversations.json', bytes }
}
