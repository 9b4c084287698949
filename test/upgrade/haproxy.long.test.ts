import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Anvil, startAnvil } from '../harness/chain/anvil.ts'
import { auditFleet } from '../harness/machines/audit-fleet.ts'
import { startCountedLoad } from '../harness/machines/counted-load.ts'
import { startFleet } from '../harness/machines/fleet.ts'
import { startHaproxy } from '../harness/machines/haproxy.ts'
import { loopbackNetwork } from '../harness/machines/network.ts'
import { serverProgram } from '../harness/process/server.ts'
import { sharedBucket } from '../harness/process/shared-bucket.ts'
import { sharedPostgres } from '../harness/process/shared-postgres.ts'

const postgres = sharedPostgres()
const bucket = sharedBucket()

let anvil: Anvil
beforeAll(async () => {
  anvil = await startAnvil()
})
afterAll(() => anvil.stop())

test('behind HAProxy, each of three servers is stopped and started again without a failed request', async () => {
  await postgres.run('CREATE DATABASE balanced')
  const database = new URL('/balanced', postgres.url)
  // As in deploy/compose.three.yaml.
  const settings = { ...bucket.environment, STOP_DELAY: '6' }
  const parts = { anvil, database, bucket: settings }
  const networks = [1, 2, 3].map(() => ({ ...loopbackNetwork(), host: '0.0.0.0' }))
  const fleet = await startFleet({ ...parts, networks, balance: startHaproxy })
  onTestFinished(fleet.stop)
  const load = startCountedLoad(fleet)
  await load.wait(10)
  for (const machine of [0, 1, 2, 0]) {
    await fleet.replace(machine, serverProgram)
    await load.wait(10)
  }
  await load.end()
  expect(load.failed).toEqual([])
  const audit = await auditFleet(fleet, anvil, load)
  expect(audit).toEqual({ lost: [], doubled: [], unreadable: [], changed: [] })
})
