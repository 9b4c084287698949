import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyFolder, folderWithKeys, snapshot } from '../harness/backup/installation.ts'
import { heirloom } from '../harness/process/heirloom.ts'
import { hostServer } from '../harness/process/server.ts'

/** Makes an installation with a memory and a backup, and stops its server. */
async function savedInstallation() {
  const parent = emptyFolder('tombstones')
  const folder = join(parent, 'original')
  const server = await hostServer({ DATA_DIR: folder })
  await snapshot(server, 'one')
  const place = join(parent, 'place')
  await heirloom({ DATA_DIR: folder }, 'backup', place)
  await server.end()
  return { parent, folder, place }
}

test('an older backup brings no sealing key back that its target knows as destroyed', async () => {
  const { parent, folder, place } = await savedInstallation()
  const { keys } = JSON.parse(
    (await heirloom({ DATA_DIR: folder }, 'keys', 'status', '--json')).output,
  )
  const [{ id }] = keys
  const destroyed = await heirloom({ DATA_DIR: folder }, 'keys', 'destroy', id, '--yes')
  expect(destroyed).toMatchObject({ code: 0 })

  const copy = folderWithKeys(parent, folder)
  cpSync(join(folder, 'destroyed.keys'), join(copy, 'destroyed.keys'))
  const words = ['restore', place, '--into', copy, '--verify', '--as-writer', '--json']
  const { code, output } = await heirloom({}, ...words)
  expect(code).toBe(0)
  expect(JSON.parse(output).memories).toMatchObject({ opened: 0, destroyed: ['1'], failed: [] })
  // The record of the backup is a tombstone now, which holds no key.
  const { records } = JSON.parse(readFileSync(join(copy, 'sealing.keys'), 'utf8'))
  const record = records.find((it: { readonly id: string }) => it.id === id)
  expect(record).toMatchObject({ state: 'destroyed' })
  expect(readFileSync(join(copy, 'destroyed.keys'), 'utf8')).toContain(id)

  // A target that knows nothing of it takes what the backup has.
  const other = folderWithKeys(parent, folder, 'other')
  const restored = await heirloom({}, 'restore', place, '--into', other, '--verify', '--json')
  expect(JSON.parse(restored.output).memories).toMatchObject({ opened: 1, destroyed: [] })
})

test('a newer backup replaces the keys of the older one, and keeps their tombstones', async () => {
  const { parent, folder, place } = await savedInstallation()
  const wrapped = JSON.parse(readFileSync(join(folder, 'sealing.keys'), 'utf8')).records[0]
  await heirloom({ DATA_DIR: folder }, 'keys', 'destroy', wrapped.id, '--yes')
  await heirloom({ DATA_DIR: folder }, 'backup', place)
  const found = await heirloom(
    {},
    'restore',
    place,
    '--into',
    folderWithKeys(parent, folder),
    '--json',
  )
  expect(found.code).toBe(0)
  const copy = join(parent, 'copy')
  expect(readFileSync(join(copy, 'destroyed.keys'), 'utf8')).toContain(wrapped.id)
  expect(readFileSync(join(copy, 'sealing.keys'), 'utf8')).not.toContain(wrapped.wrapped)
})
