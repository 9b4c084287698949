import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { emptyFolder, folderWithKeys, snapshot } from '../harness/backup/installation.ts'
import { heirloom } from '../harness/process/heirloom.ts'
import { startPostgres } from '../harness/process/postgres.ts'
import { hostServer } from '../harness/process/server.ts'

test('a server with a database is saved with its keys, and without its jobs, which it says', async () => {
  const postgres = await startPostgres()
  onTestFinished(() => postgres.stop('fast'))
  const parent = emptyFolder('postgres')
  const folder = join(parent, 'original')
  const env = { DATABASE_URL: postgres.url.href }
  const server = await hostServer({ ...env, DATA_DIR: folder })
  onTestFinished(async () => void (await server.end()))
  await snapshot(server, 'one')
  const place = join(parent, 'place')
  const saved = await heirloom({ ...env, DATA_DIR: folder }, 'backup', place)
  expect(saved).toMatchObject({ code: 0, errors: '' })
  expect(saved.output).toContain('Save the database of DATABASE_URL before each backup.')
  await server.end()
  // The database stands for its restored dump.
  const copy = folderWithKeys(parent, folder)
  const words = ['restore', place, '--into', copy, '--verify', '--as-writer']
  const restored = await heirloom(env, ...words)
  expect(restored).toMatchObject({ code: 0, errors: '' })
  expect(restored.output).toContain('1 of 1 memories open.')
  const started = await hostServer({ ...env, DATA_DIR: copy })
  expect((await snapshot(started, 'one')).tokenId).toBe('1')
  await started.end()
  // The keys of the backup open the memories without the database, too.
  const alone = folderWithKeys(parent, folder, 'alone')
  const without = await heirloom({}, 'restore', place, '--into', alone, '--verify', '--trial')
  expect(without.output).toContain('1 of 1 memories open.')
})
