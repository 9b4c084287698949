import { Failure } from '@heirloom/core'
import type { SecretChoice } from '../import-report.ts'
import { type EscapeView, escapeViews, toOutermost, widenToEscapes } from './escape-view.ts'
import { findNamedSecrets, isJson } from './find-named-secrets.ts'
import { findPemSecrets } from './find-pem-secrets.ts'
import { findRecoveryPhrases } from './find-recovery-phrases.ts'
import { findTablePasswords } from './find-table-passwords.ts'
import { locateSecrets } from './locate-secrets.ts'
import { replaceSecrets } from './replace-secrets.ts'
import type { Secret } from './secret.ts'
import type { SecretFinding } from './secret-finding.ts'
import { findPatternSecrets } from './secret-patterns.ts'

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
