import { isJson } from './find-named-secrets.ts'
import { redactionMarker } from './pattern.ts'
import type { Secret, Stretch } from './secret.ts'
import { type JsonScalar, walkJson } from './walk-json.ts'

/** Replaces secrets by numbered markers; equal texts get the same number. */
export function replaceSecrets(text: string, secrets: readonly Secret[]): string {
  const stretches = merge(secrets.flatMap(({ parts }) => parts))
  const markerOf = numberMarkers(text)
  const replacements = isJson(text) ? clipToScalars(text, stretches) : stretches.map(unclipped)
  const parts: string[] = []
  let at = 0
  for (const { start, end, isLiteral } of replacements) {
    const mark = markerOf(text.slice(start, end))
    parts.push(text.slice(at, start), isLiteral ? `"${mark}"` : mark)
    at = end
  }
  return parts.join('') + text.slice(at)
}

type Replacement = { readonly start: number; readonly end: number; readonly isLiteral: boolean }

const unclipped = ([start, end]: Stretch): Replacement => ({ start, end, isLiteral: false })

/** Numbers markers by the text they replace, so that distinct member names stay distinct. */
function numberMarkers(text: string): (secret: string) => string {
  const used = [...text.matchAll(redactionMarker)].map(([mark]) =>
    Number(/\d+/.exec(mark)?.[0] ?? 0),
  )
  const first = used.reduce((highest, number) => Math.max(highest, number), 0) + 1
  const numbers = new Map<string, number>()
  return (secret) => {
    const number = numbers.get(secret) ?? first + numbers.size
    numbers.set(secret, number)
    return `(redacted-${number})`
  }
}

/** Sorts stretches, and merges those that overlap or touch. */
function merge(stretches: readonly Stretch[]): readonly Stretch[] {
  const all: Stretch[] = []
  for (const [start, end] of stretches.toSorted((one, other) => one[0] - other[0])) {
    const last = all.at(-1)
    if (last !== undefined && start <= last[1])
      all[all.length - 1] = [last[0], Math.max(last[1], end)]
    else if (start < end) all.push([start, end])
  }
  return all
}

/** Clips stretches to the scalars of a JSON text, so that its punctuation stays. */
function clipToScalars(text: string, stretches: readonly Stretch[]): readonly Replacement[] {
  const clipped: Replacement[] = []
  let next = 0
  walkJson(text, {
    scalar: (scalar) => {
      while ((stretches[next]?.[1] ?? Number.POSITIVE_INFINITY) <= scalar.start) next += 1
      for (
        let index = next;
        (stretches[index]?.[0] ?? Number.POSITIVE_INFINITY) < scalar.end;
        index++
      ) {
        clipped.push(clip(scalar, stretches[index] as Stretch))
      }
    },
  })
  return clipped.filter(
    ({ start, end }, index) => index === 0 || start >= (clipped[index - 1]?.end ?? end),
  )
}

function clip({ kind, start, end }: JsonScalar, stretch: Stretch): Replacement {
  if (kind === 'literal') return { start, end, isLiteral: true }
  return { start: Math.max(start, stretch[0]), end: Math.min(end, stretch[1]), isLiteral: false }
}
