import { randomUUID } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { isFailure } from '@heirloom/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { restoreBackup } from '../../packages/http/src/cli/operator/backup/restore-backup.ts'
import { folderWithKeys, snapshot } from '../harness/backup/installation.ts'
import { heirloom } from '../harness/process/heirloom.ts'
import { hostServer } from '../harness/process/server.ts'

let parent: string
let folder: string
let place: string

beforeAll(async () => {
  parent = mkdtempSync(join(tmpdir(), 'damaged-'))
  folder = join(parent, 'original')
  place = join(parent, 'place')
  const server = await hostServer({ DATA_DIR: folder })
  await snapshot(server, 'one')
  await snapshot(server, 'two', 'z'.repeat(300_000))
  await heirloom({ DATA_DIR: folder }, 'backup', place)
  await server.end()
})
afterAll(() => rmSync(parent, { recursive: true, force: true }))

const filesBelow = (root: string): readonly string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((it) => it.isFile() && !it.name.startsWith('lock.sqlite'))
    .map((it) => relative(root, join(it.parentPath, it.name)))

/** The ways to damage a file. */
const damages: readonly (readonly [string, (path: string) => void])[] = [
  ['is removed', (path) => rmSync(path)],
  ['has another bit', (path) => writeFileSync(path, flipped(readFileSync(path)))],
  ['is cut', (path) => writeFileSync(path, readFileSync(path).subarray(0, -1))],
  ['is empty', (path) => writeFileSync(path, '')],
]

function flipped(bytes: Buffer): Buffer {
  const at = bytes.length >> 1
  bytes[at] = (bytes[at] ?? 0) ^ 1
  return bytes
}

let count = 0
const numbered = (name: string): string => {
  count += 1
  return `${name}-${count}`
}

async function restoreFrom(damaged: string, target: string) {
  const options = { into: undefined, verify: false, asWriter: true, isTrial: false }
  try {
    await restoreBackup({ DATA_DIR: target }, { ...options, from: damaged })
    return 'restored'
  } catch (error) {
    if (!isFailure(error)) throw error
    return `${error.code} ${error.message}`
  }
}

describe('a backup of which any file', () => {
  test.each(damages)(
    '%s is refused with the name of the file, and nothing is restored',
    async (_, damage) => {
      for (const name of filesBelow(place)) {
        const damaged = join(parent, numbered('place'))
        cpSync(place, damaged, { recursive: true })
        damage(join(damaged, name))
        const target = folderWithKeys(parent, folder, numbered('target'))
        const before = filesBelow(target)
        const outcome = await restoreFrom(damaged, target)
        expect([name, outcome]).toEqual([
          name,
          expect.stringMatching(/^backup\/(damaged|unusable) /),
        ])
        expect(outcome).toContain(name)
        expect(filesBelow(target)).toEqual(before)
        rmSync(damaged, { recursive: true })
      }
    },
  )
})

describe('a place without a backup', () => {
  test('is refused', async () => {
    const target = folderWithKeys(parent, folder, numbered('target'))
    expect(await restoreFrom(join(parent, 'nothing'), target)).toContain('it holds no backup')
    expect(existsSync(join(parent, 'nothing'))).toBe(false)
  })
})

describe('a target', () => {
  test.each(['notes.txt', 'chain.sqlite', 'blobs'])('with %s is refused', async (name) => {
    const target = folderWithKeys(parent, folder, numbered('target'))
    writeFileSync(join(target, name), 'mine')
    expect(await restoreFrom(place, target)).toMatch(`folder/unusable ${target}`)
    expect(readFileSync(join(target, name), 'utf8')).toBe('mine')
  })

  test('that a server uses is refused', async () => {
    const server = await hostServer({ DATA_DIR: join(parent, 'used') })
    expect(await restoreFrom(place, join(parent, 'used'))).toContain('folder/in-use')
    await server.end()
  })
})

describe('a manifest that somebody wrote', () => {
  test('leads to no file outside of the target', async () => {
    const { saveBackup, folderObjects } = await import('@heirloom/adapters/internal/backup')
    const evil = join(parent, 'evil')
    const objects = folderObjects(evil, { forWriting: true })
    const path = join(folder, 'sealing.keys')
    await saveBackup(objects, {
      installation: { id: randomUUID(), epoch: 1, copy: 'y' },
      program: '0',
      takenAt: 1,
      origin: { host: 'h', folder: '/f' },
      chain: 'remote',
      jobs: 'database',
      blobs: 'here',
      files: ['../outside', 'agent.key', 'master.keys', '/outside'].map((name) => ({ name, path })),
      blocks: undefined,
      now: () => 2,
    })
    objects.close()
    const target = folderWithKeys(parent, folder, numbered('target'))
    const keys = readFileSync(join(target, 'agent.key'), 'utf8')
    expect(await restoreFrom(evil, target)).toBe('restored')
    expect(readFileSync(join(target, 'agent.key'), 'utf8')).toBe(keys)
    expect(readdirSync(parent)).not.toContain('outside')
    expect(existsSync('/outside')).toBe(false)
  })
})
