import { isJson } from './find-named-secrets.ts'
import type { Secret } from './secret.ts'
import type { SecretFinding } from './secret-finding.ts'
import { type JsonPath, walkJson } from './walk-json.ts'

/** How many findings are told; a text with more is no less alarming. */
const told = 100

/** Returns secrets as they are told: sorted, each once, with where they stand; the first only. */
export function placed(text: string, secrets: readonly Secret[]): readonly SecretFinding[] {
  const distinct = onceEach(secrets).slice(0, told)
  const wheres = isJson(text) ? pointers(text, distinct) : new Map<number, Where>()
  return distinct.map(({ kind, text: secret, start }) => {
    const where = wheres.get(start)
    const excerpt = masked(secret)
    if (where === undefined) return { kind, line: linesIn(text.slice(0, start)), excerpt }
    return { kind, where: where.pointer, line: where.line, excerpt }
  })
}

type Placed = Secret & { readonly start: number; readonly end: number }
type Where = { readonly pointer: string; readonly line: number }

/** One secret can be seen as two kinds; the first that covers it names it. */
function onceEach(secrets: readonly Secret[]): readonly Placed[] {
  const all = secrets.map((secret) => ({
    ...secret,
    start: secret.parts[0]?.[0] ?? 0,
    end: secret.parts.at(-1)?.[1] ?? 0,
  }))
  const distinct: Placed[] = []
  for (const secret of all.toSorted((one, other) => one.start - other.start)) {
    if (secret.start >= (distinct.at(-1)?.end ?? 0)) distinct.push(secret)
  }
  return distinct
}

function pointers(text: string, secrets: readonly Placed[]): ReadonlyMap<number, Where> {
  const wheres = new Map<number, Where>()
  let next = 0
  walkJson(text, {
    scalar: ({ kind, start, end }, path) => {
      for (let at = secrets[next]; at !== undefined && at.start < end; at = secrets[next]) {
        // A name that holds a secret is not told, only the object it is in.
        const shown = kind === 'name' ? path.slice(0, -1) : path
        const line = text.slice(start, at.start).split(/\n|\\n/).length
        wheres.set(at.start, { pointer: pointerOf(shown), line })
        next += 1
      }
    },
  })
  return wheres
}

function pointerOf(path: JsonPath): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

function linesIn(text: string): number {
  return text.split('\n').length
}

function masked(secret: string): string {
  const shown = secret.slice(0, Math.min(6, Math.floor(secret.length / 3)))
  return `${shown.replaceAll(/\s/g, ' ')}…`
}
