import { execFileSync } from 'node:child_process'
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Anvil, startAnvil } from '../harness/chain/anvil.ts'
import { openGate } from '../harness/chain/tcp-gate.ts'
import type { LaneProcess } from '../harness/nonce-lane/lane-process.ts'
import {
  audit as auditReplicas,
  type Exchange,
  expectAllDone,
  isDone,
  leaderOf,
  mineEverySecond as mineBlocksEverySecond,
  mints,
  openReplicaSet as openReplicas,
  type ReplicaSet,
  royalties,
  send,
  sendAll,
  tokens,
  type Write,
  whenDone,
} from '../harness/nonce-lane/replica-set.ts'
import { type Postgres, startPostgres } from '../harness/process/postgres.ts'
import { tier } from '../tier.ts'

let anvil: Anvil
let postgres: Postgres

beforeAll(async () => {
  anvil = await startAnvil()
  postgres = await startPostgres()
})

afterAll(async () => {
  await anvil.stop()
  await postgres.stop('fast')
  rmSync(postgres.folder, { recursive: true })
})

/** The numbers of acknowledged writes after which something is killed. */
const moments = tier === 'long' ? [0, 1, 25] : [1]

const openReplicaSet = () => openReplicas(anvil, postgres)

const mineEverySecond = () => mineBlocksEverySecond(anvil)

/** Returns the writes of two lists in turn. */
const interleave = (some: readonly Write[], others: readonly Write[]): readonly Write[] =>
  some.flatMap((write, index) => [write, ...others.slice(index, index + 1)])

const tally = {
  jobs: 0,
  unanswered: 0,
  acknowledged: 0,
  kills: 0,
  restarts: 0,
  lost: 0,
  doubled: 0,
}

afterAll(() => {
  process.stdout.write(`lane on PostgreSQL: ${JSON.stringify(tally)}\n`)
})

async function audit(
  replicaSet: ReplicaSet,
  survivor: LaneProcess,
  all: readonly Exchange[],
): Promise<void> {
  const counts = await auditReplicas(replicaSet, survivor, all)
  for (const [name, count] of Object.entries(counts)) tally[name as keyof typeof counts] += count
}

describe('three replicas of one wallet', () => {
  test('make concurrent writes once each', async () => {
    const replicaSet = await openReplicaSet()
    const replicas = await Promise.all([replicaSet.start(), replicaSet.start(), replicaSet.start()])
    const first = await Promise.all(sendAll(replicas, mints(30)))
    expectAllDone(first)
    expect(new Set(tokens(first)).size).toBe(30)
    const writes = interleave(mints(30), royalties(tokens(first)))
    const second = await Promise.all(sendAll(replicas, writes))
    expectAllDone(second)
    expect(new Set(tokens([...first, ...second])).size).toBe(60)
    const count = await replicaSet.countOnChain()
    expect([...first, ...second].map(({ write }) => count(write))).toEqual(Array(90).fill(1))
    await audit(replicaSet, replicas[0], [...first, ...second])
  })

  test('make a write once that two of them get with one key, in any order', async () => {
    const replicaSet = await openReplicaSet()
    const [one, other] = await Promise.all([
      replicaSet.start(),
      replicaSet.start(),
      replicaSet.start(),
    ])
    const keyed = mints(60).filter(({ key }) => key !== undefined)
    const forward = Promise.all(keyed.map((write) => send(one, write)))
    const reversed = Promise.all(keyed.toReversed().map((write) => send(other, write)))
    const [ofOne, ofOther] = [await forward, (await reversed).toReversed()]
    expectAllDone([...ofOne, ...ofOther])
    const results = (all: readonly Exchange[]) =>
      all.map(({ response }) => (response && 'result' in response ? response.result : response))
    expect(results(ofOther)).toEqual(results(ofOne))
    expect(new Set(tokens(ofOne)).size).toBe(30)
    await audit(replicaSet, one, ofOne)
  })

  test('neither lose nor repeat a write when each leader is killed', async () => {
    const replicaSet = await openReplicaSet()
    await mineEverySecond()
    let alive = await Promise.all([replicaSet.start(), replicaSet.start(), replicaSet.start()])
    const all = await Promise.all(sendAll(alive, mints(60)))
    for (const [round, killAfter] of moments.entries()) {
      const leader = await leaderOf(alive)
      const exchanges = sendAll(
        alive,
        interleave(mints(20), royalties(tokens(all).slice(20 * round))),
      )
      await whenDone(exchanges, killAfter)
      leader.process.kill('SIGKILL')
      tally.kills += 1
      await leader.ended
      const survivors = alive.filter((replica) => replica !== leader)
      alive = [...survivors, await replicaSet.start()] as typeof alive
      all.push(...(await Promise.all(exchanges)))
    }
    const last = await Promise.all(sendAll(alive, mints(6)))
    expectAllDone(last)
    await audit(replicaSet, alive[2], [...all, ...last])
  })
})

describe('a PostgreSQL server', () => {
  test('that crashes and restarts neither loses nor repeats a write', async () => {
    const replicaSet = await openReplicaSet()
    await mineEverySecond()
    const replicas = await Promise.all([replicaSet.start(), replicaSet.start(), replicaSet.start()])
    const all = await Promise.all(sendAll(replicas, mints(60)))
    for (const [round, crashAfter] of moments.entries()) {
      const exchanges = sendAll(
        replicas,
        interleave(mints(20), royalties(tokens(all).slice(20 * round))),
      )
      await whenDone(exchanges, crashAfter)
      await restart('immediate')
      all.push(...(await Promise.all(exchanges)))
    }
    const last = await Promise.all(sendAll(replicas, mints(6)))
    expectAllDone(last)
    await audit(replicaSet, replicas[0], [...all, ...last])
  })

  test('that is restored from a copy neither loses nor repeats a write', async () => {
    const replicaSet = await openReplicaSet()
    await mineEverySecond()
    const replicas = await Promise.all([replicaSet.start(), replicaSet.start(), replicaSet.start()])
    const first = await Promise.all(sendAll(replicas, mints(20)))
    const exchanges = sendAll(replicas, interleave(mints(20), royalties(tokens(first))))
    await whenDone(exchanges, 1)
    await restart('fast', replaceByCopy)
    const all = [...first, ...(await Promise.all(exchanges))]
    const last = await Promise.all(sendAll(replicas, mints(6)))
    expectAllDone(last)
    await audit(replicaSet, replicas[0], [...all, ...last])
  })
})

/** Stops PostgreSQL and starts it again on the same port. */
async function restart(mode: 'fast' | 'immediate', between = () => {}): Promise<void> {
  const { folder, url } = postgres
  await postgres.stop(mode)
  between()
  tally.restarts += 1
  postgres = await startPostgres({ folder, port: Number(url.port) })
}

function replaceByCopy(): void {
  const data = join(postgres.folder, 'data')
  execFileSync('cp', ['-a', data, `${data}-copy`])
  rmSync(data, { recursive: true })
  renameSync(`${data}-copy`, data)
}

test('a leader without a connection is replaced, writes nothing more, and recovers', async () => {
  const replicaSet = await openReplicaSet()
  await mineEverySecond()
  const gates = await Promise.all([1, 2, 3].map(() => openGate(Number(postgres.url.port))))
  onTestFinished(() => Promise.all(gates.map((gate) => gate.close())).then(() => undefined))
  const replicas = await Promise.all(gates.map(({ port }) => replicaSet.start({ port })))
  const old = await leaderOf(replicas)
  const others = replicas.filter((replica) => replica !== old)
  const gate = gates[replicas.indexOf(old)]
  const first = await Promise.all(sendAll(replicas, mints(20)))
  const exchanges = sendAll(replicas, interleave(mints(20), royalties(tokens(first))))
  await whenDone(exchanges, 1)
  gate?.cut()
  const late = send(old, mints(1)[0] as Write)
  await leaderOf(others)
  const meanwhile = await Promise.all(sendAll(others, mints(10)))
  expectAllDone(meanwhile)
  gate?.open()
  const all = [...first, ...(await Promise.all(exchanges)), await late, ...meanwhile]
  const after = await Promise.all(sendAll([old], mints(6)))
  expectAllDone(after)
  await audit(replicaSet, others[0] as LaneProcess, [...all, ...after])
  for (const other of others) await other.stop()
  expect(await send(old, mints(1)[0] as Write)).toSatisfy(isDone)
})
