import { expect, test } from 'vitest'
import { messagesOf, readMessage } from './conversation.ts'
import { bestReading, listReadings, readBlocks, readTable, tableCsv } from './readings.ts'
import { readTree } from './tree-nodes.ts'
import { describeReading } from './use-viewer.ts'

const readingsOf = (value: unknown) => {
  const document = readTree(JSON.stringify(value))
  return listReadings(document).map(({ kind, path, size }) => [kind, path, size])
}

/** Returns the speakers and texts of the first conversation of a value. */
const talkIn = (value: unknown) => {
  const document = readTree(JSON.stringify(value))
  const [first] = listReadings(document)
  if (first?.kind !== 'conversation') return undefined
  return messagesOf(document, first.node)
    .map((it) => readMessage(document, it))
    .map(({ role, text }) => [role, text])
}

const talk = [
  ['user', 'Hi'],
  ['assistant', 'Hello'],
]

test.each([
  [
    'OpenAI',
    [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello' },
    ],
  ],
  [
    'Letta',
    {
      agents: [
        {
          messages: [
            { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
            { role: 'assistant', content: [{ type: 'text', text: 'Hello' }], tool_calls: [] },
          ],
        },
      ],
    },
  ],
  [
    'Claude',
    {
      chat_messages: [
        { sender: 'human', text: 'Hi' },
        { sender: 'assistant', text: 'Hello' },
      ],
    },
  ],
  [
    'ShareGPT',
    [
      {
        conversations: [
          { from: 'human', value: 'Hi' },
          { from: 'gpt', value: 'Hello' },
        ],
      },
    ],
  ],
  [
    'LangChain',
    [
      { type: 'human', data: { content: 'Hi' } },
      { type: 'ai', data: { content: 'Hello' } },
    ],
  ],
  [
    'ChatGPT',
    [
      {
        title: 'Greeting',
        current_node: 'c',
        mapping: {
          a: { message: null, parent: null, children: ['b'] },
          b: {
            message: { author: { role: 'user' }, content: { parts: ['Hi'] } },
            parent: 'a',
            children: ['x', 'c'],
          },
          x: {
            message: { author: { role: 'assistant' }, content: { parts: ['Not this branch'] } },
            parent: 'b',
            children: [],
          },
          c: {
            message: { author: { role: 'assistant' }, content: { parts: ['Hello'] } },
            parent: 'b',
            children: [],
          },
        },
      },
    ],
  ],
])('reads a conversation of %s', (_, value) => {
  expect(talkIn({ data: value })).toEqual(talk)
})

test('a conversation whose messages are in a circle ends', () => {
  const message = { author: { role: 'user' }, content: { parts: ['Hi'] } }
  const entry = (parent: string) => ({ message, parent, children: [] })
  const value = { mapping: { a: entry('b'), b: entry('a') } }
  expect(talkIn(value)).toHaveLength(2)
})

test('finds tables and Markdown, and nothing in them again', () => {
  const facts = [
    { id: 1, text: 'a' },
    { id: 2, text: 'b', tags: [{ x: 1 }, { x: 2 }] },
  ]
  const notes = '# Notes\n\n- one\n- two'
  expect(readingsOf({ facts, notes, list: [1, 2], plain: 'no marks' })).toEqual([
    ['table', '$.facts', 2],
    ['markdown', '$.notes', JSON.stringify(notes).length - 2],
  ])
})

test('a table has a column for each name, and empty cells', () => {
  const document = readTree('[{"id":1,"a":"x"},{"id":2},{"id":3,"b":{"c":1}}]')
  expect(readTable(document, 0, { from: 1, to: 3 })).toEqual({
    columns: ['id', 'a', 'b'],
    hidden: 0,
    total: 3,
    rows: [
      { node: expect.any(Number), cells: ['2', undefined, undefined] },
      { node: expect.any(Number), cells: ['3', undefined, '{ c: 1 }'] },
    ],
  })
})

test('a table is sorted by a column, numbers by their size, and shows the rows with a text', () => {
  const rows = [{ n: 10, t: 'b' }, { n: 9, t: 'A' }, { t: 'c' }, { n: null, t: 'a' }]
  const document = readTree(JSON.stringify(rows))
  const namesIn = (part: object) =>
    readTable(document, 0, { from: 0, to: 9, ...part }).rows.map(({ cells }) => cells[1])
  expect(namesIn({ sort: { column: 'n', descending: false } })).toEqual(['A', 'b', 'c', 'a'])
  expect(namesIn({ sort: { column: 'n', descending: true } })).toEqual(['b', 'A', 'c', 'a'])
  expect(namesIn({ find: '"a"' })).toEqual(['A', 'a'])
  expect(readTable(document, 0, { from: 0, to: 1, find: 'c' }).total).toBe(1)
  expect(tableCsv(document, 0)).toBe('n,t\r\n10,b\r\n9,A\r\n,c\r\nnull,a\r\n')
})

const chat = { title: 'Iceland', messages: [{ role: 'user', content: 'Hi' }] }
const text = '# Notes\n\n- one'
const table = [{ id: 1 }, { id: 2 }]
const blocks = [
  { label: 'human', value: 'Ada' },
  { label: 'persona', value: 'Kind', limit: 9 },
]

test.each([
  [{ table, text, chat, blocks }, 'Iceland, 1 message'],
  [{ table, blocks, files: { 'a/one.md': text, 'two.md': text } }, 'a/one.md'],
  [{ table, text, blocks }, 'blocks, 2 blocks'],
  [{ text, table }, 'Table table, 2 rows'],
  [{ few: [1], text }, 'text'],
  [{ few: [1] }, undefined],
])('the best reading of %j is named %s', (value, name) => {
  const best = bestReading(listReadings(readTree(JSON.stringify(value))))
  expect(best && describeReading(best)).toBe(name)
})

test('the blocks of an agent are their labels and texts', () => {
  const document = readTree(JSON.stringify(blocks))
  expect(readBlocks(document, 0).map(({ label, text: shown }) => [label, shown])).toEqual([
    ['human', 'Ada'],
    ['persona', 'Kind'],
  ])
})
