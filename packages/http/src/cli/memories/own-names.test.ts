import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { folder, here, run, withServer } from '../../../test/command-harness.ts'
import { ada, ben, keyOf } from '../../../test/wallet-harness.ts'

withServer()

const [adasKey, bensKey] = [keyOf(ada), keyOf(ben)]
const file = (name: string) => join(folder, name)

const as = (key: string, ...words: readonly string[]) =>
  run([...words, '--as-wallet'], {
    env: { HEIRLOOM_URL: here.HEIRLOOM_URL, HEIRLOOM_PRIVATE_KEY: key },
  })
const succeed = async (key: string, ...words: readonly string[]) => {
  const { code, out, err } = await as(key, ...words)
  expect(code, err).toBe(0)
  return out
}

beforeAll(async () => {
  for (const mood of ['calm', 'glad']) {
    writeFileSync(file('m.json'), JSON.stringify({ mood, notes: ['tea'] }))
    await succeed(adasKey, 'save', 'diary', file('m.json'), '--category', 'x')
  }
  // The server has a name of the same text, whose versions are others.
  const words = ['save', 'diary', file('m.json'), '--category', 'of-the-server']
  expect((await run(words, { env: here })).code).toBe(0)
})

test('diff, merge, outline, part and search-in read the names of your own wallet', async () => {
  expect(await succeed(adasKey, 'diff', 'diary@1', 'diary')).toBe(
    '- /data/mood  "calm"\n+ /data/mood  "glad"\n',
  )
  expect(await succeed(adasKey, 'part', 'diary@1', '/data/mood')).toBe('"calm"')
  expect(await succeed(adasKey, 'part', 'diary', '/data/mood')).toBe('"glad"')
  expect(await succeed(adasKey, 'outline', 'diary')).toContain('/mood  string')
  expect(await succeed(adasKey, 'search-in', 'diary', 'TEA')).toContain('/data/notes/0')
  const ours = file('ours.json')
  const ourText = '{"data":{"mood":"calm","notes":["tea","rain"]},"metadata":{"category":"x"}}'
  writeFileSync(ours, ourText)
  const merged = await succeed(adasKey, 'merge', ours, 'diary', '--base', 'diary@1')
  expect(JSON.parse(merged).data).toEqual({ mood: 'glad', notes: ['tea', 'rain'] })
})

test('names are those of your wallet without --as-wallet too, and the help says so', async () => {
  const env = { HEIRLOOM_URL: here.HEIRLOOM_URL, HEIRLOOM_PRIVATE_KEY: adasKey }
  const { out } = await run(['log', 'diary', '--json'], { env })
  expect(out).toBe(await succeed(adasKey, 'log', 'diary', '--json'))
  for (const command of ['names', 'log', 'openings']) {
    const { out: help } = await run([command, '--help'])
    expect(help.replace(/\s+/g, ' ')).toContain('Names are those of your wallet without it, too.')
  }
})

test('openings of a name are those of its last version, and say where others are', async () => {
  expect(await succeed(adasKey, 'openings', 'diary')).toContain('heirloom openings diary@1 shows')
  for (const one of ['diary@1', 'diary@2']) {
    expect(await succeed(adasKey, 'openings', one)).not.toContain('openings diary@1')
  }
})

test('recall tells a wallet without memories that it has none', async () => {
  const env = { HEIRLOOM_URL: here.HEIRLOOM_URL, HEIRLOOM_PRIVATE_KEY: bensKey }
  const { out } = await run(['recall', 'Which mood?'], { env })
  expect(out).toBe('You own and rent no memory here.\n')
})

test('no other wallet reads them', async () => {
  for (const words of [
    ['diff', 'diary@1', 'diary'],
    ['outline', 'diary'],
    ['names', 'rename', 'diary', 'mine'],
    ['names', 'forget', 'diary', '--yes'],
  ]) {
    const { code, err } = await as(bensKey, ...words)
    expect([code, err], words.join(' ')).toEqual([3, expect.stringContaining('names --as-wallet')])
  }
})

test('merge --to replaces a file with --force only', async () => {
  const words = ['merge', 'diary', 'diary', '--base', 'diary@1', '--to', file('kept.json')]
  writeFileSync(file('kept.json'), 'kept')
  const refused = await as(adasKey, ...words)
  expect([refused.code, refused.err]).toEqual([
    2,
    `${file('kept.json')} exists. Choose another name, or pass --force to replace it.\n`,
  ])
  expect(readFileSync(file('kept.json'), 'utf8')).toBe('kept')
  expect(existsSync(file('kept.json.conflicts'))).toBe(false)
  await succeed(adasKey, ...words, '--force')
  expect(JSON.parse(readFileSync(file('kept.json'), 'utf8')).data.mood).toBe('glad')
})

test('what verifies by a node takes names without a wallet of its own', async () => {
  const { registry } = (await (await fetch(`${here.HEIRLOOM_URL}/api/deployment`)).json()) as {
    readonly registry: string
  }
  const proof = ['--rpc-url', `${here.HEIRLOOM_URL}/rpc`, '--registry', registry]
  const env = { ...here, HEIRLOOM_PRIVATE_KEY: undefined }
  const { code, out, err } = await run(['restore', 'diary', ...proof], { env })
  expect([code, err, JSON.parse(out).metadata.category]).toEqual([0, '', 'of-the-server'])
})

test('renames and forgets names of your own wallet, and of nobody else', async () => {
  await succeed(adasKey, 'names', 'rename', 'diary', 'work/diary')
  expect(await succeed(adasKey, 'names')).toMatch(/^work\/diary {2}version 2, token /)
  await succeed(adasKey, 'names', 'forget', 'work/diary', '--yes')
  expect((await as(adasKey, 'names')).out).toBe('')
  expect((await run(['names'], { env: here })).out).toMatch(/^diary {2}version 1, token /)
})
