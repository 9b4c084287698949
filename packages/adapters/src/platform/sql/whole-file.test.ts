import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { createWholeFile, smallPages, startWholeFile } from './whole-file.ts'

const program = fileURLToPath(new URL('test/killed-whole-file.ts', import.meta.url))

function newPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'heirloom-whole-file-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'file.sqlite')
}

const folderOf = (path: string) => readdirSync(join(path, '..'))

function valueIn(path: string): unknown {
  const file = new DatabaseSync(path)
  try {
    return file.prepare('SELECT value FROM thing').get()?.value
  } finally {
    file.close()
  }
}

function makeWhole(path: string, value: number) {
  const whole = startWholeFile(path)
  whole?.file.exec(`CREATE TABLE thing (value INTEGER); INSERT INTO thing VALUES (${value})`)
  return whole
}

test('a whole file has its tables, its mode, and no other name', () => {
  const path = newPath()
  makeWhole(path, 1)?.finish()
  expect(folderOf(path)).toEqual(['file.sqlite'])
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(valueIn(path)).toBe(1)
  const file = new DatabaseSync(path)
  expect(file.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
  file.close()
})

test('a file is filled in one transaction, with small pages and no journal beside it', () => {
  const path = newPath()
  createWholeFile(path, (file) => {
    file.exec(`${smallPages} CREATE TABLE thing (value INTEGER); INSERT INTO thing VALUES (1)`)
    expect(file.isTransaction).toBe(true)
    expect(folderOf(path)).toEqual([expect.stringMatching(/\.unfinished$/)])
  })
  expect(valueIn(path)).toBe(1)
  const file = new DatabaseSync(path)
  expect(file.prepare('PRAGMA page_size').get()).toEqual({ page_size: 1024 })
  file.close()
})

test('a file that exists is left alone, also when it was made meanwhile', () => {
  const path = newPath()
  const [first, second] = [makeWhole(path, 1), makeWhole(path, 2)]
  second?.finish()
  first?.finish()
  expect(valueIn(path)).toBe(2)
  expect(startWholeFile(path)).toBeUndefined()
  expect(folderOf(path)).toEqual(['file.sqlite'])
})

test('an empty file, which a killed program of before can leave, is left to its opener', () => {
  const path = newPath()
  writeFileSync(path, '')
  expect(startWholeFile(path)).toBeUndefined()
})

test('a file that is discarded leaves nothing', () => {
  const path = newPath()
  makeWhole(path, 1)?.discard()
  expect(folderOf(path)).toEqual([])
})

test.each(['filled', 'closed', 'linked'])(
  'a process killed when the file is %s leaves all of it or no such file',
  (at) => {
    const path = newPath()
    const { signal } = spawnSync(process.execPath, [program, path, at], { encoding: 'utf8' })
    expect(signal).toBe('SIGKILL')
    const isThere = folderOf(path).includes('file.sqlite')
    expect(isThere).toBe(at === 'linked')
    if (!isThere) makeWhole(path, 7)?.finish()
    expect(valueIn(path)).toBe(7)
  },
)
