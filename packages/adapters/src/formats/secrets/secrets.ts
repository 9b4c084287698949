import { Failure } from '@heirloom/core'
import { outermost, type View, viewsOf, widened } from './escape-view.ts'
import type { SecretChoice } from '../import-report.ts'
import { isJson, namedSecrets } from './find-named-secrets.ts'
import { pemSecrets } from './find-pem-secrets.ts'
import { recoveryPhrases } from './find-recovery-phrases.ts'
import { replaced } from './replace-secrets.ts'
import type { Secret } from './secret.ts'
import type { SecretFinding } from './secret-finding.ts'
import { patternSecrets } from './secret-patterns.ts'
import { placed } from './locate-secrets.ts'

/**
 * Returns what in a text looks as if nobody else should have it, in every spelling that JSON
 * allows and in strings that hold JSON, names of members and of files included; the first hundred.
 */
export function findSecrets(text: string): readonly SecretFinding[] {
  return placed(text, secretsIn(text))
}

/** A text without its secrets, and what they were. */
export type Redacted = { readonly text: string; readonly secrets: readonly SecretFinding[] }

/**
 * Returns a text with `(redacted-1)`, `(redacted-2)` … in place of what `findSecrets` finds, and
 * of the same texts wherever else they stand. JSON stays JSON, and nothing else changes.
 */
export function redactSecrets(text: string): Redacted {
  const { left, secrets } = redaction(text)
  return { text: left, secrets }
}

/**
 * Returns a text as was chosen, whole or without its secrets, and what they were.
 *
 * @throws `import/secrets-found`
 */
export function handleSecrets(text: string, choice: SecretChoice): Redacted {
  if (choice === 'redact') {
    const { left, secrets, remaining } = redaction(text)
    refuseAny(placed(left, remaining))
    return { text: left, secrets }
  }
  const secrets = findSecrets(text)
  if (choice === 'refuse') refuseAny(secrets)
  return { text, secrets }
}

function refuseAny(secrets: readonly SecretFinding[]): void {
  if (secrets.length === 0) return
  const kinds = [...new Set(secrets.map(({ kind }) => kind))].slice(0, 5).join(', ')
  throw new Failure('import/secrets-found', { count: secrets.length, kinds })
}

/** How often what is left is looked at again. */
const mostRounds = 8

function redaction(text: string) {
  let [left, found] = [text, secretsIn(text)]
  const secrets = placed(text, found)
  for (let round = 0; found.length > 0 && round < mostRounds; round++) {
    left = replaced(left, [...found, ...repeated(left, found)])
    found = secretsIn(left)
  }
  return { left, secrets, remaining: found }
}

/** Returns what is secret in a text, placed in the text itself. */
function secretsIn(text: string): readonly Secret[] {
  const views = viewsOf(text)
  const named = isJson(text) ? namedSecrets(text) : []
  const found = views.flatMap((view, level) =>
    [...pemSecrets(view.text), ...patternSecrets(view.text), ...recoveryPhrases(view.text)].map(
      (secret) => inText(views, level, secret),
    ),
  )
  // A kind that is known by itself tells more than a name beside it.
  return [...found, ...named]
}

function inText(views: readonly View[], level: number, secret: Secret): Secret {
  const view = views[level]
  if (view === undefined) return secret
  const parts = secret.parts.map((part) => {
    const [start, end] = widened(views, level, part)
    return [outermost(view, start), outermost(view, end)] as const
  })
  return { ...secret, parts }
}

/** How many texts are looked for at once. */
const atOnce = 200

/** Returns where else the texts of secrets stand, such that no word of a language would do. */
function repeated(text: string, secrets: readonly Secret[]): readonly Secret[] {
  const texts = [...new Set(secrets.map((secret) => secret.text))]
  const telling = texts.filter((it) => it.length >= 8 && /[^a-z]/i.test(it))
  const views = viewsOf(text)
  const groups = Array.from({ length: Math.ceil(telling.length / atOnce) }, (_, nth) =>
    telling.slice(nth * atOnce, (nth + 1) * atOnce),
  )
  return groups.flatMap((group) => {
    const pattern = new RegExp(group.map(literally).join('|'), 'g')
    return views.flatMap(({ text: shown }, level) =>
      [...shown.matchAll(pattern)].map(({ 0: found, index }) =>
        inText(views, level, { kind: '', text: found, parts: [[index, index + found.length]] }),
      ),
    )
  })
}

const literally = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
