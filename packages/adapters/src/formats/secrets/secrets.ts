import { Failure } from '@heirloom/core'
import type { SecretChoice } from '../import-report.ts'
import { type EscapeView, escapeViews, toOutermost, widenToEscapes } from './escape-view.ts'
import { findNamedSecrets, isJson } from './find-named-secrets.ts'
import { findRecoveryPhrases } from './find-recovery-phrases.ts'
import { locateSecrets } from './locate-secrets.ts'
import { isReal, password } from './pattern.ts'
import { replaceSecrets } from './replace-secrets.ts'
import type { Secret, SecretFinding, Stretch } from './secret.ts'
import { findPatternSecrets } from './secret-patterns.ts'
import { passwordWord } from './sentence-patterns.ts'

/**
 * Finds texts that look like secrets: keys, tokens, passwords and recovery phrases. Escaped JSON,
 * JSON in strings, member names and file names are searched too. Returns the first hundred.
 */
export function findSecrets(text: string): readonly SecretFinding[] {
  return locateSecrets(text, findAll(text))
}

/** A redacted text, and the secrets that were replaced. */
export type RedactedText = { readonly text: string; readonly secrets: readonly SecretFinding[] }

/**
 * Replaces the secrets that `findSecrets` finds, and every repetition of them, by `(redacted-1)`,
 * `(redacted-2)` and so on. Valid JSON stays valid, and nothing else changes.
 */
export function redactSecrets(text: string): RedactedText {
  const { redacted, secrets } = redact(text)
  return { text: redacted, secrets }
}

/**
 * Returns a text unchanged or redacted, as `choice` says, and its secrets. Throws for `refuse`.
 *
 * @throws `import/secrets-found`
 */
export function handleSecrets(text: string, choice: SecretChoice): RedactedText {
  if (choice === 'redact') {
    const { redacted, secrets, remaining } = redact(text)
    refuseAny(locateSecrets(redacted, remaining))
    return { text: redacted, secrets }
  }
  const secrets = findSecrets(text)
  if (choice === 'refuse') refuseAny(secrets)
  return { text, secrets }
}

function refuseAny(secrets: readonly SecretFinding[]): void {
  if (secrets.length === 0) return
  const some = (texts: readonly string[]) => [...new Set(texts)].slice(0, 5).join(', ')
  const kinds = some(secrets.map(({ kind }) => kind))
  const places = some(secrets.map(placeOf))
  throw new Failure('import/secrets-found', { count: secrets.length, kinds, places })
}

function placeOf({ where, line }: SecretFinding): string {
  return where === undefined ? `line ${line}` : `${where} line ${line}`
}

/** The most rounds of finding and replacing; redacted text may reveal further secrets. */
const mostRounds = 8

function redact(text: string) {
  let [redacted, found] = [text, findAll(text)]
  const secrets = locateSecrets(text, found)
  for (let round = 0; found.length > 0 && round < mostRounds; round++) {
    redacted = replaceSecrets(redacted, [...found, ...findRepetitions(redacted, found)])
    found = findAll(redacted)
  }
  return { redacted, secrets, remaining: found }
}

/** Finds all secrets of a text, with positions in the text itself. */
function findAll(text: string): readonly Secret[] {
  const views = escapeViews(text)
  const named = isJson(text) ? findNamedSecrets(text) : []
  const found = views.flatMap((view, level) =>
    [
      ...findPemSecrets(view.text),
      ...findPatternSecrets(view.text),
      ...findRecoveryPhrases(view.text),
      ...findTablePasswords(view.text),
    ].map((secret) => toText(views, level, secret)),
  )
  // A kind known by its pattern is more specific than one known by a member name.
  return [...found, ...named]
}

/** Converts the positions of a secret in a view to positions in the text. */
function toText(views: readonly EscapeView[], level: number, secret: Secret): Secret {
  const view = views[level]
  if (view === undefined) return secret
  const parts = secret.parts.map((part) => {
    const [start, end] = widenToEscapes(views, level, part)
    return [toOutermost(view, start), toOutermost(view, end)] as const
  })
  return { ...secret, parts }
}

/** The texts that one regular expression searches for. */
const batchSize = 200

/** Finds the repetitions of secrets, except of those that could be an ordinary word. */
function findRepetitions(text: string, secrets: readonly Secret[]): readonly Secret[] {
  const texts = [...new Set(secrets.map((secret) => secret.text))]
  const distinctive = texts.filter((it) => it.length >= 8 && /[^a-z]/i.test(it))
  const views = escapeViews(text)
  const groups = Array.from({ length: Math.ceil(distinctive.length / batchSize) }, (_, nth) =>
    distinctive.slice(nth * batchSize, (nth + 1) * batchSize),
  )
  return groups.flatMap((group) => {
    const pattern = new RegExp(group.map(escapePattern).join('|'), 'g')
    return views.flatMap(({ text: shown }, level) =>
      [...shown.matchAll(pattern)].map(({ 0: found, index }) =>
        toText(views, level, { kind: '', text: found, parts: [[index, index + found.length]] }),
      ),
    )
  })
}

const escapePattern = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

const title = new RegExp(`^\\s*[*_]{0,2}(?:${passwordWord})[*_]{0,2}\\s*$`, 'iu')

const ruler = /^[\s|:-]+$/

/** Finds the passwords in tables of Markdown: what stands in a column of that name. */
function findTablePasswords(text: string): readonly Secret[] {
  if (!text.includes('|')) return []
  const found: Secret[] = []
  let column = -1
  let start = 0
  for (const line of text.split('\n')) {
    if (!line.includes('|')) column = -1
    else if (column === -1) column = line.split('|').findIndex((cell) => title.test(cell))
    else if (!ruler.test(line)) found.push(...cellAt(line, column, start))
    start += line.length + 1
  }
  return found
}

function cellAt(line: string, column: number, start: number): readonly Secret[] {
  const cells = line.split('|')
  const cell = cells[column] ?? ''
  const text = /^[\s`"]*([^\s`"]*)[\s`"]*$/.exec(cell)?.[1] ?? ''
  if (text.length < 4 || !isReal(text)) return []
  const at =
    start + cells.slice(0, column).join('|').length + Math.min(column, 1) + cell.indexOf(text)
  return [{ kind: password, text, parts: [[at, at + text.length]] }]
}

const header = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g

const footer = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g

/** The longest key found, in UTF-16 units. */
const longest = 20_000

/** Matches what cannot be in a key: brackets, or the name of another member. */
const outsideKey = /[{}[\]]|"\s*:/

/** Matches lines of base64 with the separators of a list or an escaped text. */
const body = /(?:(?:\\[nr]|[\s",\\])*(?:[A-Za-z0-9+/=]{16,}))*/y

/** Matches what follows the first line of a key where a sentence only names it. */
const sentence = /^["'`).,;:]{0,3}[ \t]{1,4}[a-z]{1,20}[ \t,.]/i

/** Finds private keys in PEM form. A key in a list of lines has one part for each line. */
function findPemSecrets(text: string): readonly Secret[] {
  return [...text.matchAll(header)].flatMap(({ 0: found, index }) => {
    const start = index + found.length
    const end = findEnd(text, start)
    if (start === end && sentence.test(text.slice(end, end + 40))) return []
    return [
      {
        kind: 'a private key in PEM form',
        text: text.slice(index, end),
        parts: splitAtQuotes(text, [index, end]),
      },
    ]
  })
}

function findEnd(text: string, start: number): number {
  footer.lastIndex = start
  const found = footer.exec(text.slice(0, start + longest))
  const inside = found === null ? '' : text.slice(start, found.index)
  if (found !== null && !outsideKey.test(inside)) return found.index + found[0].length
  body.lastIndex = start
  return start + (body.exec(text.slice(0, start + longest))?.[0].length ?? 0)
}

/** Splits a stretch at the quotes in it, and drops the separators between two strings. */
function splitAtQuotes(text: string, [start, end]: Stretch): readonly Stretch[] {
  const parts: Stretch[] = []
  let from = start
  for (const { 0: gap, index } of text.slice(start, end).matchAll(/[\s,\\]*["'][\s,"'\\]*/g)) {
    if (start + index > from) parts.push([from, start + index])
    from = start + index + gap.length
  }
  return from < end ? [...parts, [from, end]] : parts
}
