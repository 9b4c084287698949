import { Failure } from '@heirloom/core'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { logNonceLane } from './log-nonce-lane.ts'
import { logging } from './logging.ts'

function linesOf(event: Parameters<typeof logNonceLane>[1]): readonly Record<string, unknown>[] {
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(line) }
  logNonceLane(fastify({ logger: logging({ level: 'trace', stream }) }).log, event)
  return lines.map((line) => JSON.parse(line))
}

test('the troubles of a transaction are logged as warnings', () => {
  for (const kind of ['replaced', 'cancelled', 'lost', 'reorganised'] as const) {
    expect(linesOf({ kind })).toMatchObject([{ level: 40 }])
  }
})

test('a failure is logged without the URL of the node, which may contain a key', () => {
  const cause = new Error('POST https://node.example/secret-key failed')
  const error = new Failure('ledger/unavailable', { operation: 'eth_call' }, { cause })
  const [line] = linesOf({ kind: 'trouble', error })
  expect(line).toMatchObject({ level: 40, err: { message: error.message } })
  expect(JSON.stringify(line)).not.toContain('secret-key')
})

test('normal progress is not logged', () => {
  expect(linesOf({ kind: 'settled', jobs: 1, waited: 5 })).toEqual([])
  expect(linesOf({ kind: 'slots', open: 1 })).toEqual([])
})
