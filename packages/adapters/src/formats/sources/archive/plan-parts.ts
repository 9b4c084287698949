import type { ConversationFormat } from '../../importers/conversation.ts'
import { throwMalformed } from '../../source-file.ts'
import { archiveLimits } from './archive-entry.ts'
import type { ArchiveItem } from './conversation-archive.ts'

/** Describes how an export is cut into memories. */
export const splits = ['year', 'month', 'conversation'] as const
/** Describes how a large export is split into several memories. */
export type Split = (typeof splits)[number]

/** The items to import, and how they are cut into memories; absent means all, and one memory. */
export type PartChoice = {
  readonly split?: Split | undefined
  /** An id, or a part of a title in any case. */
  readonly only?: string | undefined
  /** The first and the last day, such as `2026-01-31`, in UTC. */
  readonly since?: string | undefined
  readonly until?: string | undefined
}

/** A memory that is made of items of an export. */
export type Part = {
  /** Describes what distinguishes it from the others, as the last segment of a name; empty for all in one. */
  readonly label: string
  readonly format: ConversationFormat
  readonly items: readonly ArchiveItem[]
  readonly bytes: number
}

/**
 * The most bytes of the items of a memory where an export is cut, unless one conversation has more:
 * an import takes some forty times the bytes of its file while it searches for secrets.
 */
export const longestPart = 16 * 2 ** 20

/**
 * Chooses items of an export, and cuts them into memories, in the order of time. A part that is too
 * long for a memory is cut into several: `2026-03`, `2026-03-2`.
 *
 * @throws `import/malformed` when nothing is chosen, or all of it does not fit into one memory
 */
export function planParts(items: readonly ArchiveItem[], choice: PartChoice): readonly Part[] {
  const chosen = items.filter((item) => isChosen(item, choice))
  if (chosen.length === 0) throwMalformed('The choice', 'it matches no conversation of the export')
  const groups = new Map<string, ArchiveItem[]>()
  for (const item of chosen.toSorted((one, other) => timeOf(one) - timeOf(other))) {
    const key = `${item.format}/${labelOf(item, choice.split)}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  const most = choice.split === undefined ? archiveLimits.itemBytes : longestPart
  const parts = [...groups].flatMap(([key, group]) =>
    cutGroup(key.slice(key.indexOf('/') + 1), group, most),
  )
  if (choice.split === undefined && parts.length > 1) refuseWhole(chosen)
  return distinctLabels(parts)
}

function refuseWhole(items: readonly ArchiveItem[]): never {
  const bytes = items.reduce((sum, item) => sum + item.bytes, 0)
  throwMalformed(
    'The export',
    `its ${items.length} conversations have ${bytes} bytes and a memory takes ${archiveLimits.itemBytes}, or they are of both ChatGPT and Claude; cut it with --split year, month or conversation, or choose with --since, --until or --only`,
  )
}

function isChosen({ id, title, at }: ArchiveItem, { only, since, until }: PartChoice): boolean {
  const day = at === undefined ? '' : dayOf(at)
  if (since !== undefined && day < since) return false
  if (until !== undefined && (day === '' || day > until)) return false
  return only === undefined || id === only || title.toLowerCase().includes(only.toLowerCase())
}

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

const timeOf = ({ at }: ArchiveItem) => at ?? Number.POSITIVE_INFINITY

function labelOf(item: ArchiveItem, split: Split | undefined): string {
  if (split === undefined) return ''
  if (split === 'conversation') return conversationLabel(item)
  if (item.at === undefined) return 'undated'
  // Years before 0 and after 9999 have a sign and six digits.
  const [date = ''] = new Date(item.at).toISOString().split('T')
  return date.replace(/^[+-]/, '').slice(0, split === 'year' ? -6 : -3)
}

/** Returns the date and the id, as far as it is one that a name can have. */
function conversationLabel({ at, id, entry, nth }: ArchiveItem): string {
  const day = at === undefined ? 'undated' : dayOf(at).replace(/^[+-]/, '')
  const own = /^[a-z0-9][a-z0-9-]{0,39}$/.test(id) ? id : `${entry + 1}-${nth + 1}`
  return `${day}-${own}`
}

/** Cuts items into as few parts as fit into memories each, in their order. */
function cutGroup(label: string, items: readonly ArchiveItem[], most: number): readonly Part[] {
  const parts: { items: ArchiveItem[]; bytes: number }[] = []
  for (const item of items) {
    const last = parts.at(-1)
    // A comma between two items.
    if (last !== undefined && last.bytes + item.bytes + 1 <= most) {
      last.items.push(item)
      last.bytes += item.bytes + 1
    } else parts.push({ items: [item], bytes: item.bytes + 2 })
  }
  const format = items[0]?.format ?? 'chatgpt'
  return parts.map((part) => ({ ...part, label, format }))
}

/** Numbers the parts of one label, from the second one on. */
function distinctLabels(parts: readonly Part[]): readonly Part[] {
  const taken = new Map<string, number>()
  return parts.map((part) => {
    const count = (taken.get(part.label) ?? 0) + 1
    taken.set(part.label, count)
    return count === 1 ? part : { ...part, label: `${part.label}-${count}` }
  })
}
