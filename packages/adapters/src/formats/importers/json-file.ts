import { isFailure, maxJsonDepth, readMembers } from '@heirloom/core'
import { isUtf16, jsonFault, notUtf8 } from '../json-fault.ts'
import { type SourceFile, throwMalformed } from '../source-file.ts'

/** The forms of a text in `data`: unchanged, as `{"value":…}`, or as `{"lines":[…]}`. */
export const jsonForms = ['object', 'value', 'lines'] as const
export type JsonForm = (typeof jsonForms)[number]

/** A parsed file of JSON or JSON lines, and the text of `data` it becomes. */
export type JsonFile = {
  readonly path: string
  readonly form: JsonForm
  /** White space and a byte order mark around the JSON. */
  readonly before: string
  readonly after: string
  /** The text of `data`: that of the file, or an object around it. */
  readonly data: string
  /** The parsed object or value, or the list of parsed lines. */
  readonly value: unknown
}

/**
 * Reads a file of one JSON value, or of one JSON object per line. The text is copied unchanged: an
 * object becomes `data` itself, any other value is wrapped as `{"value":…}`, and lines are wrapped
 * as `{"lines":[…]}` with commas between them.
 *
 * @throws `import/malformed`
 */
export function readJsonFile(file: SourceFile): JsonFile {
  const subject = 'The file'
  const whole = isUtf16(file.bytes) ? undefined : decodeUtf8(file.bytes)
  if (whole === undefined) throwMalformed(subject, notUtf8(file.bytes))
  const [before, text, after] = splitWhiteSpace(whole, whole.startsWith('\uFEFF') ? 1 : 0)
  if (text === '') throwMalformed(subject, 'it is empty')
  const problem = findProblem(text, before)
  if (problem === undefined) return singleValue({ path: file.path, before, after }, text)
  const lines = splitLines(text)
  if (lines === undefined) throwMalformed(subject, problem)
  const value = lines.map((line) => JSON.parse(line) as unknown)
  return { path: file.path, form: 'lines', before, after, data: joinLines(text, lines), value }
}

type Surroundings = Pick<JsonFile, 'path' | 'before' | 'after'>

function singleValue(surroundings: Surroundings, text: string): JsonFile {
  const value: unknown = JSON.parse(text)
  if (text.startsWith('{')) return { ...surroundings, form: 'object', data: text, value }
  return { ...surroundings, form: 'value', data: `{"value":${text}}`, value }
}

/** Decodes UTF-8, byte order mark included; returns `undefined` when the bytes are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const blank = ' \t\r\n'

/** Splits off the JSON white space before and after a text. */
function splitWhiteSpace(
  whole: string,
  from = 0,
): readonly [before: string, text: string, after: string] {
  let start = from
  while (start < whole.length && blank.includes(whole.charAt(start))) start += 1
  let end = whole.length
  while (end > start && blank.includes(whole.charAt(end - 1))) end -= 1
  return [whole.slice(0, start), whole.slice(start, end), whole.slice(end)]
}

const prefix = '{"value":'

/** Returns why a text is not one JSON value; `before` is what comes before it in the file. */
function findProblem(text: string, before = ''): string | undefined {
  const bytes = new TextEncoder().encode(`${prefix}${text}}`)
  try {
    // A text such as `1,"z":2` would close the member and continue the object around it.
    const length = readMembers(bytes).get('value')?.length
    return length === bytes.length - prefix.length - 1 ? undefined : 'it is not one JSON value'
  } catch (error) {
    if (isFailure(error, 'json/too-deep')) return tooDeep
    if (!isFailure(error, 'json/malformed')) return 'it is not one JSON value'
    const file = new TextEncoder().encode(before + text)
    return jsonFault(file, file.length - bytes.length + 1 + error.facts.at)
  }
}

/** The problem of JSON that is nested too deep for a memory. */
export const tooDeep = `it nests deeper than ${maxJsonDepth - 2} levels`

/** Returns the lines of a text, without blank ones, when each is a JSON object. */
function splitLines(text: string): readonly string[] | undefined {
  const lines = text.split('\n').filter((line) => splitWhiteSpace(line)[1] !== '')
  const isEach = lines.every((line) => {
    const [, inside] = splitWhiteSpace(line)
    return inside.startsWith('{') && findProblem(inside) === undefined
  })
  return isEach ? lines : undefined
}

/** Joins lines to a list by inserting commas only; removing these restores the lines. */
function joinLines(text: string, lines: readonly string[]): string {
  const parts: string[] = []
  let at = 0
  for (const line of lines.slice(0, -1)) {
    const start = text.indexOf(line, at)
    const end = start + line.length - splitWhiteSpace(line)[2].length
    parts.push(text.slice(at, end), ',')
    at = end
  }
  return `{"lines":[${parts.join('')}${text.slice(at)}]}`
}

/** Returns the only file; throws when there is none, or more than one. */
export function requireSingleFile(files: readonly SourceFile[]): SourceFile {
  const [file, ...others] = files
  if (file === undefined || others.length > 0) {
    throwMalformed('The folder', 'this format has exactly one file')
  }
  return file
}

/** A parsed JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Returns whether a parsed value is a JSON object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns an own member of a parsed object. */
export function memberOf(value: unknown, name: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/** Returns a member that is a list, or else an empty list. */
export function listOf(value: unknown, name: string): readonly unknown[] {
  const member = memberOf(value, name)
  return Array.isArray(member) ? member : []
}

/** Returns a member that is a non-empty text. */
export function textOf(value: unknown, name: string): string | undefined {
  const member = memberOf(value, name)
  return typeof member === 'string' && member !== '' ? member : undefined
}

/** Returns the text when all that are defined are equal. */
export function commonText(texts: readonly (string | undefined)[]): string | undefined {
  const distinct = new Set(texts.filter((text) => text !== undefined))
  return distinct.size === 1 ? [...distinct][0] : undefined
}
