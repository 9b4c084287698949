import { describe, expect, test } from 'vitest'
import { casesWithoutSecrets, casesWithSecrets, type LabelledCase } from '../test/labelled-cases.ts'
import { findSecrets, redactSecrets } from './secrets.ts'

// Enough for each kind of line to stand in several shapes.
const count = 600
const seed = 20
const withSecrets = casesWithSecrets(count, seed)
const withoutSecrets = casesWithoutSecrets(count, seed)
const marker = /\(redacted-\d+\)/

/** Returns the ways a text is written in JSON, and in JSON in a string. */
function spellingsOf(text: string): readonly string[] {
  const once = JSON.stringify(text).slice(1, -1)
  return [text, once, JSON.stringify(once).slice(1, -1)]
}

const isWithin = (text: string, secret: string) =>
  spellingsOf(secret).some((it) => text.includes(it))

/** Returns what the markers of a redacted text stand for; `undefined` where anything else changed. */
function replacedIn(text: string, redacted: string): readonly string[] | undefined {
  const unchanged = redacted.split(marker)
  const pattern = unchanged
    .map((it) => it.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
    .join('([^]+?)')
  return new RegExp(`^${pattern}$`).exec(text)?.slice(1)
}

const namesOf = (cases: readonly LabelledCase[]) => cases.map(({ name }) => name)

describe('of a set of labelled memories', () => {
  test('98 of 100 secrets are found, and of 100 findings 98 are secrets', () => {
    const found = withSecrets.filter(
      ({ text, secret = '' }) => !isWithin(redactSecrets(text).text, secret),
    )
    const mistaken = withoutSecrets.filter(({ text }) => findSecrets(text).length > 0)
    const recall = found.length / withSecrets.length
    const precision = found.length / (found.length + mistaken.length)
    const missed = namesOf(withSecrets.filter((it) => !found.includes(it)))
    expect(recall, missed.join('\n')).toBeGreaterThanOrEqual(0.98)
    expect(precision, namesOf(mistaken).join('\n')).toBeGreaterThanOrEqual(0.98)
  })

  test('redaction changes the secret and nothing else', () => {
    for (const { name, text, secret = '' } of withSecrets) {
      const replaced = replacedIn(text, redactSecrets(text).text)
      expect(replaced, name).toBeDefined()
      for (const part of replaced ?? [])
        expect(
          spellingsOf(secret).some((it) => it.includes(part)),
          `${name}: ${part}`,
        ).toBe(true)
    }
  })

  test('redaction leaves memories without a secret as they are', () => {
    const changed = withoutSecrets.filter(({ text }) => redactSecrets(text).text !== text)
    expect(changed.length / withoutSecrets.length).toBeLessThanOrEqual(0.02)
  })
})
