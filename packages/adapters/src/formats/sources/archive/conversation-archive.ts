import type { Omission } from '../../import-report.ts'
import { claude } from '../../importers/claude.ts'
import {
  type Conversation,
  type ConversationFormat,
  conversationFormatOf,
  describeConversation,
} from '../../importers/conversation.ts'
import { decodeUtf8 } from '../../importers/json-file.ts'
import { throwMalformed } from '../../source-file.ts'
import { type ListItem, listItems } from '../list-items.ts'
import { type ArchiveEntries, type ArchiveEntry, archiveLimits } from './archive-entry.ts'

/** One conversation, project or file of memories of an export. */
export type ArchiveItem = Conversation & {
  readonly format: ConversationFormat
  /** The file of the export, by its place, and the place of the item in it. */
  readonly entry: number
  readonly nth: number
  readonly bytes: number
}

/** An export of ChatGPT or Claude, whose items are listed, but not held. */
export type ConversationArchive = {
  readonly items: readonly ArchiveItem[]
  /** Describes what is in the export and will not be imported, whatever is chosen. */
  readonly left: readonly Omission[]
  readonly entries: readonly ArchiveEntry[]
  readonly close: () => Promise<void>
}

/**
 * Lists what is in an export. Reads all of it once, and holds one item at a time.
 *
 * @throws `import/malformed`
 */
export async function listArchive(files: ArchiveEntries): Promise<ConversationArchive> {
  const { entries, others, close } = files
  const found: Found = { items: [], left: [] }
  for (const [entry, file] of entries.entries()) await listEntry(found, entry, file)
  const { items, left } = found
  if (items.length === 0) {
    throwMalformed('The export', 'it has no conversations of ChatGPT or Claude')
  }
  return { items, left: [...left, ...describeOthers(others)], entries, close }
}

type Found = { readonly items: ArchiveItem[]; readonly left: Omission[] }

async function listEntry({ items, left }: Found, entry: number, file: ArchiveEntry) {
  for await (const [nth, item] of numberedItems(file)) {
    const described = describeItem(item)
    if (described === undefined) left.push(omissionOf(file, nth, item))
    else items.push({ ...described, entry, nth, bytes: item.length })
    if (items.length + left.length > archiveLimits.items) {
      throwMalformed('The export', `it has more than ${archiveLimits.items} items`)
    }
  }
}

/** Yields the items of a file of an export with their places. */
export async function* numberedItems(file: ArchiveEntry): AsyncGenerator<[number, ListItem]> {
  const options = { subject: file.path, longest: archiveLimits.itemBytes }
  let nth = 0
  for await (const item of listItems(file.read(), options)) yield [nth++, item]
}

type Described = Conversation & { readonly format: ConversationFormat }

function describeItem({ bytes }: ListItem): Described | undefined {
  const value = bytes === undefined ? undefined : tryParse(bytes)
  const format = conversationFormatOf(value) ?? (claude.matches(value) ? 'claude' : undefined)
  if (format === undefined) return undefined
  const { id, title, at } = describeConversation(value)
  // Short texts of their own, because a slice would hold the whole text of the item.
  const copy = (text: string) => Buffer.from(text.slice(0, 200)).toString()
  return { id: copy(id), title: copy(title), at, format }
}

function tryParse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decodeUtf8(bytes) ?? '')
  } catch {
    return undefined
  }
}

function omissionOf({ path }: ArchiveEntry, nth: number, { bytes, length }: ListItem): Omission {
  const what = `${path}, item ${nth + 1} (${length} bytes)`
  if (bytes === undefined) {
    return {
      what,
      why: `a memory takes at most ${archiveLimits.itemBytes} bytes of one conversation`,
      isLoss: true,
    }
  }
  return {
    what,
    why: 'it is no conversation, project or memory of ChatGPT or Claude',
    isLoss: true,
  }
}

/** The most names that are listed of one kind of files. */
const most = 5

/** Reports the files of an export that are not imported, by their endings. */
function describeOthers(paths: readonly string[]): readonly Omission[] {
  const kinds = new Map<string, string[]>()
  for (const path of paths) {
    const kind = /\.([a-z0-9]{1,8})$/i.exec(path)?.[1]?.toLowerCase() ?? ''
    const same = kinds.get(kind)
    if (same === undefined) kinds.set(kind, [path])
    else same.push(path)
  }
  return [...kinds].map(([kind, names]) => ({ what: describeNames(names), why: whyLeft(kind) }))
}

function describeNames(names: readonly string[]): string {
  const listed = names.slice(0, most).map((name) => name.slice(0, 100))
  const more = names.length - listed.length
  return more === 0 ? listed.join(', ') : `${listed.join(', ')} and ${more} more`
}

function whyLeft(kind: string): string {
  if (kind === 'html') return 'it shows what the other files have'
  if (kind === 'json') return 'it is about the account, not a conversation'
  if (kind === 'zip') return 'it is an archive in an archive; import it by itself'
  return 'only conversations, projects and memories are imported'
}
