import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { folderActivity } from './stage-files.ts'

test('a data folder is active for a second after the log of a database grew, and by nothing else', () => {
  const folder = mkdtempSync(join(tmpdir(), 'activity-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const isActive = () => folderActivity(folder)()
  expect(isActive()).toBe(false)
  writeFileSync(join(folder, 'agent.key'), 'fresh')
  expect(isActive()).toBe(false)
  const log = join(folder, 'jobs.sqlite-wal')
  writeFileSync(log, 'a write')
  expect(isActive()).toBe(true)
  const earlier = Date.now() / 1000 - 2
  utimesSync(log, earlier, earlier)
  expect(isActive()).toBe(false)
  writeFileSync(join(folder, 'chain.sqlite-wal'), 'another')
  expect(isActive()).toBe(true)
})
