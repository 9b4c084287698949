import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { durabilityGap } from '@heirloom/adapters/internal/durability-gap'
import { postgresJobStore } from '@heirloom/adapters/job-store'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Anvil, startAnvil } from '../harness/chain/anvil.ts'
import { openGate, type TcpGate } from '../harness/chain/tcp-gate.ts'
import type { LaneProcess } from '../harness/nonce-lane/lane-process.ts'
import {
  audit,
  type Exchange,
  expectAllDone,
  leaderOf,
  mineEverySecond,
  mints,
  openReplicaSet,
  type ReplicaSet,
  royalties,
  send,
  sendAll,
  tokens,
  type Write,
  whenDone,
} from '../harness/nonce-lane/replica-set.ts'
import { movedClock } from '../harness/process/moved-clock.ts'
import { type Postgres, startPostgres, startStandby } from '../harness/process/postgres.ts'

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

/** Returns a gate to a port, which is closed at the end of the test. */
async function openGateForTest(port: number): Promise<TcpGate> {
  const gate = await openGate(port)
  onTestFinished(gate.close)
  return gate
}

/** Starts three replicas, each behind a gate of its own to PostgreSQL. */
async function startBehindGates(replicaSet: ReplicaSet, server: Postgres = postgres) {
  const gates = await Promise.all([1, 2, 3].map(() => openGateForTest(Number(server.url.port))))
  const replicas = await Promise.all(gates.map(({ port }) => replicaSet.start({ port })))
  return { gates, replicas }
}

const oneMint = () => mints(1)[0] as Write

describe('a leader that is frozen', () => {
  test('is replaced, and does no harm when it wakes', async () => {
    const replicaSet = await openReplicaSet(anvil, postgres)
    await mineEverySecond(anvil)
    const replicas = await Promise.all([1, 2, 3].map(() => replicaSet.start()))
    const all = await Promise.all(sendAll(replicas, mints(20)))
    expectAllDone(all)
    const old = await leaderOf(replicas)
    const others = replicas.filter((replica) => replica !== old)
    const writes = [...mints(20), ...royalties(tokens(all))]
    const exchanges = sendAll(replicas, writes)
    await whenDone(exchanges, 1)
    old.process.kill('SIGSTOP')
    await leaderOf(others)
    all.push(...(await Promise.all(sendAll(others, mints(10)))))
    expectAllDone(all)
    old.process.kill('SIGCONT')
    all.push(...(await Promise.all(exchanges)))
    all.push(...(await Promise.all(sendAll(replicas, mints(9)))))
    expectAllDone(all)
    await audit(replicaSet, old, all)
  })

  const moments = [
    'while it is signed',
    'after it is signed',
    'after it is sent',
    'after it is seen mined',
    'before it is settled',
    'after it is settled',
  ] as const

  test('at any moment of a write does no harm when it wakes', async () => {
    await Promise.all(moments.map(freezeAndWake))
  })

  async function freezeAndWake(freezeAt: (typeof moments)[number]): Promise<void> {
    const replicaSet = await openReplicaSet(anvil, postgres)
    const old = await replicaSet.start({ freezeAt })
    await old.leads
    const other = await replicaSet.start()
    const write = { ...oneMint(), key: freezeAt }
    const late = send(old, write)
    await old.frozen
    await leaderOf([other])
    const all = [await send(other, write), ...(await Promise.all(sendAll([other], mints(4))))]
    expectAllDone(all)
    old.process.kill('SIGCONT')
    expect((await late).response).toMatchObject({ result: resultOf(all[0]) })
    all.push(...(await Promise.all(sendAll([old, other], mints(4)))))
    expectAllDone(all)
    await audit(replicaSet, old, all)
  }
})

const resultOf = (exchange: Exchange | undefined) =>
  exchange?.response && 'result' in exchange.response ? exchange.response.result : undefined

describe('a leader that is out of reach of the store', () => {
  test('while neither side learns it, is replaced, and recovers', async () => {
    const replicaSet = await openReplicaSet(anvil, postgres)
    await mineEverySecond(anvil)
    const { gates, replicas } = await startBehindGates(replicaSet)
    const old = await leaderOf(replicas)
    const others = replicas.filter((replica) => replica !== old)
    const all = await Promise.all(sendAll(replicas, mints(20)))
    const exchanges = sendAll(replicas, [...mints(20), ...royalties(tokens(all))])
    await whenDone(exchanges, 1)
    const gate = gates[replicas.indexOf(old)]
    gate?.stall()
    const late = sendAll([old], mints(4))
    await leaderOf(others)
    const meanwhile = await Promise.all(sendAll(others, mints(10)))
    expectAllDone(meanwhile)
    gate?.open()
    all.push(...(await Promise.all([...exchanges, ...late])), ...meanwhile)
    const after = await Promise.all(sendAll(replicas, mints(9)))
    expectAllDone(after)
    await audit(replicaSet, others[0] as LaneProcess, [...all, ...after])
  })
})

describe('replicas whose clocks differ by minutes', () => {
  test('neither lose nor refuse a write under any leader', async () => {
    const replicaSet = await openReplicaSet(anvil, postgres)
    const folders = [0, 7, -7].map((minutes) => {
      const folder = mkdtempSync(join(tmpdir(), 'clock-'))
      onTestFinished(() => rmSync(folder, { recursive: true }))
      const clock = movedClock(folder)
      clock.moveOn(minutes * 60_000)
      return clock.environment
    })
    const start = (environment: Readonly<Record<string, string>>) =>
      replicaSet.start({ environment })
    let replicas = await Promise.all(folders.map(start))
    const all: Exchange[] = []
    for (const _round of folders) {
      const leader = await leaderOf(replicas)
      all.push(...(await Promise.all(sendAll(replicas, mints(12)))))
      expectAllDone(all)
      replicas = replicas.filter((replica) => replica !== leader)
      // The last one stays for the audit.
      if (replicas.length > 0) await leader.stop()
      else await audit(replicaSet, leader, all)
    }
  })
})

describe('a standby of PostgreSQL', () => {
  test('that takes over knows every write, and refuses the leader of before', async () => {
    const primary = await startPostgres()
    const standby = await startStandby(primary)
    onTestFinished(async () => {
      await primary.stop('immediate')
      await standby.stop('fast')
      for (const { folder } of [primary, standby]) rmSync(folder, { recursive: true })
    })
    await expectWarningWithoutSynchrony(primary)
    const replicaSet = await openReplicaSet(anvil, primary)
    await mineEverySecond(anvil)
    const { gates, replicas } = await startBehindGates(replicaSet, primary)
    const all = await Promise.all(sendAll(replicas, mints(20)))
    const exchanges = sendAll(replicas, [...mints(20), ...royalties(tokens(all))])
    await whenDone(exchanges, 1)
    const leads = replicas.map(
      (replica) =>
        new Promise<void>((resolve) => {
          replica.onLeads((isLeader) => isLeader && resolve())
        }),
    )
    await primary.stop('immediate')
    await standby.run('SELECT pg_promote()')
    for (const gate of gates) gate.retarget(Number(standby.url.port))
    await Promise.any(leads)
    all.push(...(await Promise.all(exchanges)))
    const after = await Promise.all(sendAll(replicas, mints(9)))
    expectAllDone(after)
    await audit(replicaSet, replicas[0] as LaneProcess, [...all, ...after])
  })
})

/** Doctor warns while the standby is asynchronous, and only then. */
async function expectWarningWithoutSynchrony(primary: Postgres): Promise<void> {
  const store = await postgresJobStore(primary.url.href)
  const setNames = async (names: string) => {
    await primary.run(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`)
    await primary.run('SELECT pg_reload_conf()')
  }
  const until = async (expected: string | undefined) => {
    while ((await durabilityGap(store)) !== expected);
  }
  await until(undefined)
  await setNames('')
  await until('asynchronous-standby')
  await setNames('*')
  await until(undefined)
  await store.close()
}
