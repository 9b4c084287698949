import { expect, test } from 'vitest'
import { processorTime, yardstick } from '../../../../test/harness/yardstick.ts'
import { requireShortMessage } from './message-bounds.ts'

const call = (args: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":${args}}}`
const members = (count: number) =>
  `{${Array.from({ length: count }, (_, at) => `"${at.toString(16)}":1`).join(',')}}`

test.each([
  ['of a few members', call(members(1000))],
  ['with a memory as its text', call(JSON.stringify({ document: `${'{"a":"\\"'.repeat(1e5)}` }))],
  ['of another kind', undefined],
])('a message %s may be read', (_, text) => {
  expect(() => requireShortMessage(text)).not.toThrow()
})

test.each([
  ['many members', call(members(100_000))],
  ['many numbers', call(`{"a":[${'1,'.repeat(5e5)}1]}`)],
  ['many brackets', '['.repeat(1e6)],
  ['many strings', `[${'"",'.repeat(3e5)}""]`],
])('a long message of %s is refused', (_, text) => {
  const refusal = { code: 'request/too-large', facts: { limit: 65_536 } }
  expect(() => requireShortMessage(text)).toThrow(expect.objectContaining(refusal))
})

test.each(['"', '"\\', '"\\"', '\\"', '"a\\\\'])(
  'a mebibyte of %j is looked at in no time',
  async (part) => {
    const spent = await processorTime(() => {
      try {
        requireShortMessage(part.repeat(2 ** 20 / part.length))
      } catch {}
    })
    expect(spent).toBeLessThan(40 * (await yardstick()))
  },
)
