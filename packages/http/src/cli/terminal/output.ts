import type { Writable } from 'node:stream'
import { styleText } from 'node:util'
import { bigintJson } from '../../api/bigint-json.ts'
import type { Progress } from '../../client/transport/decode-response.ts'
import { columnsOf, isRichTerminal, type Terminal } from './terminal.ts'

/** Text with a style, which shows on a terminal with colours. */
export type Span = {
  readonly style: 'bold' | 'dim' | 'yellow' | 'green' | 'red'
  readonly text: string
}

/** A line of text. Control characters in it are made harmless before they reach a terminal. */
export type Line = string | readonly (string | Span)[]

/** The result of a command, as a value for programs and as lines for people. */
export type CommandResult = { readonly value: unknown; readonly lines: readonly Line[] }

/** Writes the output of a command. */
export type Output = {
  /** True when `--json` was given: standard output is then one JSON document. */
  readonly json: boolean
  /** The width of the terminal in characters; without a terminal lines have any length. */
  readonly width: number
  /** Writes the result, as JSON or as text. */
  readonly result: (result: CommandResult) => Promise<void>
  /** Writes lines of the text result as soon as they are known. */
  readonly lines: (lines: readonly Line[]) => Promise<void>
  /** Writes bytes unchanged; on a terminal, control characters become JSON escapes. */
  readonly document: (bytes: Uint8Array) => Promise<void>
  /** Writes a note to standard error; does nothing with `--json`. */
  readonly note: (line: Line) => Promise<void>
}

/** Returns the output on a terminal, for a person or, with `json`, for a program. */
export function terminalOutput(terminal: Terminal, json: boolean): Output {
  const { stdout, stderr } = terminal
  const width = widthOf(stdout)
  const widthOfNotes = widthOf(stderr)
  const render = renderer(isRichTerminal(terminal, stdout))
  const renderNote = renderer(isRichTerminal(terminal, stderr))
  const lines = (all: readonly Line[]) =>
    writeTo(
      stdout,
      all.flatMap((line) => wrapLine(line, width).map((it) => `${render(it)}\n`)).join(''),
    )
  return {
    json,
    width,
    lines,
    result: ({ value, lines: text }) =>
      json ? writeTo(stdout, `${jsonText(value)}\n`) : lines(text),
    document: (bytes) =>
      writeTo(stdout, stdout.isTTY ? `${printableJson(Buffer.from(bytes).toString())}\n` : bytes),
    note: async (line) => {
      const wrapped = wrapLine(line, widthOfNotes)
      if (!json) await writeTo(stderr, wrapped.map((it) => `${renderNote(it)}\n`).join(''))
    },
  }
}

const widthOf = (stream: Terminal['stdout']): number =>
  stream.isTTY ? columnsOf(stream) : Number.POSITIVE_INFINITY

/**
 * Returns a line in lines of at most `width` characters, broken between words: a longer word, as an
 * address is, stays whole. The later ones begin below the second column, or a little to the right.
 */
export function wrapLine(line: Line, width: number): readonly Line[] {
  const parts = typeof line === 'string' ? [line] : line
  const text = parts.map(textOf).join('')
  if (text.length <= width) return [line]
  const indent = indentOf(text, width)
  const lines: (string | Span)[][] = [[]]
  let length = 0
  for (const word of wordsOf(parts)) {
    const letters = word.map(textOf).join('')
    if (length > indent && length + letters.trimEnd().length > width) {
      lines.push([' '.repeat(indent)])
      length = indent
    }
    lines.at(-1)?.push(...word)
    length += letters.length
  }
  return lines.map(withoutLastSpaces)
}

type Words = readonly (string | Span)[]

// A space beyond the width would be a line of its own.
function withoutLastSpaces(words: Words): Words {
  const last = words.at(-1) ?? ''
  return [...words.slice(0, -1), withText(last, textOf(last).trimEnd())]
}

const textOf = (part: string | Span): string => (typeof part === 'string' ? part : part.text)

function indentOf(text: string, width: number): number {
  const most = Math.floor(width / 2)
  const second = /^ *\S.*? {2,}(?=\S)/.exec(text)?.[0].length ?? width
  return second <= most ? second : Math.min((/^ */.exec(text)?.[0].length ?? 0) + 2, most)
}

/** Returns the words of a line, each with the spaces after it; one may have parts of several styles. */
function wordsOf(parts: Words): readonly Words[] {
  const pieces = parts.flatMap((part) =>
    (textOf(part).match(/[^ ]* +|[^ ]+/g) ?? []).map((text) => withText(part, text)),
  )
  const words: (string | Span)[][] = [[]]
  for (const piece of pieces) {
    words.at(-1)?.push(piece)
    if (textOf(piece).endsWith(' ')) words.push([])
  }
  return words
}

const withText = (part: string | Span, text: string): string | Span =>
  typeof part === 'string' ? text : { style: part.style, text }

const renderer = (isColoured: boolean) => (line: Line) =>
  typeof line === 'string'
    ? printable(line)
    : line.map((part) => renderPart(part, isColoured)).join('')

function renderPart(part: string | Span, isColoured: boolean): string {
  if (typeof part === 'string') return printable(part)
  const text = printable(part.text)
  return isColoured ? styleText(part.style, text, { validateStream: false }) : text
}

/** Returns a value as JSON, with bigints as decimal strings and control characters escaped. */
export function jsonText(value: unknown): string {
  return printableJson(JSON.stringify(value, bigintJson, 2))
}

/**
 * Writes to a stream, and resolves when the system has taken the data. The process exits at the end
 * of a command, which would lose data that a pipe has not taken yet.
 */
export function writeTo(stream: Writable, data: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(data, (error) => (error ? reject(error) : resolve()))
  })
}

// Characters that a terminal obeys, or that make text look different from what it is: controls, lone
// surrogates, line and paragraph separators, bidirectional marks, the byte order mark, and tags.
const misleading = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\u{FEFF}\u{E0000}-\u{E007F}]/gu

/** Returns an untrusted text as one line without characters that a terminal obeys. */
export function printable(text: string): string {
  return text.replace(/[\t\n\r]+/g, ' ').replace(misleading, '\u{FFFD}')
}

/** Returns the same JSON, with escapes for characters that a terminal obeys. */
export function printableJson(json: string): string {
  return json
    .replace(/\r/g, ' ')
    .replace(misleading, (found) => (found === '\n' || found === '\t' ? found : escaped(found)))
}

function escaped(text: string): string {
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}

// Smaller transfers end before a person can read the bar.
const smallest = 1_000_000

/** A progress bar on the last line of a terminal. */
type ProgressBar = {
  readonly onProgress: (progress: Progress) => void
  /** Removes the bar. */
  readonly clear: () => void
}

/** Returns a bar that shows the progress of a transfer; without colours it shows nothing. */
export function progressBar(terminal: Terminal, { json }: Pick<Output, 'json'>): ProgressBar {
  const { stderr } = terminal
  if (json || !isRichTerminal(terminal, stderr))
    return { onProgress: () => undefined, clear: () => undefined }
  let shown = ''
  const show = (line: string) => {
    if (line === shown) return
    shown = line
    stderr.write(`\r\u{1B}[K${line}`)
  }
  return {
    onProgress: (progress) => show(barOf(progress, columnsOf(stderr))),
    clear: () => show(''),
  }
}

const widest = 30

/** Returns a line that is shorter than the terminal, since one that wraps cannot be replaced. */
function barOf({ phase, bytes, total }: Progress, columns: number): string {
  if (total === undefined || total < smallest) return ''
  const sizes = `${megabytes(bytes)} of ${megabytes(total)} MB`
  const width = Math.max(0, Math.min(widest, columns - `${phase}  ${sizes}`.length - 1))
  const done = Math.min(width, Math.floor((bytes / total) * width))
  const bar = `${'█'.repeat(done)}${'░'.repeat(width - done)}`
  return `${phase} ${bar} ${sizes}`.slice(0, columns - 1)
}

const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(1)
