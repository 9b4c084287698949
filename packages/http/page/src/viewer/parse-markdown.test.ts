import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseMarkdown } from './parse-markdown.ts'

test('parses the Markdown that agents write', () => {
  const text =
    '# Title\n\nSome **bold** `code`\n\n- [x] done\n\n| a |\n|---|\n| 1 |\n\n```js\nx\n```'
  expect(parseMarkdown(text).map(({ kind }) => kind)).toEqual([
    'heading',
    'paragraph',
    'list',
    'table',
    'code',
  ])
})

test('a table keeps the sides at which its columns are set', () => {
  expect(parseMarkdown('|a|b|c|d|\n|-|:-|:-:|-:|\n|1|2|3|4|')).toMatchObject([
    { kind: 'table', align: [null, 'left', 'center', 'right'], rows: [{}, {}] },
  ])
})

test('only addresses of the web and of mail lead anywhere', () => {
  const hrefs = (text: string) => JSON.stringify(parseMarkdown(text)).match(/"href":"[^"]*"/g)
  expect(hrefs('[a](https://example.org/x)')).toEqual(['"href":"https://example.org/x"'])
  for (const url of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    '/token/1',
  ]) {
    expect(hrefs(`[a](${url})`)).toBeNull()
    expect(hrefs(`[a]: ${url}\n\n[a]`)).toBeNull()
  }
})

test('HTML stays text, and images are not loaded', () => {
  expect(parseMarkdown('<img src=x onerror=alert(1)>')).toEqual([
    { kind: 'code', text: '<img src=x onerror=alert(1)>' },
  ])
  expect(parseMarkdown('![a](https://example.org/i.png)')).toEqual([
    {
      kind: 'paragraph',
      inside: [{ kind: 'image', alt: 'a', address: 'https://example.org/i.png' }],
    },
  ])
})

test('headings leave out no level', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 6 })), (depths) => {
      const text = depths.map((depth) => `${'#'.repeat(depth)} x`).join('\n\n')
      const levels = parseMarkdown(text).map((it) => (it.kind === 'heading' ? it.level : 0))
      expect(levels).toHaveLength(depths.length)
      for (const [at, level] of levels.entries()) {
        expect(level - (levels[at - 1] ?? 2)).toBeLessThanOrEqual(1)
      }
    }),
  )
})

test.each(['\n', '\r\n'])(
  'front matter is code above the text, with lines that end in %j',
  (end) => {
    const lines = ['---', 'title: Notes', '', 'tags:', '  - tea', '---', '# Tea', '', 'Hot.']
    expect(parseMarkdown(lines.join(end))).toEqual([
      { kind: 'code', text: ['title: Notes', '', 'tags:', '  - tea'].join(end) },
      ...parseMarkdown(['# Tea', '', 'Hot.'].join(end)),
    ])
    expect(parseMarkdown(['\uFEFF---', '"a b": 1', '...'].join(end))).toEqual([
      { kind: 'code', text: '"a b": 1' },
    ])
  },
)

test('a rule at the beginning is no front matter', () => {
  const kinds = (text: string) => parseMarkdown(text).map(({ kind }) => kind)
  expect(kinds('---\n\nSome text\n\n---\n\nMore')).toEqual([
    'rule',
    'paragraph',
    'rule',
    'paragraph',
  ])
  expect(kinds('---\nSee https://example.org\n\n---')).toEqual(['rule', 'paragraph', 'rule'])
  expect(kinds('---\ntitle: without an end')).toEqual(['rule', 'paragraph'])
  expect(kinds('Text\n\n---\na: 1\n---')).toEqual(['paragraph', 'rule', 'heading'])
})

test('any text is parsed, also one that nests without end', () => {
  const marks = fc.constantFrom(
    '#',
    '*',
    '`',
    '[',
    ']',
    '(',
    ')',
    '|',
    '-',
    '>',
    '<',
    '\n',
    ' ',
    'a',
  )
  fc.assert(fc.property(fc.string({ unit: marks }), (text) => void parseMarkdown(text)))
  expect(JSON.stringify(parseMarkdown(`${'> '.repeat(200)}x`)).length).toBeLessThan(2_000)
  expect(JSON.stringify(parseMarkdown(`${'*a '.repeat(500)}`)).length).toBeLessThan(20_000)
})
