import type { Node, Sources } from '../../solc.ts'
import { children, type Edit, editsAt, type Reader, rangeOf } from './operators.ts'

/** One small fault in one file. */
export type Mutant = {
  /** Identifies the mutant even after lines have moved. */
  readonly name: string
  readonly path: string
  readonly line: number
  readonly operator: string
  readonly change: string
  /** The text of the file with the fault. */
  readonly text: string
}

/** The index of the original contracts in place of a mutant; they must survive. */
export const original = -1

/** The ends of a mutant, besides the name of the test that killed it. */
export const ends = {
  survived: 'survived',
  notCompiled: 'not compiled',
  sameCode: 'same code',
  notJudged: 'not judged',
} as const

/** Returns every mutant of the sources, in source order. */
export function mutantsOf(sources: Sources, trees: ReadonlyMap<string, Node>): readonly Mutant[] {
  return Object.keys(sources)
    .toSorted()
    .flatMap((path) => {
      const tree = trees.get(path)
      return tree ? mutantsIn(path, Buffer.from(sources[path] ?? ''), tree) : []
    })
}

function mutantsIn(path: string, bytes: Buffer, tree: Node): readonly Mutant[] {
  const between = (start: number, end: number) => bytes.subarray(start, end).toString()
  const text: Reader = {
    between,
    of: (node) => {
      const { start, end } = rangeOf(node)
      return between(start, end)
    },
  }
  const name = mutantNamer()
  return editsIn(tree, text)
    .toSorted((a, b) => a.start - b.start)
    .map((edit) => {
      const change = changeOf(edit)
      return {
        name: name(path, edit.operator, change),
        path,
        line: between(0, edit.start).split('\n').length,
        operator: edit.operator,
        change,
        text: apply(bytes, edit),
      }
    })
}

/** Returns a function that names mutants in source order, and numbers repeated changes. */
export function mutantNamer(): (path: string, operator: string, change: string) => string {
  const occurrences = new Map<string, number>()
  return (path, operator, change) => {
    const base = `${path} ${operator}: ${change}`
    const occurrence = (occurrences.get(base) ?? 0) + 1
    occurrences.set(base, occurrence)
    return occurrence === 1 ? base : `${base} (${occurrence})`
  }
}

function editsIn(node: Node, text: Reader): readonly Edit[] {
  const here = editsAt(node, text)
  return [...here, ...children(node).flatMap((child) => editsIn(child, text))]
}

function apply(bytes: Buffer, { start, before, after }: Edit): string {
  const end = start + Buffer.byteLength(before)
  return bytes.subarray(0, start).toString() + after + bytes.subarray(end).toString()
}

function changeOf({ before, after }: Edit): string {
  const [from, to] = [before, after].map((side) => side.replaceAll(/\s+/g, ' ').trim())
  return to === '' || to === '{}' ? `${from}` : `${from} → ${to}`
}
