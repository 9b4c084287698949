import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { breakLines, drawableText, widthOf } from './card-drawing.ts'

const oneLine = fc.string({ unit: 'grapheme', maxLength: 120 }).map((it) => drawableText(it) ?? 'a')
const widthIn = (text: string) => [...text].reduce((sum, it) => sum + widthOf(it), 0)
const letters = (text: string) => text.replaceAll(' ', '')

describe('lines of a title', () => {
  test('fit, are as many as there may be, and have all of a text or its beginning', () => {
    fc.assert(
      fc.property(
        oneLine,
        fc.integer({ min: 4, max: 40 }),
        fc.integer({ min: 1, max: 4 }),
        (...it) => {
          const [text, width, most] = it
          const lines = breakLines(text, width, most)
          expect(lines.length).toBeLessThanOrEqual(most)
          for (const line of lines) expect(widthIn(line)).toBeLessThanOrEqual(width + 0.7)
          const joined = letters(lines.join(''))
          if (joined !== letters(text)) {
            expect(joined.endsWith('…')).toBe(true)
            expect(letters(text).startsWith(joined.slice(0, -1))).toBe(true)
          }
        },
      ),
    )
  })

  test.each([
    ['A year of trades', ['A year of', 'trades']],
    ['Superlongwordwithoutaspace', ['Superlongwo', 'rdwithoutas', 'pace']],
    ['WWWWWWWWWW', ['WWWWWWW', 'WWW']],
    [
      'one two three four five six seven eight nine',
      ['one two', 'three four', 'five six', 'seven eight…'],
    ],
  ])('of "%s" break between words where they can', (text, lines) => {
    expect(breakLines(text, 12, 4)).toEqual(lines)
  })
})

describe('the text that the font can show', () => {
  test.each([
    ['Trades in 2026, 5% up', 'Trades in 2026, 5% up'],
    ['  a\n\tb\u0000c\u202Ed ', 'a b c d'],
    ['Grain 🎉 and ☕️ oil', 'Grain and oil'],
    ['Ежедневник', 'Ежедневник'],
    ['مذكرات', 'مذكرات'],
  ])('of %j is %j', (text, shown) => expect(drawableText(text)).toBe(shown))

  test.each(['漢字', 'a 한국어 title', 'हिन्दी', '🎉', ' ', '\u200b'])('of %j is none', (text) =>
    expect(drawableText(text)).toBeUndefined(),
  )
})
