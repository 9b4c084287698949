import { expect, test } from 'vitest'
import { checkExcerpts, listValues } from './check-excerpts.ts'

const data = { learned: ['Milk first', 'x'.repeat(5000), 'a\u202eb'], 'a/b': { c: 1.5 }, n: null }
const document = new Blob([JSON.stringify({ data, metadata: { category: 'tea' } })])

const check = (...pointers: string[]) => checkExcerpts({ document, pointers })

test('finds the exact values of pointers', async () => {
  expect(await check('/data/learned/0', '/data/a~1b', '/metadata/category')).toEqual({
    values: [
      { pointer: '/data/learned/0', value: '"Milk first"' },
      { pointer: '/data/a~1b', value: '{"c":1.5}' },
      { pointer: '/metadata/category', value: '"tea"' },
    ],
    problems: [],
  })
})

test('names each pointer whose value is not in the memory, or too long', async () => {
  const { values, problems } = await check('/data/nope', '/data/learned/0', '/data/learned/1')
  expect(values).toHaveLength(1)
  expect(problems).toEqual([
    '“/data/nope” is not in this memory, or it is longer than 4096 bytes.',
    '“/data/learned/1” is not in this memory, or it is longer than 4096 bytes.',
  ])
})

test('refuses a value that could mislead, as the server does', async () => {
  expect((await check('/data/learned/2')).problems).toEqual([
    expect.stringContaining('its excerpt /data/learned/2 contains U+202E'),
  ])
})

test('lists values that can be shown, with pointers that lead to them', async () => {
  const listed = listValues(data)
  expect(listed).toEqual([
    { pointer: '/data/learned/0', beginning: 'Milk first' },
    { pointer: '/data/learned/2', beginning: 'a\u202eb' },
    { pointer: '/data/a~1b/c', beginning: '1.5' },
    { pointer: '/data/n', beginning: 'null' },
  ])
  const { values } = await check(...listed.map(({ pointer }) => pointer).toSpliced(1, 1))
  expect(values).toHaveLength(3)
})

test('lists few values of a large memory, and none that lie too deep', () => {
  expect(listValues(Array(100).fill('note'))).toHaveLength(12)
  const deep = { a: { b: { c: { d: { e: { f: { g: 1, h: { i: 2 } } } } } } } }
  expect(listValues(deep)).toEqual([{ pointer: '/data/a/b/c/d/e/f/g', beginning: '1' }])
})
