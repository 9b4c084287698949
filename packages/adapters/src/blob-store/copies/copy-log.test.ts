import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { emptyFolder, remove } from '../test/folders.ts'
import { openCopyLog } from './copy-log.ts'

test('the bytes of peers are counted from now on where an earlier program left notes', async () => {
  const other = await emptyFolder()
  const old = new DatabaseSync(join(other, 'copies.sqlite'))
  old.exec(
    "CREATE TABLE copies (block TEXT PRIMARY KEY, peer TEXT NOT NULL, at INTEGER NOT NULL) STRICT; INSERT INTO copies VALUES ('ab', 'one', 1000)",
  )
  const insert = 'INSERT OR REPLACE INTO copies (block, peer, at) VALUES (?, ?, ?)'
  const log = openCopyLog(other, () => 2000)
  onTestFinished(async () => {
    log.close()
    await remove(other)
  })
  log.add('cd', 'one', { length: 7, limit: 7 })
  // The earlier program still writes its notes after a downgrade.
  old.prepare(insert).run('ef', 'one', 3000)
  old.close()
  for (const name of ['ab', 'ef']) expect(log.take(name, 'one')).toBe(true)
  expect(log.bytes()).toEqual(new Map([['one', 7]]))
})
