import type { ImportedMemory, ImportOptions, Omission } from '@heirloom/adapters/formats'
import type { ConversationArchive, Part, PartChoice } from '@heirloom/adapters/formats/sources'
import type { CommandResult, Line, Output } from '../terminal/output.ts'
import { rows } from '../terminal/value-text.ts'
import { describeSecret, searching, secretsWithoutText } from './build-document.ts'

/** A memory of an export: its part, and what was imported. */
export type ImportedPart = { readonly part: Part; readonly imported: ImportedMemory }

/** The printed result of an import, and its omissions. */
export type ImportOutcome = { readonly result: CommandResult; readonly left: readonly Omission[] }

/** The import of an export into one memory or several. */
export type ArchiveImport = {
  readonly path: string
  readonly choice: PartChoice
  readonly options: ImportOptions
  readonly isDryRun: boolean
  readonly output: Output
  /** Ends the search for secrets. */
  readonly signal: AbortSignal
  /** Mints or saves one memory, and returns what it became. */
  readonly save: (imported: ImportedPart) => Promise<CommandResult>
  /** The full name of a part. */
  readonly nameOf: (part: Part) => string
}

/**
 * Imports an export of ChatGPT or Claude. All of it is read and searched for secrets before the first
 * memory is saved, so that a refusal leaves nothing half done.
 */
export async function importArchive(given: ArchiveImport): Promise<ImportOutcome> {
  const { openArchive, planParts } = await import('@heirloom/adapters/formats/sources')
  const archive = await openArchive(given.path)
  try {
    const parts = planParts(archive.items, given.choice)
    const checked = await checkParts(given, archive, parts)
    const left = [...archive.left, ...checked.flatMap(({ report }) => report.left)]
    const result = given.isDryRun
      ? dryRunOf(given, archive, checked)
      : resultOf(archive, await saveParts(given, archive, parts))
    return { result, left }
  } finally {
    await archive.close()
  }
}

type Checked = {
  readonly part: Part
  readonly bytes: number
  readonly report: ImportedMemory['report']
}

async function checkParts(
  given: ArchiveImport,
  archive: ConversationArchive,
  parts: readonly Part[],
): Promise<readonly Checked[]> {
  const checked: Checked[] = []
  for await (const { part, imported } of importParts(archive, parts, given)) {
    checked.push({ part, bytes: imported.document.length, report: imported.report })
  }
  return checked
}

async function* importParts(
  archive: ConversationArchive,
  parts: readonly Part[],
  { options, ...call }: ArchiveImport,
): AsyncGenerator<ImportedPart> {
  const { importAside } = await import('@heirloom/adapters/internal/import-aside')
  const { readParts } = await import('@heirloom/adapters/formats/sources')
  for await (const { part, file } of readParts(archive, parts)) {
    const own = { ...options, format: part.format }
    yield { part, imported: await searching(call, () => importAside([file], own, call.signal)) }
  }
}

type Saved = { readonly checked: Checked; readonly name: string; readonly result: CommandResult }

async function saveParts(
  given: ArchiveImport,
  archive: ConversationArchive,
  parts: readonly Part[],
): Promise<readonly Saved[]> {
  const saved: Saved[] = []
  try {
    for await (const { part, imported } of importParts(archive, parts, given)) {
      const { document, report } = imported
      const checked = { part, bytes: document.length, report }
      const result = await given.save({ part, imported })
      saved.push({ checked, name: given.nameOf(part), result })
    }
  } catch (error) {
    await noteSaved(given, saved, parts)
    throw error
  }
  return saved
}

/** Says what is saved already when the rest is not. */
async function noteSaved(
  { output, nameOf }: ArchiveImport,
  saved: readonly Saved[],
  parts: readonly Part[],
) {
  const next = parts[saved.length]
  if (saved.length === 0 || next === undefined) return
  await output.note(
    `Saved ${saved.length} of ${parts.length} memories, up to ${saved.at(-1)?.name}; ${nameOf(next)} and those after it are not saved. Repeat with --since, or with the --idempotency-key of this command.`,
  )
}

function dryRunOf(
  { nameOf }: ArchiveImport,
  archive: ConversationArchive,
  checked: readonly Checked[],
): CommandResult {
  const memories = checked.map((it) => ({ name: nameOf(it.part), ...summaryOf(it) }))
  const value = { dryRun: true, import: { memories, left: archive.left } }
  const lines = checked.map((it) => [nameOf(it.part) || 'One memory', sizesOf(it)] as const)
  return { value, lines: [...rows(lines), ...leftLines(archive, checked)] }
}

const summaryOf = ({ part, bytes, report }: Checked) => ({
  format: part.format,
  items: part.items.length,
  bytes,
  ...report,
  secrets: secretsWithoutText(report.secrets),
  ...(part.items.length === 1 && { title: part.items[0]?.title }),
})

function sizesOf({ part, bytes, report }: Checked): string {
  const [first, ...others] = part.items
  const title = others.length === 0 && first?.title ? `: ${first.title}` : ''
  const counts = report.taken.flatMap(({ what, count }) => countText(what, count) ?? [])
  return `${[...counts, `${bytes} bytes`].join(', ')}${title}`
}

/** The kinds of the items of an export, of one and of several. */
const itemKinds: Readonly<Record<string, readonly [string, string]>> = {
  conversations: ['conversation', 'conversations'],
  projects: ['project', 'projects'],
  memories: ['entry of memories', 'entries of memories'],
}

function countText(what: string, count: number): string | undefined {
  const [one, several] = itemKinds[what] ?? []
  return one === undefined || count === 0 ? undefined : `${count} ${count === 1 ? one : several}`
}

function resultOf(archive: ConversationArchive, saved: readonly Saved[]): CommandResult {
  const [only, ...others] = saved
  const checked = saved.map((it) => it.checked)
  const memories = saved.map(({ name, checked: it, result }) => ({
    name,
    ...summaryOf(it),
    ...Object(result.value),
  }))
  const value = { import: { memories, left: archive.left } }
  const lines =
    others.length === 0
      ? wholeLines(archive, only)
      : [
          ...rows(
            saved.map(({ name, checked: it, result }) => [name, savedText(it, result)] as const),
          ),
          ...leftLines(archive, checked),
        ]
  return { value, lines }
}

/** Reports an export that became one memory, as any other memory that is imported. */
function wholeLines(archive: ConversationArchive, saved: Saved | undefined): readonly Line[] {
  if (saved === undefined) return []
  const { part, report, bytes } = saved.checked
  const taken = report.taken.filter(({ count }) => count > 0)
  return [
    ...rows([
      ['Format', part.format],
      ...taken.map(({ what, count }) => ['Imported', `${what}: ${count}`] as const),
    ]),
    ...leftLines(archive, [saved.checked]),
    ...rows([['Memory', `${bytes} bytes`]]),
    '',
    ...saved.result.lines,
  ]
}

const savedText = (checked: Checked, { value }: CommandResult) =>
  `token ${Object(value).tokenId}, ${sizesOf(checked)}`

/** Lists what was left out, of the export and of all its parts together, and the secrets. */
function leftLines(archive: ConversationArchive, checked: readonly Checked[]): readonly Line[] {
  const left = [...archive.left, ...checked.flatMap(({ report }) => report.left)]
  const secrets = checked.flatMap(({ report }) => report.secrets)
  const shown = [
    ...left.map(({ what, why }) => ['Left out', `${what}: ${why}`] as const),
    ...secrets.map((it) => ['Secret', describeSecret(it)] as const),
  ]
  const more = shown.length - mostLines
  const listed = rows(shown.slice(0, mostLines))
  return more > 0 ? [...listed, `And ${more} more; --json lists all.`] : listed
}

const mostLines = 40
