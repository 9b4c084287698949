import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { digest } from '@heirloom/core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { heliaBlobStore } from './helia.ts'
import { emptyFolder, fileOf, remove, temporaryFiles } from './test/folders.ts'

const same = (one: Uint8Array, other: Uint8Array) => assert.equal(Buffer.compare(one, other), 0)
const unavailable = (code: string) => ({
  code: 'blob/unavailable',
  cause: expect.objectContaining({ code }),
})

let parent: string
beforeEach(async () => {
  parent = await emptyFolder()
})
afterEach(() => remove(parent))

describe('a store fails with `blob/unavailable`, and works again afterwards', () => {
  test('when its folder is missing', async () => {
    const folder = join(parent, 'blobs')
    const store = await heliaBlobStore({ folder })
    const [short, long] = [randomBytes(100), randomBytes(3 * 1_048_576)]
    const put = await store.put(short)

    await rename(folder, join(parent, 'elsewhere'))
    await expect(store.get(put)).rejects.toMatchObject(unavailable('ENOENT'))
    await expect(store.put(long)).rejects.toMatchObject(unavailable('ENOENT'))
    await expect(store.remove(put)).rejects.toMatchObject(unavailable('ENOENT'))
    await rename(join(parent, 'elsewhere'), folder)

    same(await store.get(put), short)
    same(await store.get(await store.put(long)), long)
    await store.close()
  })

  test('when a block cannot be read', async () => {
    const store = await heliaBlobStore({ folder: parent })
    const put = await store.put(Buffer.from('readable'))
    await rm(fileOf(parent, put))
    await mkdir(fileOf(parent, put))
    await expect(store.get(put)).rejects.toMatchObject(unavailable('EISDIR'))
    await expect(store.put(Buffer.from('readable'))).rejects.toMatchObject(unavailable('EISDIR'))
    await rm(fileOf(parent, put), { recursive: true })
    await expect(store.get(put)).rejects.toMatchObject({ code: 'blob/not-found' })
    await store.put(Buffer.from('readable'))
    same(await store.get(put), Buffer.from('readable'))
    await store.close()
  })

  test('when a file is where its folder should be', async () => {
    const folder = join(parent, 'blobs')
    await writeFile(folder, '')
    await expect(heliaBlobStore({ folder })).rejects.toMatchObject(unavailable('ENOTDIR'))
    await rm(folder)
    await (await heliaBlobStore({ folder })).close()
  })

  test('when the system limits the length of files', async () => {
    const script = fileURLToPath(new URL('./test/put-two-sizes.ts', import.meta.url))
    const limited = 'ulimit -f 64; exec "$0" "$@"'
    const { stdout } = await promisify(execFile)('sh', [
      ...['-c', limited, process.execPath, script, parent],
    ])
    const [first = '', second, third = ''] = stdout.split('\n')
    expect(second).toBe('blob/unavailable EFBIG')
    expect(await temporaryFiles(parent)).toEqual([])

    const store = await heliaBlobStore({ folder: parent })
    same(await store.get(digest(first)), Buffer.alloc(1000, 'x'))
    same(await store.get(digest(third)), Buffer.alloc(1001, 'x'))
    same(await store.get(await store.put(Buffer.alloc(200_000, 'x'))), Buffer.alloc(200_000, 'x'))
    await store.close()
  })
})

const mount = (...options: readonly string[]) => spawnSync('mount', options).status === 0
const unmount = (folder: string) => spawnSync('umount', [folder]).status === 0

/** Mounts a file system of two megabytes at a folder; this needs an administrator. */
const mountSmallDisk = (folder: string) => mount('-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder)

async function canMount(): Promise<boolean> {
  const folder = await emptyFolder()
  const can = mountSmallDisk(folder) && unmount(folder)
  await remove(folder)
  return can
}

describe.runIf(await canMount())('on a small disk, a store fails with `blob/unavailable`', () => {
  let folder: string
  beforeEach(async () => {
    folder = await emptyFolder()
    expect(mountSmallDisk(folder)).toBe(true)
  })
  afterEach(async () => {
    unmount(folder)
    await remove(folder)
  })

  test('while the disk is full or read-only, and works again afterwards', async () => {
    const store = await heliaBlobStore({ folder })
    const [stored, long] = [randomBytes(1000), randomBytes(1_400_000)]
    const put = await store.put(stored)

    await writeFile(join(folder, 'filler'), Buffer.alloc(1_000_000))
    await expect(store.put(long)).rejects.toMatchObject(unavailable('ENOSPC'))
    same(await store.get(put), stored)
    await rm(join(folder, 'filler'))
    same(await store.get(await store.put(long)), long)

    expect(mount('-o', 'remount,ro', folder)).toBe(true)
    await expect(store.put(randomBytes(10))).rejects.toMatchObject(unavailable('EROFS'))
    same(await store.get(put), stored)
    expect(mount('-o', 'remount,rw', folder)).toBe(true)
    await store.put(randomBytes(10))
    await store.close()
    expect(await temporaryFiles(folder)).toEqual([])
  })
})
