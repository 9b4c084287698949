import { arbitraryCodePoint } from '@heirloom/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Line,
  printable,
  printableJson,
  progressBar,
  terminalOutput,
  wrapLine,
} from './output.ts'

// Any text that a stranger can put into a card or a response, often with control characters.
const hostile = fc.string({
  unit: fc.oneof(
    fc.string({ unit: arbitraryCodePoint, minLength: 1, maxLength: 1 }),
    fc.constantFrom(
      '\u{1B}',
      '\u{9B}',
      '\u{7}',
      '\r',
      '\n',
      '\u{202E}',
      '\u{2028}',
      '\u{E0041}',
      '\u{D800}',
    ),
  ),
})

const controls = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\u{FEFF}\u{E0000}-\u{E007F}]/u

describe('untrusted text', () => {
  test('becomes one line without control characters', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(printable(text)).not.toMatch(controls)
      }),
    )
  })

  test('stays unchanged when it is harmless', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        fc.pre(!controls.test(text))
        expect(printable(text)).toBe(text)
      }),
    )
    expect(printable('Zażółć 記憶 🧠 — “ok”')).toBe('Zażółć 記憶 🧠 — “ok”')
  })

  test('becomes the same JSON, without control characters except line ends', () => {
    fc.assert(
      fc.property(fc.dictionary(hostile, hostile), (value) => {
        const text = printableJson(JSON.stringify(value, undefined, 2))
        expect(JSON.parse(text)).toEqual(value)
        expect(text.replaceAll('\n', '')).not.toMatch(controls)
      }),
    )
  })

  test('reaches a terminal without control characters from every part of the output', async () => {
    const env = {}
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        const written: string[] = []
        const stream = {
          isTTY: true,
          write: (data: string, done: () => void) => {
            written.push(data)
            done()
          },
        }
        const terminal = { env, stdout: stream, stderr: stream, stdin: stream }
        const output = terminalOutput(terminal as never, false)
        await output.lines([text, ['a', { style: 'bold', text }, text]])
        await output.note(text)
        await output.document(Buffer.from(JSON.stringify({ text })))
        const bare = written.join('').replaceAll('\u{1B}[1m', '').replaceAll('\u{1B}[22m', '')
        expect(bare.replaceAll('\n', '')).not.toMatch(controls)
      }),
    )
  })
})

describe('a line on a narrow terminal', () => {
  const textOf = (line: Line) =>
    [line].flat().reduce<string>((text, it) => text + (typeof it === 'string' ? it : it.text), '')
  const part = fc
    .string({ unit: fc.constantFrom('a', 'b', '0', ' ') })
    .chain((text) =>
      fc.constantFrom<string | { style: 'dim'; text: string }>(text, { style: 'dim', text }),
    )

  test('keeps every word whole, and is longer only for one that is', () => {
    fc.assert(
      fc.property(fc.array(part), fc.integer({ min: 1, max: 80 }), (line, width) => {
        const wrapped = wrapLine(line, width).map(textOf)
        const words = (text: string) => text.split(' ').filter((it) => it !== '')
        expect(wrapped.flatMap(words)).toEqual(words(textOf(line)))
        for (const text of wrapped.filter((it) => it.length > width)) {
          const indented = text.slice(0, text.lastIndexOf(' ') + 1)
          expect(indented.trim() === '' || indented.length <= width / 2, text).toBe(true)
        }
      }),
    )
  })

  test('goes on below its second column', () => {
    const [name, hash] = ['Content hash', `0x${'f'.repeat(64)}`]
    const lines = (line: Line, width: number) => wrapLine(line, width).map(textOf)
    expect(lines([{ style: 'dim', text: name }, '  a price of 0.5 ether'], 30)).toEqual([
      'Content hash  a price of 0.5',
      '              ether',
    ])
    expect(lines(`2026-11-30 05:34:29 UTC  mint: ${hash}`, 40)).toEqual([
      '2026-11-30 05:34:29 UTC  mint:',
      `  ${hash}`,
    ])
  })

  test('is what it was where it fits, or where there is no terminal', () => {
    const line = 'a  b '.repeat(50)
    expect(wrapLine(line, Number.POSITIVE_INFINITY)).toEqual([line])
    expect(wrapLine('a  b ', 5)).toEqual(['a  b '])
  })
})

test('a progress bar is shorter than its terminal, which without a width has 80 columns', () => {
  const columns = fc.oneof(fc.constantFrom(0, 1, undefined), fc.nat(200))
  fc.assert(
    fc.property(columns, fc.nat(90_000_000), (width, bytes) => {
      const written: string[] = []
      const stream = { isTTY: true, columns: width, write: (line: string) => written.push(line) }
      const terminal = { env: {}, stdout: stream, stderr: stream }
      const { onProgress } = progressBar(terminal as never, { json: false })
      onProgress({ phase: 'download', bytes, total: 90_000_000 })
      const shown = written.map((it) => it.replace('\r\u{1B}[K', ''))
      expect(shown.every((it) => it.length < (width || 80))).toBe(true)
      expect(terminalOutput(terminal as never, false).width).toBe(width || 80)
    }),
  )
})
