import { isJson } from './find-named-secrets.ts'
import { marker } from './placeholder.ts'
import type { Secret, Stretch } from './secret.ts'
import { type JsonScalar, walkJson } from './walk-json.ts'

/** Returns a text with markers in place of secrets, each text with a number of its own. */
export function replaced(text: string, secrets: readonly Secret[]): string {
  const stretches = united(secrets.flatMap(({ parts }) => parts))
  const numbered = numbering(text)
  const whole = isJson(text) ? insideScalars(text, stretches) : stretches.map(bare)
  const parts: string[] = []
  let at = 0
  for (const { start, end, isLiteral } of whole) {
    const mark = numbered(text.slice(start, end))
    parts.push(text.slice(at, start), isLiteral ? `"${mark}"` : mark)
    at = end
  }
  return parts.join('') + text.slice(at)
}

type Place = { readonly start: number; readonly end: number; readonly isLiteral: boolean }

const bare = ([start, end]: Stretch): Place => ({ start, end, isLiteral: false })

/** Names differ where the secrets in them differ, so no two members become one. */
function numbering(text: string): (secret: string) => string {
  const used = [...text.matchAll(marker)].map(([mark]) => Number(/\d+/.exec(mark)?.[0] ?? 0))
  const first = used.reduce((highest, number) => Math.max(highest, number), 0) + 1
  const numbers = new Map<string, number>()
  return (secret) => {
    const number = numbers.get(secret) ?? first + numbers.size
    numbers.set(secret, number)
    return `(redacted-${number})`
  }
}

/** Sorts stretches, and makes one of those that touch. */
function united(stretches: readonly Stretch[]): readonly Stretch[] {
  const all: Stretch[] = []
  for (const [start, end] of stretches.toSorted((one, other) => one[0] - other[0])) {
    const last = all.at(-1)
    if (last !== undefined && start <= last[1])
      all[all.length - 1] = [last[0], Math.max(last[1], end)]
    else if (start < end) all.push([start, end])
  }
  return all
}

/** Cuts stretches to the strings of a JSON text, so that its punctuation stays. */
function insideScalars(text: string, stretches: readonly Stretch[]): readonly Place[] {
  const places: Place[] = []
  let next = 0
  walkJson(text, {
    scalar: (scalar) => {
      while ((stretches[next]?.[1] ?? Number.POSITIVE_INFINITY) <= scalar.start) next += 1
      for (let nth = next; (stretches[nth]?.[0] ?? Number.POSITIVE_INFINITY) < scalar.end; nth++) {
        places.push(cut(scalar, stretches[nth] as Stretch))
      }
    },
  })
  return places.filter(({ start, end }, nth) => nth === 0 || start >= (places[nth - 1]?.end ?? end))
}

function cut({ kind, start, end }: JsonScalar, stretch: Stretch): Place {
  if (kind === 'literal') return { start, end, isLiteral: true }
  return { start: Math.max(start, stretch[0]), end: Math.min(end, stretch[1]), isLiteral: false }
}
