import { randomBytes } from 'node:crypto'
import { basename, join } from 'node:path'
import { peerIdOf } from '@heirloom/adapters/blob-store/peer-id'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { blockFiles } from '../../packages/adapters/src/blob-store/test/folders.ts'
import { type Anvil, startAnvil } from '../harness/chain/anvil.ts'
import { freePort } from '../harness/process/free-port.ts'
import type { Environment } from '../harness/process/server.ts'
import { sharedBucket } from '../harness/process/shared-bucket.ts'
import { sharedPostgres } from '../harness/process/shared-postgres.ts'
import {
  findLost,
  startLoad,
  startThreeMachines,
  type ThreeMachines,
} from '../harness/process/three-machines.ts'
import { times } from '../tier.ts'

const postgres = sharedPostgres()
const bucket = sharedBucket()

let anvil: Anvil
beforeAll(async () => {
  anvil = await startAnvil()
})
afterAll(() => anvil.stop())

/** The memories that are acknowledged between two losses. */
const between = Number(process.env.WRITES_BETWEEN_LOSSES ?? times(3, 12))

/** Waits until it is safe to lose the next machine. */
type Recover = (machines: ThreeMachines) => Promise<void>

/** Wipes each machine in turn while clients write; returns what was acknowledged, and what is lost. */
async function loseEachInTurn(
  name: string,
  environment: (machine: number) => Environment,
  recover: Recover = async () => undefined,
) {
  await postgres.run(`CREATE DATABASE ${name}`)
  const database = new URL(`/${name}`, postgres.url)
  const machines = await startThreeMachines({ anvil, database, environment })
  onTestFinished(machines.stop)
  const load = startLoad(machines)
  for (const machine of [0, 1, 2]) {
    await load.wait(between)
    await machines.wipe(machine)
    await recover(machines)
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

test('with two copies, a machine that is wiped while clients write loses nothing acknowledged', async () => {
  const { acknowledged, lost } = await loseEachInTurn('copied', await copying(2), untilRepaired)
  expect(lost).toEqual([])
  expect(acknowledged.length).toBeGreaterThanOrEqual(4 * between)
})

/** Returns the settings of three machines that store each block on so many of them. */
async function copying(count: number): Promise<(machine: number) => Environment> {
  const nodes = await Promise.all(
    [0, 1, 2].map(async () => {
      const seed = randomBytes(32)
      const listen = `/ip4/127.0.0.1/tcp/${await freePort()}`
      return { seed, listen, address: `${listen}/p2p/${await peerIdOf(seed)}` }
    }),
  )
  return (machine) => ({
    IPFS_LISTEN: nodes[machine]?.listen ?? '',
    IPFS_PEERS: nodes.flatMap(({ address }, at) => (at === machine ? [] : [address])).join(','),
    IPFS_PEER_KEY: nodes[machine]?.seed.toString('hex') ?? '',
    BLOB_COPIES: String(count),
  })
}

/** Waits until two disks have each block that a disk has now. */
async function untilRepaired({ diskOf }: ThreeMachines): Promise<void> {
  const disks = () => Promise.all([0, 1, 2].map((machine) => blockNames(diskOf(machine))))
  const now = new Set((await disks()).flat())
  const copies = async () => {
    const names = (await disks()).flat().filter((name) => now.has(name))
    return [...Map.groupBy(names, (name) => name).values()].filter((it) => it.length < 2).length
  }
  // A node rests ten times as long as a count took, and a minute more when it is not woken.
  await expect.poll(copies, { interval: 200 }).toBe(0)
}

const blockNames = async (disk: string) =>
  (await blockFiles(join(disk, 'blobs'))).map((file) => basename(file))
