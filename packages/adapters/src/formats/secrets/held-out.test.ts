import { describe, expect, test } from 'vitest'
import { drawHeldOutCases, type HeldOutCase } from '../test/held-out/held-out-cases.ts'
import { outcomeOf, shares } from '../test/held-out/measure.ts'
import { isJson } from './find-named-secrets.ts'
import type { SecretFinding } from './secret.ts'
import { findSecrets } from './secrets.ts'

const count = 400

/** Returns the line of the string that a finding names. */
function lineAt({ text }: HeldOutCase, { where, line }: SecretFinding): string {
  const names = (where ?? '').split('/').slice(1)
  const value = names.reduce(
    (at: unknown, name) =>
      (at as Record<string, unknown>)[name.replaceAll('~1', '/').replaceAll('~0', '~')],
    where === undefined ? text : JSON.parse(text),
  )
  return String(value).split('\n')[line - 1] ?? ''
}

// The forms of the last third were measured once the patterns stood: see docs/formats.md.
describe.each([
  ['first', 'held-out-1'],
  ['last', 'held-out-2'],
] as const)('of the %s files of the second set', (part, seed) => {
  const cases = drawHeldOutCases(part, seed, count)
  const withSecrets = cases.filter(({ labels }) => labels.length > 0)
  const outcomes = cases.map(outcomeOf)

  test('half have a secret', () => {
    expect(withSecrets).toHaveLength(count)
    expect(cases).toHaveLength(2 * count)
  })

  test('98 of 100 secrets are found, and of 100 findings 98 are secrets', () => {
    const { recall, precision } = shares(outcomes)
    const failed = cases.filter((_, index) => {
      const { left = 0, wrong = 0 } = outcomes[index] ?? {}
      return left + wrong > 0
    })
    const shown = failed.map(({ text }) => text).join('\n\n')
    expect(recall, shown).toBeGreaterThanOrEqual(0.98)
    expect(precision, shown).toBeGreaterThanOrEqual(0.98)
  })

  test('redaction changes nothing outside the secrets', () => {
    const changed = withSecrets.filter((one) => outcomeOf(one).wrong > 0)
    expect(changed.map(({ text }) => text)).toEqual([])
  })

  test('every finding names its place', () => {
    for (const one of withSecrets)
      for (const finding of findSecrets(one.text)) {
        expect(finding.where !== undefined, one.text).toBe(isJson(one.text))
        const start = finding.excerpt.replace(/…$/, '')
        expect(lineAt(one, finding).replaceAll(/\s/g, ' '), one.text).toContain(start)
      }
  })
})
