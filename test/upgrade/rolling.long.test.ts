import { postgresJobStore } from '@heirloom/adapters/job-store'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { AnyDatabase } from '../../packages/adapters/src/platform/sql/test/thing-tables.ts'
import { jobTables } from '../../packages/adapters/src/store/schema.ts'
import { type Anvil, startAnvil } from '../harness/chain/anvil.ts'
import { auditFleet } from '../harness/machines/audit-fleet.ts'
import { startCountedLoad } from '../harness/machines/counted-load.ts'
import { startFleet } from '../harness/machines/fleet.ts'
import { serverProgram } from '../harness/process/server.ts'
import { sharedBucket } from '../harness/process/shared-bucket.ts'
import { sharedPostgres } from '../harness/process/shared-postgres.ts'
import { earlierProgram, programNames } from '../harness/upgrade/earlier-programs.ts'
import { times } from '../tier.ts'

const postgres = sharedPostgres()
const bucket = sharedBucket()

let anvil: Anvil
beforeAll(async () => {
  anvil = await startAnvil()
})
afterAll(() => anvil.stop())

/** The memories that are acknowledged between two replacements. */
const between = Number(process.env.WRITES_BETWEEN_UPGRADES ?? times(3, 10))

const [latest = ''] = programNames.slice(-1)
const older = () => earlierProgram(latest)
const newer = () => serverProgram

/** Up on two machines, back on both, up on all: each machine, and the program that it gets. */
const route = [
  ...([
    [0, newer],
    [1, newer],
  ] as const),
  ...([
    [1, older],
    [0, older],
  ] as const),
  ...([
    [0, newer],
    [1, newer],
    [2, newer],
  ] as const),
]

test(`three servers of ${latest} become those of this code, and back, without a failed request`, async () => {
  await postgres.run('CREATE DATABASE rolling')
  const database = new URL('/rolling', postgres.url)
  const parts = { anvil, database, bucket: bucket.environment }
  const fleet = await startFleet({ ...parts, program: older() })
  onTestFinished(fleet.stop)
  const load = startCountedLoad(fleet)
  await load.wait(between)
  for (const [machine, program] of route) {
    await fleet.replace(machine, program())
    if (program === newer) await addToTables(database)
    await load.wait(between)
  }
  await load.end()
  expect(load.failed).toEqual([])
  const audit = await auditFleet(fleet, anvil, load)
  expect(audit).toEqual({ lost: [], doubled: [], unreadable: [], changed: [] })
  const [first, ...others] = load.memories
  if (first === undefined) throw new Error('There is no memory.')
  const tampered = { memories: others, royalties: [...load.royalties, first.tokenId] }
  const found = { lost: [first.tokenId], doubled: [first.tokenId] }
  expect(await auditFleet(fleet, anvil, tampered)).toMatchObject(found)
  const requests = [...load.succeeded.values()].reduce((sum, count) => sum + count, 0)
  process.stdout.write(
    `${route.length} servers replaced, ${requests} requests, ${load.memories.length} memories and ${load.royalties.length} royalties: 0 failed, 0 lost, 0 doubled, 0 unreadable\n`,
  )
})

/** Adds to the tables as a release after this one does: the servers of before start on them again. */
async function addToTables(database: URL): Promise<void> {
  const store = await postgresJobStore(database.href)
  const adds = async ({ schema }: AnyDatabase) => {
    await schema.alterTable('job').addColumn('later', 'text').execute()
    await schema.createTable('laterStill').addColumn('id', 'text').execute()
  }
  await store.migrate({ ...jobTables, steps: [...jobTables.steps, { adds: [adds] }] })
  await store.close()
}

test('each release leaves its program', () => {
  expect(programNames).toContain('0.2.0')
})
