import type { Writable } from 'node:stream'
import { styleText } from 'node:util'
import { bigintJson } from '../../api/bigint-json.ts'
import { printable, printableJson } from './printable.ts'
import { isSeen, type Terminal } from './terminal.ts'

/** Text that stands out, where a person sees it. */
export type Span = {
  readonly style: 'bold' | 'dim' | 'yellow'
  readonly text: string
}

/** A line of text; whatever is in it, it does nothing to a terminal but show itself. */
export type Line = string | readonly (string | Span)[]

/** What came of a command, for programs and for people. */
export type Answer = { readonly value: unknown; readonly lines: readonly Line[] }

/** What a command says. */
export type Output = {
  /** Whether one JSON document was asked for. */
  readonly json: boolean
  /** Writes the answer: as JSON where that was asked for, or else as text. */
  readonly answer: (answer: Answer) => Promise<void>
  /** Writes lines that belong to the answer as text, as they come. */
  readonly lines: (lines: readonly Line[]) => Promise<void>
  /** Writes bytes as they are; a terminal is shown the same JSON with escapes. */
  readonly document: (bytes: Uint8Array) => Promise<void>
  /** Says something beside the answer. Nothing is said beside JSON. */
  readonly note: (line: Line) => Promise<void>
}

/** Returns what writes to a terminal, for a person or, with `json`, for a program. */
export function outputOn(terminal: Terminal, json: boolean): Output {
  const { stdout, stderr } = terminal
  const paint = painter(isSeen(terminal, stdout))
  const paintNote = painter(isSeen(terminal, stderr))
  const lines = (all: readonly Line[]) =>
    write(stdout, all.map((line) => `${paint(line)}\n`).join(''))
  return {
    json,
    lines,
    answer: (answer) => (json ? write(stdout, `${jsonText(answer.value)}\n`) : lines(answer.lines)),
    document: (bytes) =>
      write(stdout, stdout.isTTY ? `${printableJson(Buffer.from(bytes).toString())}\n` : bytes),
    note: async (line) => {
      if (!json) await write(stderr, `${paintNote(line)}\n`)
    },
  }
}

const painter = (isColoured: boolean) => (line: Line) =>
  typeof line === 'string'
    ? printable(line)
    : line.map((part) => painted(part, isColoured)).join('')

function painted(part: string | Span, isColoured: boolean): string {
  if (typeof part === 'string') return printable(part)
  const text = printable(part.text)
  return isColoured ? styleText(part.style, text, { validateStream: false }) : text
}

/** Returns a value as JSON for people and programs: amounts as decimal strings, no escape raw. */
export function jsonText(value: unknown): string {
  return printableJson(JSON.stringify(value, bigintJson, 2))
}

// The process exits when a command is done, and what a pipe has not taken by then is lost.
export function write(stream: Writable, data: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(data, (error) => (error ? reject(error) : resolve()))
  })
}
