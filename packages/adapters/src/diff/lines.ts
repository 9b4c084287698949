import { createAligner } from './align.ts'

/** Splits a text into its lines, each with the line break at its end. */
export function splitLines(text: string): readonly string[] {
  const lines: string[] = []
  for (let from = 0; from < text.length; ) {
    const at = text.indexOf('\n', from)
    const end = at < 0 ? text.length : at + 1
    lines.push(text.slice(from, end))
    from = end
  }
  return lines
}

/** Numbers the lines of texts, so that equal lines have equal numbers. */
export function numberLines(texts: readonly (readonly string[])[]): readonly (readonly number[])[] {
  const numbers = new Map<string, number>()
  const numberOf = (line: string) => {
    // A text of digits alone would be hashed by its value, so that many could be made to collide.
    const key = `#${line}`
    const number = numbers.get(key) ?? numbers.size
    numbers.set(key, number)
    return number
  }
  return texts.map((lines) => lines.map(numberOf))
}

/** A line of a text that is compared: only in the older, only in the newer, or in both. */
type DiffLine = { readonly in: 'before' | 'after' | 'both'; readonly text: string }

/** A part of a text that differs, with some lines around it. */
type Hunk = {
  /** The number of its first line in the older text, from 1. */
  readonly from: number
  readonly lines: readonly DiffLine[]
}

/** Compares two texts line by line. Returns what differs, with three lines before and after it. */
export function diffLines(before: string, after: string): readonly Hunk[] {
  const lines = compareLines(splitLines(before), splitLines(after))
  const differing = lines.flatMap((line, at) => (line.in === 'both' ? [] : [at]))
  const spans: [from: number, to: number][] = []
  for (const at of differing) {
    const last = spans.at(-1)
    if (last && at - around <= last[1]) last[1] = at + around + 1
    else spans.push([Math.max(0, at - around), at + around + 1])
  }
  let [read, from] = [0, 1]
  return spans.map(([start, end]) => {
    for (; read < start; read++) if (lines[read]?.in !== 'after') from++
    return { from, lines: lines.slice(start, end) }
  })
}

/** The number of equal lines that are shown before and after a difference. */
const around = 3

function compareLines(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const [one = [], other = []] = numberLines([before, after])
  const all: DiffLine[] = []
  let [at, atAfter] = [0, 0]
  const ends = [before.length, after.length] as const
  for (const [to, toAfter] of [...createAligner()(one, other), ends]) {
    for (; at < to; at++) all.push({ in: 'before', text: lineIn(before, at) })
    for (; atAfter < toAfter; atAfter++) all.push({ in: 'after', text: lineIn(after, atAfter) })
    if (at < before.length) all.push({ in: 'both', text: lineIn(before, at) })
    at++
    atAfter++
  }
  return all
}

const lineIn = (lines: readonly string[], at: number): string =>
  (lines[at] ?? '').replace(/\n$/, '')
