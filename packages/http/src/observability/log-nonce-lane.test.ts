import type { LaneEvent, LaneJob } from '@heirloom/adapters/ledger'
import { Failure } from '@heirloom/core'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { logNonceLane } from './log-events.ts'
import { logging } from './logging.ts'
import { outageLog } from './outage-log.ts'

function linesOf(event: LaneEvent): readonly Record<string, unknown>[] {
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(line) }
  const { log } = fastify({ logger: logging({ level: 'trace', stream }) })
  logNonceLane(log, event, outageLog({ logger: () => log }))
  return lines.map((line) => JSON.parse(line))
}

const job = (at: number, state: LaneJob['state']): LaneJob => ({
  id: `job ${at}`,
  operation: 'mint',
  state,
  acceptedAt: 0,
  requestId: `request ${at}`,
  traceparent: `00-4bf92f3577b34da6a3ce929d0e0e473${at}-00f067aa0ba902b7-01`,
})
const transaction = { txHash: '0xabc', nonce: 7, jobs: [job(1, 'sent'), job(2, 'sent')] } as const

const fieldsOf = (at: number) => ({
  job: `job ${at}`,
  operation: 'mint',
  reqId: `request ${at}`,
  traceId: `4bf92f3577b34da6a3ce929d0e0e473${at}`,
})

test('every line of a job names it, its request, its trace and its transaction', () => {
  const error = new Error('no')
  const events: readonly LaneEvent[] = [
    ...(['resent', 'replaced', 'cancelled', 'lost'] as const).map((kind) => ({
      kind,
      ...transaction,
    })),
    { kind: 'signed', ...transaction, waited: 3 },
    { kind: 'settled', ...transaction, block: 9n, attempts: 1, signedAt: 0, waited: 5 },
    { kind: 'trouble', error, on: transaction },
  ]
  for (const event of events) {
    const expected = [1, 2].map((at) => ({ ...fieldsOf(at), txHash: '0xabc', nonce: 7 }))
    expect(linesOf(event), event.kind).toMatchObject(expected)
  }
  expect(linesOf({ kind: 'refused', jobs: transaction.jobs })).toMatchObject([1, 2].map(fieldsOf))
})

test('the end of a job is logged with its block, and with its failure if it failed', () => {
  const jobs = [job(1, 'done'), { ...job(2, 'failed'), code: 'token/not-found' as const }]
  const settled = { ...transaction, jobs, block: 9n, attempts: 2, signedAt: 0, waited: 5 }
  expect(linesOf({ kind: 'settled', ...settled })).toMatchObject([
    { level: 30, block: 9, msg: 'a job is done' },
    { level: 30, block: 9, code: 'token/not-found', msg: 'a job failed' },
  ])
})

test('the troubles of a transaction are logged as warnings, also of one that fills a gap', () => {
  for (const kind of ['replaced', 'cancelled', 'lost'] as const) {
    expect(linesOf({ kind, ...transaction, jobs: [] })).toMatchObject([{ level: 40, nonce: 7 }])
  }
  expect(linesOf({ kind: 'reorganised' })).toMatchObject([{ level: 40 }])
})

test('a transaction that stays at its price is logged with the price that the chain asks and its own limit', () => {
  const prices = { needed: 73_000_000_000n, limit: 35_200_000_000n }
  const [line] = linesOf({ kind: 'unreplaced', ...transaction, jobs: [], ...prices })
  expect(line).toMatchObject({ level: 40, needed: '73000000000', limit: '35200000000', nonce: 7 })
  const limited = linesOf({
    kind: 'unreplaced',
    ...transaction,
    ...prices,
    code: 'wallet/day-limit',
  })
  expect(limited).toHaveLength(2)
  expect(limited).toMatchObject([1, 2].map((at) => ({ ...fieldsOf(at), code: 'wallet/day-limit' })))
})

test('a failure is logged without the URL of the node, which may contain a key', () => {
  const cause = new Error('POST https://node.example/secret-key failed')
  const error = new Failure('ledger/unavailable', { operation: 'eth_call' }, { cause })
  const [line] = linesOf({ kind: 'trouble', error })
  expect(line).toMatchObject({ level: 40, err: { message: error.message } })
  expect(JSON.stringify(line)).not.toContain('secret-key')
})

test('what says nothing of a job is only counted', () => {
  expect(linesOf({ kind: 'slots', open: 1 })).toEqual([])
  expect(linesOf({ kind: 'head', number: 1n, timestamp: 2n })).toEqual([])
})
