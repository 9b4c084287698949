import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Anvil, startAnvil } from '../harness/chain/anvil.ts'
import type { Environment } from '../harness/process/server.ts'
import { sharedBucket } from '../harness/process/shared-bucket.ts'
import { sharedPostgres } from '../harness/process/shared-postgres.ts'
import { findLost, startLoad, startThreeMachines } from '../harness/process/three-machines.ts'

const postgres = sharedPostgres()
const bucket = sharedBucket()

let anvil: Anvil
beforeAll(async () => {
  anvil = await startAnvil()
})
afterAll(() => anvil.stop())

/** The memories that are acknowledged between two losses. */
const between = Number(process.env.WRITES_BETWEEN_LOSSES ?? 12)

/** Wipes each machine in turn while clients write; returns what no machine lost, and what one did. */
async function loseEachInTurn(name: string, environment: (machine: number) => Environment) {
  await postgres.run(`CREATE DATABASE ${name}`)
  const database = new URL(`/${name}`, postgres.url)
  const machines = await startThreeMachines({ anvil, database, environment })
  onTestFinished(machines.stop)
  const load = startLoad(machines)
  for (const machine of [0, 1, 2]) {
    await load.wait(between)
    await machines.wipe(machine)
  }
  await load.wait(between)
  await load.end()
  const lost = await Promise.all(
    machines.servers.map((server) => findLost(machines, server, load.acknowledged)),
  )
  return { acknowledged: load.acknowledged, lost: lost.flat() }
}

test('with a bucket, a machine that is wiped while clients write loses nothing acknowledged', async () => {
  const { acknowledged, lost } = await loseEachInTurn('bucketed', () => bucket.environment)
  expect(lost).toEqual([])
  const tokens = new Set(acknowledged.map(({ tokenId }) => tokenId))
  expect([tokens.size, acknowledged.length >= 4 * between]).toEqual([acknowledged.length, true])
})
