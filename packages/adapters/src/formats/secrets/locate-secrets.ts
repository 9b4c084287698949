import { escapeToken } from '@heirloom/core'
import { isJson } from './find-named-secrets.ts'
import type { Secret, SecretFinding } from './secret.ts'
import { type JsonPath, walkJson } from './walk-json.ts'

/** The most findings returned for one text. */
const mostFindings = 100

/** Returns the first hundred distinct secrets as findings, sorted by their position in the text. */
export function locateSecrets(text: string, secrets: readonly Secret[]): readonly SecretFinding[] {
  const distinct = removeOverlaps(secrets).slice(0, mostFindings)
  const locations = isJson(text) ? locateInJson(text, distinct) : new Map<number, Location>()
  return distinct.map(({ kind, text: secret, start }) => {
    const location = locations.get(start)
    const excerpt = mask(secret)
    if (location === undefined) return { kind, line: countLines(text.slice(0, start)), excerpt }
    return { kind, where: location.pointer, line: location.line, excerpt }
  })
}

type Positioned = Secret & { readonly start: number; readonly end: number }
type Location = { readonly pointer: string; readonly line: number }

/** Removes secrets that overlap an earlier one, as two patterns may match the same text. */
function removeOverlaps(secrets: readonly Secret[]): readonly Positioned[] {
  const all = secrets.map((secret) => ({
    ...secret,
    start: secret.parts[0]?.[0] ?? 0,
    end: secret.parts.at(-1)?.[1] ?? 0,
  }))
  const distinct: Positioned[] = []
  for (const secret of all.toSorted((one, other) => one.start - other.start)) {
    if (secret.start >= (distinct.at(-1)?.end ?? 0)) distinct.push(secret)
  }
  return distinct
}

function locateInJson(text: string, secrets: readonly Positioned[]): ReadonlyMap<number, Location> {
  const locations = new Map<number, Location>()
  const texts = secrets.map((it) => it.text)
  const isSecret = (name: string) => texts.some((it) => name.includes(it))
  let next = 0
  walkJson(text, {
    scalar: ({ kind, start, end }, path) => {
      for (let at = secrets[next]; at !== undefined && at.start < end; at = secrets[next]) {
        // A member name that holds a secret must not appear in the pointer.
        const shown = kind === 'name' ? path.slice(0, -1) : path
        const line = countEscapedLines(text.slice(start, at.start))
        locations.set(at.start, { pointer: pointerOf(shown, isSecret), line })
        next += 1
      }
    },
  })
  return locations
}

/** Returns a pointer without the names that hold a secret. */
function pointerOf(path: JsonPath, isSecret: (name: string) => boolean): string {
  const shown = path.map(String).map((part) => (isSecret(part) ? '(redacted)' : escapeToken(part)))
  return shown.map((part) => `/${part}`).join('')
}

function countLines(text: string): number {
  return text.split('\n').length
}

/** Counts the lines of a string of JSON; those of JSON inside it are escaped twice, and are none. */
function countEscapedLines(content: string): number {
  const breaks = content.match(/\\(?:u[0-9a-f]{4}|.)/gi) ?? []
  return breaks.filter((it) => /^\\(?:n|u000a)$/i.test(it)).length + 1
}

function mask(secret: string): string {
  const shown = secret.slice(0, Math.min(6, Math.floor(secret.length / 3)))
  return `${shown.replaceAll(/\s/g, ' ')}…`
}
