import { isFailure, maxJsonDepth, readMembers } from '@heirloom/core'
import { malformed } from '../malformed.ts'
import type { SourceFile } from '../source-file.ts'

/** How the text of a file stands in `data`. */
export const jsonForms = ['object', 'value', 'lines'] as const
export type JsonForm = (typeof jsonForms)[number]

/** A file of JSON, or of JSON lines, and what it becomes. */
export type JsonFile = {
  readonly path: string
  readonly form: JsonForm
  /** White space, and a byte order mark, that stood around the JSON. */
  readonly before: string
  readonly after: string
  /** The text of `data`: the file's own, or an object around it. */
  readonly data: string
  /** What was parsed: the object, the value, or the list of the lines. */
  readonly value: unknown
}

/**
 * Reads a file that holds one JSON value, or one JSON object a line. Its text stays letter for
 * letter as it is: an object is `data` itself, any other value is put into `{"value":…}`, and
 * lines into `{"lines":[…]}` with commas between them.
 *
 * @throws `import/malformed`
 */
export function readJsonFile(file: SourceFile): JsonFile {
  const what = 'The file'
  const whole = utf8Of(file.bytes) ?? malformed(what, 'it is not UTF-8')
  const [before, text, after] = trimmed(whole, whole.startsWith('\uFEFF') ? 1 : 0)
  if (text === '') malformed(what, 'there is nothing in it')
  const offset = new TextEncoder().encode(before).length
  const problem = problemOf(text, offset)
  if (problem === undefined) return oneValue({ path: file.path, before, after }, text)
  const lines = linesOf(text)
  if (lines === undefined) malformed(what, problem)
  const value = lines.map((line) => JSON.parse(line) as unknown)
  return { path: file.path, form: 'lines', before, after, data: joined(text, lines), value }
}

type Around = Pick<JsonFile, 'path' | 'before' | 'after'>

function oneValue(around: Around, text: string): JsonFile {
  const value: unknown = JSON.parse(text)
  if (text.startsWith('{')) return { ...around, form: 'object', data: text, value }
  return { ...around, form: 'value', data: `{"value":${text}}`, value }
}

/** Returns a text, with its byte order mark, or nothing when the bytes are no UTF-8. */
export function utf8Of(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const blank = ' \t\r\n'

/** Returns what stands before a JSON text, the text, and what stands after it. */
function trimmed(whole: string, from = 0): readonly [before: string, text: string, after: string] {
  let start = from
  while (start < whole.length && blank.includes(whole.charAt(start))) start += 1
  let end = whole.length
  while (end > start && blank.includes(whole.charAt(end - 1))) end -= 1
  return [whole.slice(0, start), whole.slice(start, end), whole.slice(end)]
}

const opening = '{"value":'

/** Returns what keeps a text from being one JSON value; its bytes begin at `offset` of the file. */
function problemOf(text: string, offset: number): string | undefined {
  const bytes = new TextEncoder().encode(`${opening}${text}}`)
  try {
    // A text may not close the object around it and go on.
    const length = readMembers(bytes).get('value')?.length
    return length === bytes.length - opening.length - 1 ? undefined : 'it is not one JSON value'
  } catch (error) {
    if (isFailure(error, 'json/too-deep')) return tooDeep
    if (!isFailure(error, 'json/malformed')) return 'it is not one JSON value'
    return `it stops being JSON at byte ${offset + error.facts.at - opening.length}`
  }
}

/** What is wrong with JSON that a memory cannot hold. */
export const tooDeep = `it nests deeper than ${maxJsonDepth - 2} levels`

/** Returns the lines of a text when each is a JSON object; blank ones are passed over. */
function linesOf(text: string): readonly string[] | undefined {
  const lines = text.split('\n').filter((line) => trimmed(line)[1] !== '')
  const isEach = lines.every((line) => {
    const [, inside] = trimmed(line)
    return inside.startsWith('{') && problemOf(inside, 0) === undefined
  })
  return isEach ? lines : undefined
}

/** Puts lines into a list by commas alone, so that taking these away gives the lines back. */
function joined(text: string, lines: readonly string[]): string {
  const parts: string[] = []
  let at = 0
  for (const line of lines.slice(0, -1)) {
    const start = text.indexOf(line, at)
    const end = start + line.length - trimmed(line)[2].length
    parts.push(text.slice(at, end), ',')
    at = end
  }
  return `{"lines":[${parts.join('')}${text.slice(at)}]}`
}

/** Refuses unless there is a single file, and returns it. */
export function onlyFile(files: readonly SourceFile[]): SourceFile {
  const [file, ...others] = files
  if (file === undefined || others.length > 0) {
    malformed('The folder', 'this format is a single file')
  }
  return file
}
