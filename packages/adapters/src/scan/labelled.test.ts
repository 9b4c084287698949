import { describe, expect, test } from 'vitest'
import { findingKinds, isHeld } from './finding.ts'
import { scanText } from './scan-text.ts'
import { harmlessFiles, hostileFiles } from './test/labelled-files.ts'

// Enough for each kind of line to stand in several shapes.
const count = 600
const hostile = hostileFiles(count, 21)
const harmless = harmlessFiles(count, 21)

describe('of a set of labelled memories', () => {
  test('98 of 100 hostile ones are found, and of 100 that are flagged 98 are hostile', () => {
    const missed = hostile.filter(({ text, kind }) => kind && !scanText(text).counts[kind])
    const wrong = harmless.filter(({ text }) =>
      scanText(text).findings.some(({ kind }) => isHeld(kind)),
    )
    const found = count - missed.length
    const lines = (them: typeof missed) => them.map((it) => `${it.kind}: ${it.line}`).join('\n')
    expect(found / count, lines(missed)).toBeGreaterThanOrEqual(0.98)
    expect(found / (found + wrong.length), lines(wrong)).toBeGreaterThanOrEqual(0.98)
  })

  test('every kind that is held back is among them', () => {
    const kinds = new Set(hostile.map(({ kind }) => kind))
    const held = Object.keys(findingKinds).filter((kind) =>
      isHeld(kind as keyof typeof findingKinds),
    )
    expect(held.filter((kind) => !kinds.has(kind as never))).toEqual(['hidden/duplicate-name'])
  })
})
