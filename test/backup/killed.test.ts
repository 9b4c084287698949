import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { backUp } from '../../packages/http/src/cli/operator/backup/back-up.ts'
import { restoreBackup } from '../../packages/http/src/cli/operator/backup/restore-backup.ts'
import { readInstallation, requireWriter } from '../../packages/http/src/server/installation.ts'
import { folderWithKeys, snapshot } from '../harness/backup/installation.ts'
import { heirloom } from '../harness/process/heirloom.ts'
import { hostServer } from '../harness/process/server.ts'
import { tier } from '../tier.ts'

const program = fileURLToPath(new URL('../harness/backup/killed-program.ts', import.meta.url))

/** An installation with two memories, and a backup that has the first of them. */
let parent: string
let folder: string
let older: string
let newer: string

beforeAll(async () => {
  parent = mkdtempSync(join(tmpdir(), 'killed-'))
  folder = join(parent, 'original')
  older = join(parent, 'older')
  newer = join(parent, 'newer')
  const write = async (key: string) => {
    const server = await hostServer({ DATA_DIR: folder })
    await snapshot(server, key)
    await server.end()
  }
  await write('one')
  await heirloom({ DATA_DIR: folder }, 'backup', older)
  await write('two')
  cpSync(older, newer, { recursive: true })
  await heirloom({ DATA_DIR: folder }, 'backup', newer)
})
afterAll(() => rmSync(parent, { recursive: true, force: true }))

function runKilled(act: 'backup' | 'restore', place: string, dataDir: string, at: number) {
  const env = { ...process.env, DATA_DIR: dataDir, LOG_LEVEL: 'error' }
  const words = [program, act, place, `${at}`]
  const { signal, stdout, stderr } = spawnSync(process.execPath, words, { env })
  expect(`${stderr}`).toBe('')
  return { signal, steps: `${stdout}` }
}

/** The moments of a kill: before each step, in the middle of each write, and after the last step. */
const allMomentsOf = (steps: string) =>
  Array.from({ length: steps.length + 1 }, (_, at) => at).flatMap((at) =>
    steps[at] === 'w' ? [at, at + 0.5] : [at],
  )

/** Each moment of the long tier, and one in three with the last outside it. */
const momentsOf = (steps: string) => {
  const each = tier === 'long' ? 1 : 3
  return allMomentsOf(steps).filter((at, index) => index % each === 0 || at === steps.length)
}

const verified = { into: undefined, verify: true, asWriter: false, isTrial: false }

async function memoriesIn(place: string, name: string) {
  const target = folderWithKeys(parent, folder, name)
  const env = { DATA_DIR: target }
  const { memories } = await restoreBackup(env, { ...verified, from: place, isTrial: true })
  return memories
}

const memories = (count: number) => ({
  tokens: count,
  opened: count,
  destroyed: [],
  erased: [],
  foreign: [],
  failed: [],
})

describe('a backup that is killed', () => {
  test('at any step leaves the one before it, or is whole; the next one completes it', async () => {
    const trial = join(parent, 'trial')
    cpSync(older, trial, { recursive: true })
    const { steps } = runKilled('backup', trial, folder, 1e9)
    expect(steps.length).toBeGreaterThan(8)
    const found: number[] = []
    for (const at of momentsOf(steps)) found.push(await backUpKilled(at, steps.length))
    expect([...new Set(found)]).toEqual([1, 2])
  })
})

/** Kills a backup, completes it, and returns the memories that were in it before. */
async function backUpKilled(at: number, steps: number): Promise<number> {
  const place = join(parent, `backup-${at}`)
  cpSync(older, place, { recursive: true })
  const { signal } = runKilled('backup', place, folder, at)
  expect([at, signal]).toEqual([at, at >= steps ? null : 'SIGKILL'])
  const left = await memoriesIn(place, `left-${at}`)
  const tokens = left?.tokens ?? 0
  expect(left).toEqual(memories(tokens))
  await backUp({ DATA_DIR: folder }, { to: place, withBucket: false })
  expect(await memoriesIn(place, `done-${at}`)).toEqual(memories(2))
  return tokens
}

describe('a restore that is killed', () => {
  test('at any step leaves no folder that a server takes; the next one completes it', async () => {
    const { steps } = runKilled('restore', newer, folderWithKeys(parent, folder, 'count'), 1e9)
    expect(steps.length).toBeGreaterThan(6)
    for (const at of momentsOf(steps)) await restoreKilled(at, steps.length)
  })
})

const parts = ['chain.sqlite', 'jobs.sqlite', 'sealing.keys', 'blobs/blocks']

/** Kills a restore, and completes it. */
async function restoreKilled(at: number, steps: number): Promise<void> {
  const target = folderWithKeys(parent, folder, `target-${at}`)
  const { signal } = runKilled('restore', newer, target, at)
  expect([at, signal]).toEqual([at, at >= steps ? null : 'SIGKILL'])
  const isUntouched = !parts.some((name) => existsSync(join(target, name)))
  if (!isUntouched) expect(() => requireWriter(target)).toThrow(/restore/)
  await restoreBackup({ DATA_DIR: target }, { ...verified, from: newer, verify: false })
  expect(existsSync(join(target, 'restore-unfinished'))).toBe(false)
  expect(readInstallation(target)).toMatchObject({ state: 'copy', epoch: 2 })
  expect([at, parts.filter((name) => !existsSync(join(target, name)))]).toEqual([at, []])
}
