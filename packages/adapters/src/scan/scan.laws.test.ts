import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawFrom } from '../formats/test/draw.ts'
import { type Finding, findingKinds, isHeld } from './finding.ts'
import { quarantine, scanInSteps, scanText } from './scan-text.ts'
import { dropOrder, hostileLines } from './test/hostile-lines.ts'

const hostileText = fc
  .tuple(fc.constantFrom(...hostileLines), fc.nat(1000))
  .map(([[, write], seed]) => write(drawFrom(`law/${seed}`)))
const anyText = fc.oneof(hostileText, fc.string({ unit: 'binary' }), fc.string())
const { tree: anyValue } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    anyText,
    fc.integer(),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.string(), hostileText), tie('tree'), { maxKeys: 4 }),
  ),
}))
const anyDocument = fc.record({ data: anyValue }).map((it) => JSON.stringify(it))

/** Returns the JSON string that begins at a place of a text. */
const literalAt = (text: string, at: number): string =>
  JSON.parse(/"(?:[^"\\]|\\.)*"/y[Symbol.match](text.slice(at))?.[0] ?? '""')

/** Reads a value by its pointer. */
const valueAt = (text: string, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((value: unknown, name) => (value as Record<string, unknown>)[name], JSON.parse(text))

const showsCodes = (text: string): string =>
  text.replaceAll(/\\u\{([0-9a-f]+)\}/g, (_, code) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  )

const startOf = ({ excerpt }: Finding): string => showsCodes(excerpt.replace(/…$/, ''))

const escapePointer = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')

function expectPlace(text: string, it: Finding): void {
  const string = literalAt(text, it.at)
  expect(it.end).toBeLessThanOrEqual(string.length)
  expect(it.start).toBeLessThan(it.end)
  const isPlain = it.via.length === 0 && it.kind !== 'hidden/message'
  if (isPlain) expect(string.slice(it.start, it.end)).toContain(startOf(it))
  if (it.in === 'value') expect(valueAt(text, it.pointer)).toBe(string)
  else expect(it.pointer.endsWith(`/${escapePointer(string)}`)).toBe(true)
}

const nested = (value: unknown, depth: number): unknown =>
  depth === 0 ? value : nested(depth % 2 ? [value] : { value }, depth - 1)

describe('a scan', () => {
  test('is a pure function of the text, however often it pauses', async () => {
    await fc.assert(
      fc.asyncProperty(anyDocument, async (text) => {
        const whole = scanText(text)
        expect(scanText(text)).toEqual(whole)
        expect(await scanInSteps(text, async () => {})).toEqual(whole)
      }),
    )
  })

  test('names the place of every finding: it has what the excerpt shows', () => {
    fc.assert(
      fc.property(anyDocument, (text) => {
        for (const it of scanText(text).findings) expectPlace(text, it)
      }),
    )
  })

  test('finds what it finds alone in any place of a document', () => {
    const place = fc.record({
      before: fc.array(fc.string()),
      depth: fc.nat(20),
      isName: fc.boolean(),
    })
    fc.assert(
      fc.property(hostileText, place, (line, { before, depth, isName }) => {
        const alone = Object.keys(scanText(JSON.stringify({ a: line })).counts)
        const inside = nested(isName ? { [line]: 1 } : [...before, line], depth)
        expect(Object.keys(scanText(JSON.stringify(inside)).counts)).toEqual(
          expect.arrayContaining(alone),
        )
      }),
    )
  })

  test('finds any invisible character at any place of a text', () => {
    const hidden = fc.constantFrom(
      ...['\u200b', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u202e', '\u2066', '\u{e0041}'],
      ...[
        '\ufe01',
        '\u{e0101}',
        '\u001b',
        '\u0000',
        '\u009b',
        '\u3164',
        '\ufff9',
        '\u2028',
        '\ue000',
      ],
    )
    const plain = fc.string({ maxLength: 200 })
    fc.assert(
      fc.property(plain, hidden, plain, (before, character, after) => {
        const { findings } = scanText(JSON.stringify([`${before}${character}${after}`]))
        const at = before.length
        expect(
          findings.some((it) => it.kind.startsWith('hidden/') && it.start <= at && at < it.end),
        ).toBe(true)
      }),
    )
  })

  test('finds an order across the windows of a long text', () => {
    const order = dropOrder(drawFrom('windows'))
    for (const at of [0, 65_500, 65_536 - order.length, 65_520, 65_536, 131_060, 200_000]) {
      const text = JSON.stringify([
        `${'tea '.repeat(60_000).slice(0, at)}. ${order} ${'tea '.repeat(9)}`,
      ])
      const { findings, counts } = scanText(text)
      expect(counts['instruction/override'], `at ${at}`).toBe(1)
      expect(findings[0]?.start).toBe(at + 2)
    }
  })

  test('has sentences and excerpts of one short line that act on no terminal', () => {
    fc.assert(
      fc.property(anyDocument, (text) => {
        for (const { excerpt, sentence, kind, severity } of scanText(text).findings) {
          expect(excerpt.length).toBeLessThanOrEqual(401)
          expect(excerpt).toMatch(/^[^\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]*$/u)
          expect([severity, sentence]).toEqual(findingKinds[kind])
        }
      }),
    )
  })
})

describe('quarantine', () => {
  test('changes the strings that are held back and nothing else, and leaves nothing to hold', () => {
    fc.assert(
      fc.property(anyDocument, (text) => {
        const scan = scanText(text)
        const left = quarantine(text, scan)
        let at = 0
        const parts = scan.held.map((it) => {
          const part = text.slice(at, it.at)
          at = it.end
          return part
        })
        const notes = left.split(/"\(held back \d+: [a-z/, -]+\)"/)
        expect(notes).toEqual([...parts, text.slice(at)])
        expect(() => JSON.parse(left)).not.toThrow()
        const again = scanText(left).findings.filter(({ kind }) => isHeld(kind))
        expect(again.filter(({ kind }) => kind !== 'hidden/duplicate-name')).toEqual([])
      }),
    )
  })

  test('leaves a text without findings as it is', () => {
    const text = '{"data":{"n":12345678901234567890123,"a":1.0},"metadata":{"category":"x"}}'
    expect(quarantine(text, scanText(text))).toBe(text)
  })
})
