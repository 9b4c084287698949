import type { Node, Sources } from '../solc.ts'
import { children, type Edit, editsAt, placeOf, type Reader } from './operators.ts'

/** One small fault in one file. */
export type Mutant = {
  /** Tells the mutant apart even after lines have moved. */
  readonly name: string
  readonly path: string
  readonly line: number
  readonly operator: string
  readonly change: string
  /** The whole text of the file with the fault in it. */
  readonly text: string
}

/** Stands for the untouched pair in place of a mutant; it has to survive. */
export const original = -1

/** How a mutant can end, unless it is named the test that killed it. */
export const ends = {
  survived: 'survived',
  notCompiled: 'not compiled',
  sameCode: 'same code',
  notJudged: 'not judged',
} as const

/** Returns every mutant of the sources, in the order in which they stand in them. */
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
      const { start, end } = placeOf(node)
      return between(start, end)
    },
  }
  const name = namer()
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
        text: applied(bytes, edit),
      }
    })
}

/** Returns a function that names mutants in the order in which they stand; the same change may be made twice. */
export function namer(): (path: string, operator: string, change: string) => string {
  const times = new Map<string, number>()
  return (path, operator, change) => {
    const told = `${path} ${operator}: ${change}`
    const time = (times.get(told) ?? 0) + 1
    times.set(told, time)
    return time === 1 ? told : `${told} (${time})`
  }
}

function editsIn(node: Node, text: Reader): readonly Edit[] {
  const here = editsAt(node, text)
  return [...here, ...children(node).flatMap((child) => editsIn(child, text))]
}

function applied(bytes: Buffer, { start, before, after }: Edit): string {
  const end = start + Buffer.byteLength(before)
  return bytes.subarray(0, start).toString() + after + bytes.subarray(end).toString()
}

function changeOf({ before, after }: Edit): string {
  const [from, to] = [before, after].map((side) => side.replaceAll(/\s+/g, ' ').trim())
  return to === '' || to === '{}' ? `${from}` : `${from} → ${to}`
}
