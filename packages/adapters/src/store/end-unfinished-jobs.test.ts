import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { endUnfinishedJobs } from './end-unfinished-jobs.ts'
import type { Database } from './schema.ts'
import { sqliteStore } from './sqlite.ts'

type Job = Database['job']

const job = (id: string, row: Partial<Job>): Job => ({
  id,
  lane: '31337:0xabc:0x01',
  operation: 'mint',
  to: '0x02',
  data: '0x',
  value: '0',
  key: `key of ${id}`,
  fingerprint: null,
  budget: null,
  state: 'queued',
  nonce: null,
  txHash: null,
  outcome: null,
  acceptedAt: 1,
  requestId: null,
  traceparent: null,
  ...row,
})

const slot: Database['slot'] = {
  lane: '31337:0xabc:0x01',
  nonce: 0,
  state: 'open',
  jobs: '["sent"]',
  to: '0x02',
  data: '0x',
  value: '0',
  gas: '1',
  reserved: '1',
  day: 1,
  signedAt: 1,
  blockNumber: null,
  blockHash: null,
}

/** Ends the jobs of a store with one in each state, and returns what is left of them. */
async function endIn(chain: 'embedded' | 'remote') {
  const folder = mkdtempSync(join(tmpdir(), 'unfinished-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'jobs.sqlite')
  const before = await sqliteStore(path)
  const jobs = [
    job('queued', {}),
    job('sent', { state: 'sent', nonce: 0, txHash: '0x05' }),
    job('done', { state: 'done', outcome: '{}' }),
    job('failed', { state: 'failed', outcome: '{}', key: null }),
  ]
  await before.db.insertInto('job').values(jobs).execute()
  await before.db.insertInto('slot').values(slot).execute()
  await before.close()
  const ended = endUnfinishedJobs(path, chain)
  const store = await sqliteStore(path)
  const columns = ['id', 'state', 'key', 'outcome'] as const
  const rows = await store.db.selectFrom('job').select(columns).orderBy('id').execute()
  const slots = await store.db.selectFrom('slot').select(['state', 'jobs']).execute()
  await store.close()
  return { ended, rows: new Map(rows.map(({ id, ...row }) => [id, row])), slots }
}

const untouched = {
  done: { state: 'done', key: 'key of done', outcome: '{}' },
  failed: { state: 'failed', key: null, outcome: '{}' },
}

describe('the unfinished jobs of a restored store', () => {
  test('on a chain that went on may be done: they end as unknown, and keep their keys', async () => {
    const { ended, rows, slots } = await endIn('remote')
    const unknown = { state: 'failed', outcome: '{"code":"transaction/unknown","facts":{}}' }
    expect(ended).toBe(2)
    expect(Object.fromEntries(rows)).toEqual({
      queued: { ...unknown, key: 'key of queued' },
      sent: { ...unknown, key: 'key of sent' },
      ...untouched,
    })
    expect(slots).toEqual([{ state: 'open', jobs: '[]' }])
  })

  test('on a chain that was saved with them go on if they were signed, and free their keys if not', async () => {
    const { ended, rows, slots } = await endIn('embedded')
    expect(ended).toBe(0)
    expect(rows.get('queued')).toMatchObject({ state: 'failed', key: null })
    expect(rows.get('sent')).toEqual({ state: 'sent', key: 'key of sent', outcome: null })
    expect(rows.get('done')).toEqual(untouched.done)
    expect(slots).toEqual([{ state: 'open', jobs: '["sent"]' }])
  })
})
