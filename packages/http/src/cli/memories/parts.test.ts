import { expect, test } from 'vitest'
import { here, run, withServer } from '../../../test/command-harness.ts'
import { createClient } from '../../client/client.ts'

withServer()

const data =
  '{"notes":[{"n":18446744073709551615},"The \\u009b31m Tide turns"],"long":[1,2,3],"a b":{}}'

async function snapshot(): Promise<string> {
  const words = ['snapshot', '-', '--category', 'x', '--json']
  const { code, out, err } = await run(words, { env: here, input: data })
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(out).tokenId
}

test('a memory is outlined, searched and read in part', async () => {
  const id = await snapshot()
  const outlined = await run(['outline', id, '--width', '2'], { env: here })
  expect(outlined.out.split('\n')).toEqual([
    '(all)  object of 2, 126 bytes',
    '  /data  object of 3, 89 bytes',
    '    /notes  array of 2, 55 bytes',
    '    /long  array of 3, 7 bytes',
    '    … go on with --at /data --from 2',
    '  /metadata  object of 1, 16 bytes',
    '    /category  string, 3 bytes',
    '',
  ])
  const below = await run(['outline', id, '--at', '/data', '--from', '2'], { env: here })
  expect(below.out).toContain('/a b  object of 0, 2 bytes')
  const exact = await run(['part', id, '/data/notes/0/n'], { env: here })
  expect(exact).toEqual({ code: 0, out: '18446744073709551615', err: '' })
  const json = await run(['part', id, '/data/notes/0', '--json'], { env: here })
  expect(json.out).toContain('"value":{"n":18446744073709551615}}')
  const last = await run(['part', id, '$.data.notes[0].n'], { env: here })
  expect(last).toEqual({ code: 0, out: '/data/notes/0/n  18446744073709551615\n', err: '' })
  const first = await run(['part', id, '$.data.long[1:]', '--limit', '1'], { env: here })
  expect(first.out).toBe('/data/long/1  2\n\nThere may be more: --after 2~0\n')
  const none = await run(['part', id, '$.data.none[*]'], { env: here })
  expect([none.code, none.out]).toEqual([0, 'Nothing selected.\n'])
  const found = await run(['search-in', id, 'TIDE'], { env: here, isTTY: true })
  expect(found.out).toContain('/data/notes/1')
  expect(found.out).toContain('Tide')
  expect(found.out).not.toContain('\u009b')
  expect((await run(['search-in', id, 'nowhere'], { env: here })).out).toBe('Nothing found.\n')
})

test('a wrong number and an unknown pointer are refused with what to do', async () => {
  const id = await snapshot()
  const wrong = await run(['outline', id, '--depth', 'deep'], { env: here })
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('--depth must be')])
  for (const [line, problem] of [
    [['outline', id, '--depth', '9'], '--depth must be a whole number, from 0 to 8; it is 9.'],
    [['outline', id, '--width', '0'], '--width must be a whole number, from 1 to 100; it is 0.'],
    [['search-in', id, ''], 'TEXT must have 1 to 4000 characters; it has 0.'],
    [
      ['part', id, '$.data', '--limit', '101'],
      '--limit must be a whole number, from 1 to 100; it is 101.',
    ],
  ] as const) {
    const { code, err } = await run([...line], { env: here })
    expect([code, err]).toEqual([2, expect.stringContaining(problem)])
  }
  const page = await run(['part', id, '/data', '--limit', '1'], { env: here })
  expect([page.code, page.err]).toEqual([2, expect.stringContaining('begins with $')])
  const missing = await run(['part', id, '/data/x'], { env: here })
  expect([missing.code, missing.err]).toEqual([3, expect.stringContaining('the outline')])
})

test('a private name stands for the token of its last version, or of a numbered one', async () => {
  expect((await run(['names'], { env: here })).err).toContain('heirloom save NAME FILE')
  const save = ['save', 'ada', '-', '--category', 'x']
  for (const note of ['calm', 'glad']) {
    expect((await run(save, { env: here, input: `{"note":"${note}"}` })).code).toBe(0)
  }
  expect((await run(['part', 'ada', '/data/note'], { env: here })).out).toBe('"glad"')
  expect((await run(['part', 'ada@1', '/data/note'], { env: here })).out).toBe('"calm"')
  const asOf = (day: string) => run(['part', `ada@${day}`, '/data/note'], { env: here })
  expect((await asOf('9999-12-31')).out).toBe(
    (await run(['part', 'ada', '/data/note'], { env: here })).out,
  )
  const before = await asOf('2001-01-01')
  expect([before.code, before.err]).toEqual([
    3,
    'The name ada has no version of 2001-01-01 or before; heirloom log ada lists its versions.\n',
  ])
  expect((await run(['outline', 'ada'], { env: here })).out).toContain('/note')
  expect((await run(['search-in', 'ada', 'glad'], { env: here })).out).toContain('/data/note')
  const unknown = await run(['outline', 'eve'], { env: here })
  expect([unknown.code, unknown.err]).toEqual([3, expect.stringContaining('heirloom names lists')])
})

test('an erased memory under a name is refused with the way out, and the next save goes on', async () => {
  const save = ['save', 'eve', '-', '--category', 'x', '--json']
  const saved = await run(save, { env: here, input: '{"note":"secret"}' })
  const { tokenId } = JSON.parse(saved.out)
  const erase = ['erase', tokenId, '--as-agent', '--yes']
  expect((await run(erase, { env: here })).code).toBe(0)
  const refused = await run(['restore', 'eve'], { env: here })
  expect([refused.code, refused.err]).toEqual([3, expect.stringContaining('heirloom log')])
  const eve = createClient({ url: here.HEIRLOOM_URL }).memory('eve')
  await expect(eve.latest()).rejects.toThrow()
  const metadata = { category: 'x' }
  expect(await eve.save({ data: {}, metadata, recipient: 'server' })).toMatchObject({ version: 2 })
  await expect(eve.at(9)).rejects.toMatchObject({
    code: 'client/no-version',
    facts: { name: 'eve', version: 9 },
  })
})

test('a place that is no pointer is refused before anything is sent', async () => {
  const { code, err } = await run(['part', '7', 'data'], {
    env: { HEIRLOOM_URL: 'http://127.0.0.1:1' },
  })
  expect([code, err]).toEqual([
    2,
    expect.stringContaining('for a path; it is data. heirloom outline'),
  ])
})
