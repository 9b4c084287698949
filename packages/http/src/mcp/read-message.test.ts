import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Line, readLines, readMessage } from './read-message.ts'

const limit = 3000

/** Reads bytes that arrive in pieces of these lengths. */
function linesOf(bytes: Buffer, cuts: readonly number[]): Line[] {
  const lines: Line[] = []
  const { push, end } = readLines(limit, (line) => lines.push(line))
  let at = 0
  for (let nth = 0; at < bytes.length; nth++) {
    const next = at + (cuts[nth % cuts.length] ?? 1)
    push(bytes.subarray(at, next))
    at = next
  }
  end()
  return lines
}

const lengths = fc.oneof(fc.nat({ max: 20 }), fc.integer({ min: limit - 2, max: 3 * limit }))
const texts = fc.array(
  fc
    .tuple(lengths, fc.nat({ max: 94 }))
    .map(([length, first]) =>
      Array.from({ length }, (_, at) => String.fromCharCode(32 + ((first + at) % 95))).join(''),
    ),
  { maxLength: 6 },
)
const cuts = fc.array(fc.integer({ min: 1, max: 2 * limit }), { minLength: 1, maxLength: 5 })

test('every line is read whole or by its ends, however the input is cut', () => {
  fc.assert(
    fc.property(texts, cuts, (all, cut) => {
      const expected = [...all, ''].map((text) => {
        const { length } = text
        if (length <= limit) return { text }
        return { length, head: text.slice(0, 1024), tail: text.slice(-1024) }
      })
      const bytes = Buffer.from(all.map((text) => `${text}\n`).join(''))
      expect(linesOf(bytes, cut)).toEqual(expected)
    }),
  )
})

test('a character that the input cuts is read whole', () => {
  expect(linesOf(Buffer.from('é日🧠\nü'), [1])).toEqual([{ text: 'é日🧠' }, { text: 'ü' }])
})

const call = { method: 'tools/call', params: { name: 'x' } }

test.each([
  ['first', { jsonrpc: '2.0', id: 7, ...call }, 7],
  ['after the method', { method: 'ping', id: 'a-1', params: {} }, 'a-1'],
  ['last', { ...call, jsonrpc: '2.0', id: 0 }, 0],
  ['before the version', { ...call, id: 9007199254740991, jsonrpc: '2.0' }, 9007199254740991],
  ['only in its arguments', { ...call, params: { id: 5, text: ',"id":6}' } }, null],
  ['within a text', { ...call, params: '{"id":5,' }, null],
  ['beyond what counts', { ...call, jsonrpc: '2.0', id: 2 ** 53 }, null],
  ['before no method', { jsonrpc: '2.0', id: 5, params: {} }, null],
  ['not beside the version', { ...call, id: 14 }, null],
])('a long message whose id is %s gets it back where it is sure', (_, message, id) => {
  const text = JSON.stringify(message)
  const { refusal } = readMessage({ length: 10485761, head: text, tail: text })
  expect(refusal).toMatchObject({ id, error: { code: -32600 } })
  for (const figure of ['10485760', '10485761']) expect(refusal?.error.message).toContain(figure)
})

test.each([
  { id: 11, result: {} },
  { result: {}, jsonrpc: '2.0', id: 11 },
  { jsonrpc: '2.0', id: 'a', error: {} },
])('the long response %j gets no answer', (message) => {
  const text = JSON.stringify(message)
  expect(readMessage({ length: 10485761, head: text, tail: text })).toEqual({})
})

test.each([
  ['a value that is none', '{"id":1', -32700, null],
  ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, null],
  ['no version', '{"id":"b","method":"ping"}', -32600, 'b'],
  ['an id of another kind', '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600, null],
  [
    'a result beside its method',
    '{"jsonrpc":"2.0","id":6,"method":"ping","params":[1],"result":{}}',
    -32600,
    6,
  ],
  ['a number', '5', -32600, null],
])('a line with %s is refused', (_, text, code, id) => {
  expect(readMessage({ text }).refusal).toMatchObject({ id, error: { code } })
})

test.each(['', ' \r', '{"result":{},"id":{}}', '{"error":5}'])(
  'the line %j gets no answer',
  (text) => {
    expect(readMessage({ text })).toEqual({})
  },
)
