import { type Draw, drawFrom } from '../../formats/test/draw.ts'
import { harmlessLines } from '../../formats/test/harmless-lines.ts'
import { memoryShapes } from '../../formats/test/memory-shapes.ts'
import { secretLines } from '../../formats/test/secret-lines.ts'
import type { FindingKind } from '../finding.ts'
import { harmlessTalk } from './harmless-talk.ts'
import { hostileLines } from './hostile-lines.ts'

/** A text in the shape of a memory file. */
export type LabelledFile = {
  readonly line: string
  readonly text: string
  /** Describes what it must be found to have; `undefined` where it is harmless. */
  readonly kind?: FindingKind
}

const intoShape = (line: string, draw: Draw): Omit<LabelledFile, 'kind'> => ({
  line,
  text: draw.pick(Object.values(memoryShapes))(line, draw),
})

/** Returns files that hold one hostile line each: every form in turn, in one shape or another. */
export const hostileFiles = (count: number, seed: number): readonly LabelledFile[] =>
  Array.from({ length: count }, (_, at) => {
    const draw = drawFrom(`scan/${seed}/${at}`)
    const [kind, write] = hostileLines[at % hostileLines.length] ?? draw.pick(hostileLines)
    return { kind, ...intoShape(write(draw), draw) }
  })

/** A record of a tool call is a line of harmless memories, but not in the text of a note. */
const isInPlace = (name: string): boolean => !name.startsWith('tool call')

/** Describes what writes harmless lines: talk, and the keys, tokens, hashes and code of real files. */
const harmless: readonly ((of: Draw) => string)[] = [
  ...harmlessTalk.flatMap((line) => Array.from({ length: 3 }, () => () => line)),
  ...Object.entries(harmlessLines).flatMap(([name, write]) => (isInPlace(name) ? [write] : [])),
  ...Object.values(secretLines).map((write) => (of: Draw) => write(of).line),
]

/** Returns files without a hostile line. */
export const harmlessFiles = (count: number, seed: number): readonly LabelledFile[] =>
  Array.from({ length: count }, (_, at) => {
    const draw = drawFrom(`plain/${seed}/${at}`)
    return intoShape((harmless[at % harmless.length] ?? draw.pick(harmless))(draw), draw)
  })
