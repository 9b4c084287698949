import {
  type FormatName,
  type ImportedMemory,
  importMemory,
  inputLimits,
  type SourceFile,
} from '@heirloom/adapters/formats'
import { isFailure, parseJson, readMembers } from '@heirloom/core'
import type { ChosenFile, Imported, Source } from '../create/source.ts'
import { describeFormat } from './describe-format.ts'
import { suggestCard } from './suggest-card.ts'

export declare namespace importSource {
  type Options = {
    readonly files: readonly ChosenFile[]
    /** Whether to seal the files as texts, whatever they look like. */
    readonly asText?: boolean
  }
}

/** The characters of the beginning of the data that are shown. */
const shownLength = 400

/** Reads chosen files as a memory, in whichever format they have, or returns why that fails. */
export async function importSource({
  files,
  asText = false,
}: importSource.Options): Promise<Imported> {
  const problem = findProblem(files)
  if (problem !== undefined) return { broken: problem, canBeText: false }
  const read = await Promise.all(
    files.map(async ({ path, file }) => ({
      path,
      bytes: new Uint8Array(await file.arrayBuffer()),
    })),
  )
  if (read.every(({ bytes }) => isBlank(bytes)))
    return { broken: 'The file is empty.', canBeText: false }
  try {
    return { source: toSource(nameOf(read), importAs(read, asText)) }
  } catch (error) {
    return explain(error, read, asText)
  }
}

/** Checks the limits before anything is read. */
function findProblem(files: readonly ChosenFile[]): string | undefined {
  if (files.length === 0) return 'The folder is empty.'
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0)
  if (files.length > inputLimits.files) {
    return `The folder has ${files.length} files; the limit is ${inputLimits.files}.`
  }
  if (bytes <= inputLimits.bytes) return undefined
  const [own, most] = [bytes, inputLimits.bytes].map((it) => Math.ceil(it / 2 ** 20))
  return `The files have ${own} MiB; the limit is ${most} MiB.`
}

const isBlank = (bytes: Uint8Array) => bytes.every((it) => it === 0x20 || (it >= 9 && it <= 13))

function nameOf(files: readonly SourceFile[]): string {
  const [first, ...others] = files
  const path = first?.path ?? ''
  return others.length === 0 ? path : (path.split('/')[0] ?? path)
}

function importAs(files: readonly SourceFile[], asText: boolean): ImportedMemory {
  const options = { secrets: 'keep' } as const
  if (asText) return importMemory(files, { ...options, format: 'markdown' })
  try {
    return importMemory(files, options)
  } catch (error) {
    // Any other text is kept as it is, but not one that was meant to be JSON.
    if (!isFailure(error, 'import/unknown-format') || files.some(looksLikeJson)) throw error
    return importMemory(files, { ...options, format: 'markdown' })
  }
}

function looksLikeJson({ bytes }: SourceFile): boolean {
  const start = new TextDecoder().decode(bytes.subarray(0, 64)).trimStart()
  return start.startsWith('{') || start.startsWith('[')
}

function toSource(name: string, { format, document, report }: ImportedMemory): Source {
  const members = readMembers(document)
  const [data, metadata] = [members.get('data'), members.get('metadata')]
  if (data === undefined || metadata === undefined) throw new Error('The document has no data.')
  const known = parseJson(metadata) as { readonly importedFrom?: unknown }
  const isBundle = known.importedFrom === undefined
  const { taken, left, secrets } = report
  const parsed = parseJson(data)
  return {
    name,
    data: new Blob([Uint8Array.from(data)]),
    beginning: new TextDecoder().decode(data.subarray(0, shownLength * 4)).slice(0, shownLength),
    ...(isBundle
      ? { metadata: new TextDecoder().decode(metadata) }
      : { origin: JSON.stringify(known.importedFrom) }),
    explanation: isBundle
      ? 'It is a whole bundle: its data and metadata are sealed unchanged.'
      : explanationOf(format, report.taken),
    taken,
    left,
    secrets: secrets.map(({ where, ...it }) => ({
      ...it,
      ...(where !== undefined && { where: inData(where) }),
    })),
    suggested: suggestCard({ name, format, data: parsed, metadata: known, taken }),
  }
}

/** Returns a place in the data for one in the document. */
const inData = (pointer: string) => pointer.replace(/^\/data(?=\/)/, '')

function explanationOf(format: FormatName, taken: ImportedMemory['report']['taken']): string {
  const isOneText = format === 'markdown' && taken[0]?.count === 1
  const what = isOneText ? 'text' : describeFormat(format)
  return `It is ${what}. Its content is sealed unchanged, so that its owner can save the original again.`
}

function explain(error: unknown, files: readonly SourceFile[], asText: boolean): Imported {
  const [first, ...others] = files
  if (isFailure(error, 'import/unknown-format')) {
    const broken =
      others.length === 0
        ? 'It begins like JSON, but is not JSON.'
        : 'The folder holds no Markdown or text files.'
    return { broken, canBeText: !asText }
  }
  if (!isFailure(error, 'import/malformed')) throw error
  const { what, problem } = error.facts
  const place = first === undefined ? undefined : placeIn(first.bytes, problem)
  return {
    broken: `${what} is broken: ${place ?? problem}.`,
    canBeText: !asText && others.length === 0,
  }
}

/** Returns a problem with the line and column instead of a byte, and what that means. */
function placeIn(bytes: Uint8Array, problem: string): string | undefined {
  const at = /\(byte (\d+)\)$/.exec(problem)?.[1]
  if (at === undefined) return undefined
  const before = new TextDecoder().decode(bytes.subarray(0, Number(at)))
  const lines = before.split('\n')
  if (before.trimEnd().length === new TextDecoder().decode(bytes).trimEnd().length) {
    return `it ends too early, in line ${lines.length}; it was probably cut off`
  }
  return `it is not JSON from line ${lines.length}, character ${(lines.at(-1)?.length ?? 0) + 1} on`
}
