import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folder, here, run, runJson, withServer } from '../../../test/command-harness.ts'
import { ada, keyOf } from '../../../test/wallet-harness.ts'

withServer()

const at = (...names: string[]) => join(folder, ...names)
const call = (...words: string[]) => run(words, { env: here })

// An editor of another system wrote it: two line ends, a byte order mark, and none at the end.
const first = '\u{FEFF}# Notes\r\n\r\n- tea at 4\n- "quotes" \\ and \t tabs'
const second = `${first}\n- rain\n`

const write = (text: string) => {
  mkdirSync(at('notes'), { recursive: true })
  writeFileSync(at('notes', 'day.md'), text)
}

test('Markdown is saved as versions of a name, and comes back byte for byte', async () => {
  write(first)
  const one = await runJson('import', at('notes'), '--name', 'ada/notes')
  expect(one).toMatchObject({ version: 1, import: { format: 'markdown' } })
  write(second)
  const { code, out } = await call('import', at('notes'), '--name', 'ada/notes')
  expect([code, out]).toEqual([0, expect.stringMatching(/^Version +2 of ada\/notes$/m)])
  for (const [version, text] of [
    ['ada/notes@1', first],
    ['ada/notes', second],
  ] as const) {
    await runJson('export', version, at(version))
    expect(readFileSync(at(version, 'day.md'), 'utf8')).toBe(text)
  }
  const { items } = await runJson('log', 'ada/notes')
  expect(items).toHaveLength(2)
  expect((await call('diff', 'ada/notes@1', 'ada/notes@2')).out).toContain('- rain')
  expect((await call('diff', 'ada/notes@1', 'ada/notes')).out).toContain('- rain')
  const restored = await call('restore', 'ada/notes@1')
  expect(JSON.parse(restored.out).data.files['day.md']).toBe(first)
})

test('save names the command that takes Markdown', async () => {
  write(first)
  const { code, err } = await call('save', 'ada/notes', at('notes', 'day.md'))
  expect([code, err]).toEqual([
    2,
    `${at('notes', 'day.md')} is invalid: it is not JSON (line 1, column 1). heirloom import --name ada/notes takes other files.\n`,
  ])
})

test('--after saves over no version that was not seen', async () => {
  write(first)
  const words = ['import', at('notes'), '--name', 'bo', '--json'] as const
  const { tokenId } = await runJson(...words, '--after', '0')
  const moved = await call(...words, '--after', '0')
  expect([moved.code, JSON.parse(moved.err).code]).toEqual([5, 'name/moved'])
  expect(await runJson(...words, '--after', `${tokenId}`)).toMatchObject({ unchanged: true })
  write(second)
  expect((await runJson(...words, '--after', `${tokenId}`)).version).toBe(2)
})

test('--dry-run shows the name and saves nothing', async () => {
  write(first)
  const dry = await runJson('import', at('notes'), '--name', 'cleo', '--dry-run')
  expect(dry).toMatchObject({ dryRun: true, request: { body: { name: 'cleo' } } })
  expect((await call('log', 'cleo')).code).toBe(3)
})

test('a card and another recipient go along, whose own wallet goes on with the name', async () => {
  write(first)
  const words = ['import', at('notes'), '--name', 'dan', '--title', 'Notes', '--json']
  const shown = await runJson(...words, '--recipient', ada.address)
  const { token } = await runJson('lineage', `${shown.tokenId}`)
  expect(token).toMatchObject({ owner: ada.address, card: { title: 'Notes' } })
  const env = { HEIRLOOM_URL: here.HEIRLOOM_URL, HEIRLOOM_PRIVATE_KEY: keyOf(ada) }
  const own = await run([...words, '--as-wallet'], { env })
  expect([own.code, JSON.parse(own.out)]).toMatchObject([0, { version: 2 }])
  const back = ['export', 'dan', at('own'), '--as-wallet', '--json']
  expect((await run(back, { env })).code).toBe(0)
  expect(readFileSync(at('own', 'day.md'), 'utf8')).toBe(first)
})

test.each([
  [['--after', '7'], '--after needs --name'],
  [['--name', 'ada', '--parent', '7'], 'omit --parent'],
  [['--name', 'Ada'], 'in lower case'],
])('explains %j', async (words, problem) => {
  write(first)
  const { code, err } = await call('import', at('notes'), ...words)
  expect([code, err]).toEqual([2, expect.stringContaining(problem)])
})
