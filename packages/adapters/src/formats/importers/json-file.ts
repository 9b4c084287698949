import { isFailure, maxJsonDepth, readMembers } from '@heirloom/core'
import { isUtf16, jsonFault, textFault } from '../json-fault.ts'
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
  const { before, text, after, problem } = readText(file.bytes)
  if (text === '') throwMalformed(subject, problem ?? 'it is empty')
  if (problem === undefined) return singleValue({ path: file.path, before, after }, text)
  const lines = splitLines(text, before)
  if (typeof lines === 'string' || lines === undefined) throwMalformed(subject, lines ?? problem)
  const value = lines.map((line) => JSON.parse(line) as unknown)
  return { path: file.path, form: 'lines', before, after, data: joinLines(text, lines), value }
}

/** Returns why the bytes of a file are not one JSON value, with the place; `undefined` for one. */
export function jsonProblem(bytes: Uint8Array): string | undefined {
  return readText(bytes).problem
}

type FileText = Pick<JsonFile, 'before' | 'after'> & {
  readonly text: string
  /** Why the text is not one JSON value. */
  readonly problem: string | undefined
}

function readText(bytes: Uint8Array): FileText {
  const whole = isUtf16(bytes) ? undefined : decodeUtf8(bytes)
  if (whole === undefined) return { before: '', text: '', after: '', problem: textFault(bytes) }
  const [before, text, after] = splitWhiteSpace(whole, whole.startsWith('\uFEFF') ? 1 : 0)
  const problem = text === '' ? 'it is empty' : findProblem(text, before)
  return { before, text, after, problem }
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

/**
 * Returns the lines of a text, without blank ones, when each is a JSON object; the problem of the
 * first that is none after others that are; `undefined` when the first is none.
 */
function splitLines(text: string, before: string): readonly string[] | string | undefined {
  const lines = text.split('\n')
  const wrong = lines.findIndex((line) => !isBlank(line) && !isObjectLine(line))
  if (wrong === -1) return lines.filter((line) => !isBlank(line))
  const above = lines.slice(0, wrong)
  if (above.every(isBlank)) return undefined
  const [space, inside] = splitWhiteSpace(lines[wrong] ?? '')
  return findProblem(inside, before + above.map((line) => `${line}\n`).join('') + space)
}

const isBlank = (line: string) => splitWhiteSpace(line)[1] === ''

function isObjectLine(line: string): boolean {
  const [, inside] = splitWhiteSpace(line)
  return inside.startsWith('{') && findProblem(inside) === undefined
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
