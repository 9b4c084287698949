import { type Draw, drawFrom } from '../../../formats/test/draw.ts'
import { memoryShapes } from '../../../formats/test/memory-shapes.ts'
import { harmlessTexts } from './harmless-texts.ts'
import { hostileTexts } from './hostile-texts.ts'

/** A file of an agent, and what is in it. */
export type HeldOutCase = {
  readonly group: string
  readonly line: string
  readonly text: string
  readonly isHostile: boolean
}

/**
 * Two thirds of every table are measured while the patterns change; the last third is not
 * measured until they stand.
 */
export type Part = 'first' | 'last'

type Tables = Readonly<Record<string, readonly ((of: Draw) => string)[]>>

/** Draws `count` hostile files and as many harmless ones; the same for the same seed. */
export function drawHeldOutCases(part: Part, seed: string, count: number): readonly HeldOutCase[] {
  return [
    ...casesOf(hostileTexts, { part, seed, count, isHostile: true }),
    ...casesOf(harmlessTexts, { part, seed, count, isHostile: false }),
  ]
}

type Expected = {
  readonly part: Part
  readonly seed: string
  readonly count: number
  readonly isHostile: boolean
}

function casesOf(tables: Tables, { part, seed, count, isHostile }: Expected): HeldOutCase[] {
  const isDrawn = (index: number) => (index % 3 === 2) === (part === 'last')
  const forms = Object.entries(tables).flatMap(([group, table]) =>
    table.flatMap((form, index) => (isDrawn(index) ? [{ group, form }] : [])),
  )
  return Array.from({ length: count }, (_, at) => {
    const draw = drawFrom(`${seed}/${part}/${isHostile}/${at}`)
    const { group, form } = forms[at % forms.length] ?? draw.pick(forms)
    const line = form(draw)
    const shape = draw.pick(Object.values(memoryShapes))
    return { group, line, text: shape(line, draw), isHostile }
  })
}
