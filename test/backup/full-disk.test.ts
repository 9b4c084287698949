import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { emptyFolder, folderWithKeys, snapshot } from '../harness/backup/installation.ts'
import { type MountedServer, startMountedServer } from '../harness/process/mounted-server.ts'

/** Starts a server for one test, in a namespace with file systems of its own. */
async function startIn(folder: string, mount: string): Promise<MountedServer> {
  const server = await startMountedServer(folder, mount)
  onTestFinished(async () => void (await server.end('SIGKILL')))
  return server
}

/** A sentence, and no trace of a stack. */
const sentence = /^[^\n]{20,400}\n$/

test('a backup whose disk is full leaves the one before it whole, and the next one completes it', async () => {
  const parent = emptyFolder('full-place')
  const [folder, place] = [join(parent, 'original'), join(parent, 'place')]
  for (const made of [folder, place]) mkdirSync(made, { mode: 0o700 })
  const server = await startIn(folder, `mount -t tmpfs -o size=3m,mode=0700 tmpfs "$0/../place"`)
  await snapshot(server, 'early')
  expect(server.run('backup', place)).toMatchObject({ code: 0 })
  for (let at = 0; at < 8; at++) await snapshot(server, `late-${at}`, noise(200_000))
  const left = `$(( $(df --output=avail -B1 "$0/../place" | tail -n 1) - 300000 ))`
  server.inside(`head -c ${left} /dev/zero > "$0/../place/filler"`)
  const failed = server.run('backup', place)
  expect(failed).toMatchObject({ code: 1, errors: expect.stringMatching(sentence) })
  expect(failed.errors).toContain(place)
  expect(failed.errors).toContain('no space left')
  const copy = folderWithKeys(parent, folder)
  const trial = () => server.run('restore', place, '--into', copy, '--verify', '--trial').output
  expect(trial()).toContain('1 of 1 memories open.')
  server.inside('rm "$0/../place/filler"')
  expect(server.run('backup', place)).toMatchObject({ code: 0 })
  expect(trial()).toContain('9 of 9 memories open.')
})

test('a backup whose data folder is on a full disk says so, leaves nothing, and stops no server', async () => {
  const folder = emptyFolder('full-folder')
  const place = emptyFolder('place')
  const server = await startIn(folder, 'mount -t tmpfs -o size=8m,mode=0700 tmpfs "$0"')
  await snapshot(server, 'one')
  // The databases still fit, and the list of tokens that were carried over does not.
  server.inside('head -c 3500000 /dev/zero > "$0/migration.jsonl"')
  server.inside('head -c 3000000 /dev/zero > "$0/filler"')
  const failed = server.run('backup', place)
  expect(failed).toMatchObject({ code: 1, errors: expect.stringMatching(sentence) })
  expect(failed.errors).toContain('free some space')
  server.inside('test ! -e "$0/backup-unfinished/files"; rm "$0/filler" "$0/migration.jsonl"')
  const { tokenId } = await snapshot(server, 'two')
  expect(server.run('backup', place)).toMatchObject({ code: 0 })
  expect(tokenId).toBe('2')
})

const noise = (length: number) =>
  Array.from({ length: length / 16 }, () => Math.random().toString(36).slice(2, 18)).join('')
