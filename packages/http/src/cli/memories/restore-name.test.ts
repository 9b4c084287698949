import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { run } from '../../../test/command-harness.ts'
import { isName } from './restore-name.ts'

const given = (FROM: string, TO?: string, options = {}) => isName({ words: { FROM, TO }, options })

test('what is restored is a name unless it is a path, a folder or a bucket', () => {
  for (const from of [
    'ada',
    'ada@3',
    'ada@2026-10-01',
    'ada@2026-10-01T12:00:00Z',
    'ada/trading',
    'package.json',
  ]) {
    expect(given(from), from).toBe(true)
  }
  for (const from of ['./ada', '/tmp/ada', '~/ada', 's3://bucket/ada']) {
    expect(given(from), from).toBe(false)
  }
})

test('a folder of the same name is a backup if it has one, and not for what only names have', () => {
  const home = mkdtempSync(join(tmpdir(), 'restore-name-'))
  const before = process.cwd()
  onTestFinished(() => {
    process.chdir(before)
    rmSync(home, { recursive: true })
  })
  process.chdir(home)
  mkdirSync('ada')
  expect(given('ada')).toBe(true)
  for (const option of [
    { into: 'copy' },
    { verify: true },
    { trial: true },
    { 'as-writer': true },
  ]) {
    expect(given('ada', undefined, option)).toBe(false)
  }
  writeFileSync('ada/manifest.json', '{}')
  expect(given('ada')).toBe(false)
  expect(given('ada', 'out.json')).toBe(true)
  expect(given('ada', undefined, { version: '1' })).toBe(true)
  expect(given('ada', undefined, { 'as-wallet': true })).toBe(true)
})

test('a backup with a second word is refused with the line that restores it', async () => {
  const home = mkdtempSync(join(tmpdir(), 'restore-name-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  const backup = join(home, 'bk')
  mkdirSync(backup)
  writeFileSync(join(backup, 'manifest.json'), '{}')
  const target = join(home, 'bk2')
  const env = { HEIRLOOM_URL: 'http://127.0.0.1:9' }
  const { code, out, err } = await run(['restore', backup, target], { env })
  expect([code, out, err]).toEqual([
    ...[2, ''],
    `${backup} is a backup; restore it with heirloom restore ${backup} --into ${target}\n`,
  ])
  const before = process.cwd()
  process.chdir(home)
  onTestFinished(() => process.chdir(before))
  expect((await run(['restore', 'bk', 'bk2'], { env })).err).toBe(
    'bk is a backup; restore it with heirloom restore bk --into bk2\n',
  )
})
