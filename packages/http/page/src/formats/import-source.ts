import {
  type ImportedMemory,
  importMemory,
  inputLimits,
  isUtf16,
  type SourceFile,
} from '@heirloom/adapters/formats'
import { isFailure, parseJson, readMembers } from '@heirloom/core'
import type { Choice, ChosenFile, Imported, Source } from '../create/draft.ts'
import { listValues } from './check-excerpts.ts'
import { describeContent } from './describe-format.ts'
import { suggestCard } from './suggest-card.ts'

/** With `asText`, the files are sealed as texts, whatever they look like. */
type Options = Choice & { readonly asText?: boolean }

/** The characters of the beginning of the data that are shown. */
const shownLength = 400

/** Reads chosen files as a memory, in whichever format they have, or returns why that fails. */
export async function importSource({ asText = false, ...choice }: Options): Promise<Imported> {
  const problem = findProblem(choice.files)
  if (problem !== undefined) return { broken: problem, canBeText: false }
  const read = await Promise.all(
    choice.files.map(async ({ path, file }) => ({
      path,
      bytes: new Uint8Array(await file.arrayBuffer()),
    })),
  )
  if (read.every(({ bytes }) => isBlank(bytes)))
    return { broken: describeEmpty(choice), canBeText: false }
  if (!read.some(({ bytes }) => isText(bytes)))
    return { broken: describeBinary(choice, read), canBeText: false }
  try {
    return { source: toSource(choice, importAs(read, asText)) }
  } catch (error) {
    return explain(error, { read, asText, subject: subjectOf(choice) })
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

function isText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/** Names one file or text at the start of a sentence. */
const subjectOf = ({ kind, name }: Choice) => (kind === 'text' ? 'This text' : name)

const describeEmpty = (choice: Choice) =>
  choice.files.length === 1 ? `${subjectOf(choice)} is empty.` : 'All of these files are empty.'

const notText: { readonly [kind in Choice['kind']]: (name: string) => string } = {
  file: (name) => `${name} is not text`,
  files: (name) => `None of the ${name} is text`,
  folder: (name) => `${name} holds no text file`,
  text: () => 'This is not text',
}

function describeBinary(choice: Choice, [first]: readonly SourceFile[]): string {
  const { kind, name } = choice
  if (kind === 'file' && first !== undefined && isUtf16(first.bytes)) {
    return `${name} is UTF-16. Save it as UTF-8, and choose it again.`
  }
  return `${notText[kind](name)}. Heirloom seals JSON and text files.`
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

function toSource(choice: Choice, { format, document, report }: ImportedMemory): Source {
  const { name, kind } = choice
  const members = readMembers(document)
  const [data, metadata] = [members.get('data'), members.get('metadata')]
  if (data === undefined || metadata === undefined) throw new Error('The document has no data.')
  const known = parseJson(metadata) as { readonly importedFrom?: unknown }
  const isBundle = known.importedFrom === undefined
  const { taken, left, secrets } = report
  const parsed = parseJson(data)
  return {
    name,
    size: measureSealed(choice, parsed),
    data: new Blob([Uint8Array.from(data)]),
    beginning: new TextDecoder().decode(data.subarray(0, shownLength * 4)).slice(0, shownLength),
    ...(isBundle
      ? { metadata: new TextDecoder().decode(metadata) }
      : { origin: JSON.stringify(known.importedFrom) }),
    explanation: isBundle
      ? 'Recognised as a whole bundle: its data and metadata are sealed unchanged.'
      : `Recognised as ${describeContent({ format, taken })}. Its content is sealed unchanged, so that its owner can save the original again.`,
    addresses: findAddresses(new TextDecoder().decode(data)),
    left,
    secrets: secrets.map(({ where, ...it }) => ({
      ...it,
      ...(where !== undefined && { where: inData(where) }),
    })),
    values: listValues(parsed),
    suggested: suggestCard({
      // The number of some files is no title.
      name: kind === 'file' || kind === 'folder' ? name : '',
      format,
      data: parsed,
      metadata: known,
      taken,
    }),
  }
}

/** Returns the e-mail addresses in a text, each once. */
function findAddresses(text: string): readonly string[] {
  // It looks back from each sign: from each letter on, 50 MB of base64 would take ten seconds.
  const found = text.matchAll(/@(?<=([\w.+-]{1,64})@)(?:[\w-]{1,63}\.){1,8}[a-z]{2,24}/gi)
  return [...new Set(Array.from(found, ([place, name]) => `${name}${place}`))]
}

/** Returns the bytes of the files that are sealed; of a folder some may be left out. */
function measureSealed({ files }: Choice, data: unknown): number {
  const { files: texts = {} } = data as { readonly files?: object }
  const sealed = files.filter(({ path }) => files.length === 1 || Object.hasOwn(texts, path))
  return sealed.reduce((sum, { file }) => sum + file.size, 0)
}

/** Returns a place in the data for one in the document. */
const inData = (pointer: string) => pointer.replace(/^\/data(?=\/)/, '')

type Refused = {
  readonly read: readonly SourceFile[]
  readonly asText: boolean
  readonly subject: string
}

function explain(error: unknown, { read, asText, subject }: Refused): Imported {
  if (isFailure(error, 'import/unknown-format')) {
    const broken =
      read.length === 1
        ? `${subject} begins like JSON, but is not valid JSON.`
        : 'None of these files is a Markdown or text file.'
    return { broken, canBeText: !asText }
  }
  if (!isFailure(error, 'import/malformed')) throw error
  const { what, problem } = error.facts
  // A problem with its line is one of the chosen file, which the person knows by its name.
  const [, placed] = /^it (.*\(line .*)$/.exec(problem) ?? []
  return {
    broken: placed === undefined ? `${what} is broken: ${problem}.` : `${subject} ${placed}.`,
    canBeText: !asText && read.length === 1,
  }
}
