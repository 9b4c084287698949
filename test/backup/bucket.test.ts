import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { emptyFolder, folderWithKeys, snapshot } from '../harness/backup/installation.ts'
import { heirloom } from '../harness/process/heirloom.ts'
import { hostServer } from '../harness/process/server.ts'
import { sharedBucket } from '../harness/process/shared-bucket.ts'

const bucket = sharedBucket()

/** Returns a place in the bucket for the backups of a test. */
const placeOf = (name: string): string =>
  `${bucket.environment.BLOB_URL}`.replace('memories?', `memories/${name}/?`)

/** Returns the access key without BLOB_URL. */
function credentials(): Readonly<Record<string, string>> {
  const { BLOB_URL: _, ...keys } = bucket.environment
  return keys
}

async function startOriginal(env: Readonly<Record<string, string>>) {
  const parent = emptyFolder('bucket')
  const folder = join(parent, 'original')
  const server = await hostServer({ ...env, DATA_DIR: folder })
  onTestFinished(async () => void (await server.end()))
  return { parent, folder, server }
}

describe('a backup in a bucket', () => {
  test('takes what is new, is restored whole, and knows its writer', async () => {
    const env = credentials()
    const { parent, folder, server } = await startOriginal(env)
    const place = placeOf('backup')
    await snapshot(server, 'one')
    expect(await heirloom({ ...env, DATA_DIR: folder }, 'backup', place)).toMatchObject({
      code: 0,
      errors: '',
    })
    const before = await bucket.list('backup/blocks/')
    await snapshot(server, 'two', 'z'.repeat(300_000))
    const again = await heirloom({ ...env, DATA_DIR: folder }, 'backup', place, '--json')
    const { added, manifest } = JSON.parse(again.output)
    expect(added.blocks).toBe(manifest.blocks.count - before.length)
    const chunks = new Set(manifest.files.flatMap((it: { chunks: readonly string[] }) => it.chunks))
    expect((await bucket.list('backup/chunks/')).length).toBe(chunks.size)
    await server.end()
    const copy = folderWithKeys(parent, folder)
    const words = ['restore', place, '--into', copy, '--verify', '--as-writer']
    const restored = await heirloom(env, ...words)
    expect(restored).toMatchObject({ code: 0, errors: '' })
    expect(restored.output).toContain('2 of 2 memories open.')
    const refused = await heirloom({ ...env, DATA_DIR: folder }, 'backup', place)
    expect(refused.errors).toContain('two copies must never write')
    expect(await heirloom({ ...env, DATA_DIR: copy }, 'backup', place)).toMatchObject({ code: 0 })
  })

  test('names an altered block, and restores nothing', async () => {
    const env = credentials()
    const { parent, folder, server } = await startOriginal(env)
    const place = placeOf('altered')
    await snapshot(server, 'one')
    await heirloom({ ...env, DATA_DIR: folder }, 'backup', place)
    const [name = ''] = await bucket.list('altered/blocks/')
    await bucket.overwrite(`altered/blocks/${name}`, Buffer.from('junk'))
    const copy = folderWithKeys(parent, folder)
    const refused = await heirloom(env, 'restore', place, '--into', copy)
    expect(refused.code).toBe(1)
    expect(refused.errors).toContain(name)
    // The next backup sees another length, and stores the block again.
    await heirloom({ ...env, DATA_DIR: folder }, 'backup', place)
    expect(await heirloom(env, 'restore', place, '--into', copy)).toMatchObject({ code: 0 })
  })
})

describe('a server whose memories are in a bucket', () => {
  test('is saved without them, or with them', async () => {
    const env = bucket.environment
    const { parent, folder, server } = await startOriginal(env)
    await snapshot(server, 'one')
    const [without, whole] = [join(parent, 'without'), join(parent, 'whole')]
    const first = await heirloom({ ...env, DATA_DIR: folder }, 'backup', without)
    expect(first.output).toContain('Not in it: the memories, which are in the bucket of BLOB_URL.')
    const second = await heirloom({ ...env, DATA_DIR: folder }, 'backup', whole, '--with-bucket')
    expect(second).toMatchObject({ code: 0, errors: '' })
    await server.end()
    const copy = folderWithKeys(parent, folder)
    const fromBucket = await heirloom(env, 'restore', without, '--into', copy, '--verify')
    expect(fromBucket.output).toContain('1 of 1 memories open.')
    rmSync(copy, { recursive: true })
    const here = folderWithKeys(parent, folder)
    const fromBackup = await heirloom({}, 'restore', whole, '--into', here, '--verify')
    expect(fromBackup.output).toContain('1 of 1 memories open.')
  })
})
