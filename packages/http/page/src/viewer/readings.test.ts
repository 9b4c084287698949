import { expect, test } from 'vitest'
import { messagesOf, readMessage } from './conversation.ts'
import { listReadings, readTable } from './readings.ts'
import { readTree } from './tree-nodes.ts'

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
  expect(readTable(document, 0, 1, 3)).toEqual({
    columns: ['id', 'a', 'b'],
    hidden: 0,
    total: 3,
    rows: [
      { node: expect.any(Number), cells: ['2', undefined, undefined] },
      { node: expect.any(Number), cells: ['3', undefined, '{ c: 1 }'] },
    ],
  })
})
