import { createAligner } from './align.ts'
import { numberLines, splitLines } from './lines.ts'

/** A line of a text that is compared: only in the older, only in the newer, or in both. */
export type DiffLine = { readonly in: 'before' | 'after' | 'both'; readonly text: string }

/** A part of a text that differs, with some lines around it. */
export type Hunk = {
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
