import { numberLines, splitLines } from './lines.ts'
import { decide, divide } from './merge-sequences.ts'
import { type Merging, settle, type Three } from './merging.ts'

/** Merges three strings line by line, and returns the merged string as JSON. */
export function mergeLines(merging: Merging, { path, base, ours, theirs }: Three<string>): string {
  const lines = { base: splitLines(base), ours: splitLines(ours), theirs: splitLines(theirs) }
  const [was = [], our = [], their = []] = numberLines([lines.base, lines.ours, lines.theirs])
  const numbers = { base: was, ours: our, theirs: their }
  const merged = divide(merging.align, numbers).map((chunk) => {
    const textOf = (side: keyof typeof lines) => lines[side].slice(...chunk[side]).join('')
    const inChunk = (side: keyof typeof lines) => numbers[side].slice(...chunk[side])
    const all = { base: inChunk('base'), ours: inChunk('ours'), theirs: inChunk('theirs') }
    const outcome = decide(all)
    if (outcome !== 'conflict') return textOf(outcome)
    const print = (side: keyof typeof lines) => JSON.stringify(textOf(side))
    const sides = { base: print('base'), ours: print('ours'), theirs: print('theirs') }
    const conflict = { kind: 'lines', path, at: chunk.base[0], ...sides } as const
    return JSON.parse(settle(merging, conflict, joinStrings) ?? '""') as string
  })
  return JSON.stringify(merged.join(''))
}

const joinStrings = (ours: string, theirs: string) =>
  JSON.stringify(`${JSON.parse(ours)}${JSON.parse(theirs)}`)
