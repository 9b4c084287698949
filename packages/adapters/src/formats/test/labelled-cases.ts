import { drawFrom } from './draw.ts'
import { harmlessLines } from './harmless-lines.ts'
import { memoryShapes } from './memory-shapes.ts'
import { secretLines } from './secret-lines.ts'

/** A text in the shape of a memory file. */
export type LabelledCase = {
  /** The kind of the line, and the shape around it. */
  readonly name: string
  readonly text: string
  /** The secret, not escaped; `undefined` where the text holds none. */
  readonly secret?: string
}

/** Returns texts that hold one secret each: every kind in turn, in one shape after another. */
export function casesWithSecrets(count: number, seed: number): readonly LabelledCase[] {
  return casesOf(Object.entries(secretLines), count, seed, (write, draw) => write(draw))
}

/** Returns texts without a secret, made alike. */
export function casesWithoutSecrets(count: number, seed: number): readonly LabelledCase[] {
  return casesOf(Object.entries(harmlessLines), count, seed, (write, draw) => ({
    line: write(draw),
  }))
}

function casesOf<T>(
  kinds: readonly (readonly [string, T])[],
  count: number,
  seed: number,
  write: (
    kind: T,
    draw: ReturnType<typeof drawFrom>,
  ) => { readonly line: string; readonly secret?: string },
): readonly LabelledCase[] {
  return Array.from({ length: count }, (_, at) => {
    const draw = drawFrom(`${seed}/${at}`)
    const [kind, it] = draw.pick([kinds[at % kinds.length] ?? draw.pick(kinds)])
    const [shape, into] = draw.pick(Object.entries(memoryShapes))
    const { line, secret } = write(it, draw)
    return { name: `${kind} in ${shape}`, text: into(line, draw), ...(secret && { secret }) }
  })
}
