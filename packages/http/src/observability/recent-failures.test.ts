import fc from 'fast-check'
import { expect, test } from 'vitest'
import { recentFailures } from './recent-failures.ts'

const lineOf = (fields: object) => `${JSON.stringify(fields)}\n`

test('keeps what a line says, the newest first', () => {
  const { note, list } = recentFailures()
  note(lineOf({ level: 40, time: 5, msg: 'not ready', err: { message: 'The chain is down.' } }))
  note(lineOf({ level: 50, time: 6, msg: 'failed', reqId: 'req-1', pid: 7, ip: '10.0.0.1' }))
  note(lineOf({ level: 60, time: 7, msg: 'ended' }))
  expect(list()).toEqual([
    { at: 7, level: 'fatal', message: 'ended' },
    { at: 6, level: 'error', message: 'failed', requestId: 'req-1' },
    { at: 5, level: 'warn', message: 'not ready', cause: 'The chain is down.' },
  ])
})

test('keeps a bounded number of bounded texts, whatever is logged', () =>
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.json(), fc.object().map(lineOf))), (lines) => {
      const { note, list } = recentFailures(3)
      for (const line of lines) note(line)
      note(lineOf({ level: 40, msg: 'a'.repeat(5000) }))
      expect(list().length).toBeLessThanOrEqual(3)
      expect(list()[0]?.message).toHaveLength(1000)
    }),
  ))
