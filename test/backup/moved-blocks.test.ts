import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { emptyFolder, folderWithKeys, heirloom, snapshot } from '../harness/backup/installation.ts'
import { startServer } from '../harness/process/server.ts'

const memories = 300

/** Returns the number of blocks that have files of their own. */
const filesIn = (folder: string): number =>
  readdirSync(join(folder, 'blobs/blocks'), { recursive: true, withFileTypes: true }).filter((it) =>
    it.isFile(),
  ).length

test('a backup has the small memories that were moved into one file, and a restore opens them', async () => {
  const parent = emptyFolder('moved')
  const folder = join(parent, 'original')
  const server = await startServer({ DATA_DIR: folder })
  onTestFinished(async () => void (await server.end('SIGKILL')))
  for (let made = 0; made < memories; made += 50) {
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => snapshot(server, `key-${made + index}`)),
    )
  }
  await expect.poll(() => existsSync(join(folder, 'blobs/compacted.sqlite'))).toBe(true)
  await expect.poll(() => filesIn(folder)).toBeLessThan(256)

  const place = join(parent, 'place')
  const saved = await heirloom({ DATA_DIR: folder }, 'backup', place)
  expect(saved).toMatchObject({ code: 0, errors: '' })
  await server.end('SIGKILL')
  const copy = folderWithKeys(parent, folder)
  const words = ['restore', place, '--into', copy, '--verify', '--as-writer', '--json']
  const restored = await heirloom({}, ...words)
  expect(restored).toMatchObject({ code: 0, errors: '' })
  const opened = { failed: [], foreign: [], opened: memories, tokens: memories }
  expect(JSON.parse(restored.output).memories).toMatchObject(opened)
})
