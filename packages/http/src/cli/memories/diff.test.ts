import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folder, here, mintToken, run, withServer } from '../../../test/command-harness.ts'

withServer()

const file = (name: string) => join(folder, name)
const call = (...words: string[]) => run(words, { env: here })

test('shows what differs, in colours on a terminal, and as a JSON Patch', async () => {
  const text = 'one\ntwo\nthree\nfour\nfive\nsix\n'
  const before = await mintToken({ mood: 'calm', n: [{ id: 1 }], text })
  const after = await mintToken({
    mood: 'glad',
    n: [{ id: 2 }, { id: 1 }],
    text: `${text}\u{9B}31m`,
  })
  const { code, out, err } = await call('diff', before, after)
  expect([code, err]).toEqual([0, '1 added, 2 changed\n'])
  expect(out).toBe(
    [
      '- /data/mood  "calm"',
      '+ /data/mood  "glad"',
      '+ /data/n/0  {"id":2}',
      '~ /data/text',
      '    line 4',
      '    four',
      '    five',
      '    six',
      '+   \\u009b31m',
      '',
    ].join('\n'),
  )
  const coloured = await run(['diff', before, after], { env: here, isTTY: true })
  expect(coloured.out).toContain('\u{1B}[31m- /data/mood  "calm"\u{1B}[39m\n')
  const patch = (await call('diff', before, after, '--json')).out
  expect(JSON.parse(patch)[0]).toEqual({ op: 'replace', path: '/data/mood', value: 'glad' })
  expect(await call('diff', before, before)).toEqual({
    code: 0,
    out: '',
    err: 'Both are the same, byte for byte.\n',
  })
})

test('compares with a file, whose numbers are exact', async () => {
  const id = await mintToken({ n: 1 })
  writeFileSync(file('a.json'), '{"data":{"n":1.0},"metadata":{"category":"research"}}')
  expect((await call('diff', id, file('a.json'))).out).toBe('- /data/n  1\n+ /data/n  1.0\n')
  writeFileSync(file('a.json'), 'no')
  expect(await call('diff', id, file('a.json'))).toMatchObject({
    code: 2,
    err: `${file('a.json')} is invalid: it is not JSON (line 1, column 2).\n`,
  })
})

test('compares versions of a name', async () => {
  const save = async (mood: string) => {
    const text = JSON.stringify({ data: { mood }, metadata: { category: 'research' } })
    writeFileSync(file('ada.json'), text)
    expect(await call('save', 'ada/v1.2', file('ada.json'))).toMatchObject({ code: 0 })
  }
  for (const mood of ['calm', 'glad', 'sad']) await save(mood)
  const changed = '- /data/mood  "glad"\n+ /data/mood  "sad"\n'
  expect(await call('diff', 'ada/v1.2@2', 'ada/v1.2@3')).toMatchObject({ out: changed })
  await save('glad')
  const [unknown, missing] = [await call('diff', 'eve', '1'), await call('diff', 'ada/v1.2@9', '1')]
  expect(unknown).toMatchObject({ code: 3, err: expect.stringContaining('eve') })
  const err = 'The name ada/v1.2 has no version 9; heirloom log ada/v1.2 lists its versions.\n'
  expect(missing).toMatchObject({ code: 3, err })
  expect(await call('restore', 'ada/v1.2@9')).toMatchObject({ code: 3, err })
  expect(await call('restore', 'ada/v1.2@2')).toMatchObject({
    code: 0,
    out: '{"data":{"mood":"glad"},"metadata":{"category":"research"}}',
  })
})

test('merges two versions, and writes conflicts that a person can decide', async () => {
  const base = await mintToken({ mood: 'calm', n: [0], log: [1] })
  const ours = await mintToken({ mood: 'glad', n: [1], log: [1, 2] }, '--parent', base)
  const theirs = await mintToken({ mood: 'sad', n: [1], log: [1, 3], more: 1 }, '--parent', base)
  const words = ['merge', ours, theirs, '--to', file('m.json')]
  const refused = await call(...words)
  expect(refused.code).toBe(1)
  expect(refused.out).toContain('2 conflicts without a decision:\n  /data/mood (value)\n')
  expect(existsSync(file('m.json'))).toBe(false)
  expect((await call(...words)).err).toContain('is there already. Pass it with --decisions')
  const conflicts = readFileSync(file('m.json.conflicts'), 'utf8')
  writeFileSync(
    file('m.json.conflicts'),
    conflicts
      .replace('"take": null', '"value": 9007199254740993')
      .replace('"take": null', '"take": "both"'),
  )
  expect((await call(...words, '--decisions', file('m.json.conflicts'))).code).toBe(0)
  expect(readFileSync(file('m.json'), 'utf8')).toBe(
    '{"data":{"mood":9007199254740993,"n":[1],"log":[1,2,3],"more":1},"metadata":{"category":"research"}}',
  )
  writeFileSync(file('m.json.conflicts'), conflicts.replace('"take": null', '"take": "both"'))
  expect(await call(...words, '--decisions', file('m.json.conflicts'))).toMatchObject({ code: 2 })
})
