import { hash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { heliaBlobStore } from '@heirloom/adapters/blob-store'
import { digest } from '@heirloom/core'
import { expect, onTestFinished, test } from 'vitest'
import { exportBlocks } from './export-blocks.ts'

test('refuses a folder without blocks, such as the wrong one', async () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'export-'))
  onTestFinished(() => rmSync(DATA_DIR, { recursive: true }))
  const refused = { code: 'folder/unusable', facts: { folder: DATA_DIR } }
  await expect(exportBlocks({ DATA_DIR }, join(DATA_DIR, 'blocks'))).rejects.toMatchObject(refused)
})

test('copies the blocks that have files and those that were moved, once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'export-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [DATA_DIR, to] = [join(folder, 'data'), join(folder, 'blocks')]
  mkdirSync(DATA_DIR)
  const blobs = Array.from({ length: 300 }, () => randomBytes(500))
  const store = await heliaBlobStore({ folder: join(DATA_DIR, 'blobs') })
  for (const bytes of blobs) await store.put(bytes)
  const compacted = join(DATA_DIR, 'blobs/compacted.sqlite')
  await expect.poll(() => existsSync(compacted)).toBe(true)

  expect(await exportBlocks({ DATA_DIR }, to)).toEqual({ copied: 300, present: 0, damaged: [] })
  const paths = blobs.map(
    (bytes) => `${hash('sha256', bytes).slice(-2)}/1220${hash('sha256', bytes)}`,
  )
  for (const [at, path] of paths.entries()) {
    expect(readFileSync(join(to, path))).toEqual(blobs[at])
  }
  expect(await exportBlocks({ DATA_DIR }, to)).toEqual({ copied: 0, present: 300, damaged: [] })
  await store.close()

  expect(await exportBlocks({ DATA_DIR }, join(DATA_DIR, 'blobs/blocks'))).toMatchObject({
    damaged: [],
  })
  rmSync(compacted)
  const earlier = await heliaBlobStore({ folder: join(DATA_DIR, 'blobs') })
  for (const bytes of blobs) {
    const stored = await earlier.get(digest(`0x${hash('sha256', bytes)}`))
    expect(Buffer.from(stored)).toEqual(bytes)
  }
  await earlier.close()
})
