import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folder, here, run, runJson, withServer } from '../../../test/command-harness.ts'
import { ada, keyOf } from '../../../test/wallet-harness.ts'

withServer()

const call = (...words: string[]) => run(words, { env: here })

async function save(name: string, mood: string, ...more: string[]): Promise<string> {
  const file = join(folder, 'memory.json')
  writeFileSync(file, JSON.stringify({ data: { mood }, metadata: { category: 'research' } }))
  return `${(await runJson('save', name, file, ...more)).tokenId}`
}

const namesOf = async () => {
  const { items } = await runJson('names')
  return (items as readonly { readonly name: string }[]).map(({ name }) => name)
}

test('renames a name with its versions, but to none that has some', async () => {
  await save('ada', 'calm')
  const last = await save('ada', 'glad')
  await save('bo', 'sad')
  const { code, out } = await call('names', 'rename', 'ada', 'work/ada')
  expect([code, out]).toEqual([
    0,
    `Renamed   ada to work/ada\nVersions  2; the last one is token ${last}\n`,
  ])
  expect(await namesOf()).toEqual(['bo', 'work/ada'])
  const taken = await call('names', 'rename', 'work/ada', 'bo')
  expect([taken.code, taken.err]).toEqual([5, expect.stringContaining('bo')])
  const missing = await call('names', 'rename', 'ada', 'cleo')
  expect([missing.code, missing.err]).toEqual([
    3,
    'There is no version under the name ada; heirloom names lists your names.\n',
  ])
  expect((await runJson('names', 'rename', 'bo', 'cleo')).name).toBe('cleo')
})

test('a save of unchanged bytes names the version that has them', async () => {
  const first = await save('eve', 'calm')
  const file = join(folder, 'memory.json')
  const { code, out } = await call('save', 'eve', file)
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/^Version +1 of eve, as it was: it has the same bytes\nToken /),
  ])
  expect(await runJson('save', 'eve', file)).toMatchObject({ tokenId: first, unchanged: true })
})

test('forgets a name when told so, and says what stays', async () => {
  await save('dan', 'calm')
  const last = await save('dan', 'glad')
  const unasked = await call('names', 'forget', 'dan')
  expect([unasked.code, unasked.err]).toEqual([
    2,
    'Forgetting dan also removes the list of its 2 versions and ends its grants: pass --yes to forget it.\n',
  ])
  expect((await call('names', 'forget', 'dan', '--json')).code).toBe(2)
  expect(await namesOf()).toContain('dan')
  const { code, out } = await call('names', 'forget', 'dan', '--yes')
  expect([code, out]).toEqual([
    0,
    `Forgotten  dan, with the list of its 2 versions\nStay       all tokens and memories; the last one is token ${last}\n`,
  ])
  expect(await namesOf()).not.toContain('dan')
  expect((await call('download', last)).out).toContain('"glad"')
  expect((await call('names', 'forget', 'dan', '--yes')).code).toBe(3)
})

test.each([
  [['rename', 'ada'], 'names rename needs NAME and TO'],
  [['forget'], 'names forget needs NAME'],
  [['forget', 'ada', 'bo'], 'names forget needs NAME'],
  [['recover', 'ada'], 'names recover takes nothing behind it'],
  [['rename', 'ada', 'bo', '--yes'], 'names rename takes no --yes'],
  [['forget', 'ada', '--dry-run'], 'names forget takes no --dry-run'],
  [['recover', '--as-wallet'], 'names recover takes no --as-wallet'],
  [['--dry-run'], 'names without an action takes no --dry-run'],
  [['forgte', 'ada'], 'ACTION of names must be rename, forget or recover'],
])('explains names %j', async (words, problem) => {
  const { code, err } = await call('names', ...words)
  expect([code, err]).toEqual([2, expect.stringContaining(problem)])
})

describe('a save without a wallet', () => {
  const memory = JSON.stringify({ data: { mood: 'calm' }, metadata: { category: 'research' } })
  const elsewhere = () => ({ HEIRLOOM_URL: here.HEIRLOOM_URL, DATA_DIR: join(folder, 'nowhere') })
  const lines = () => {
    const file = join(folder, 'm.json')
    writeFileSync(file, memory)
    return [
      ['save', 'nobody', file],
      ['import', file, '--name', 'nobody'],
      ['import', file, '--name', 'nobody', '--dry-run'],
    ]
  }

  test('is refused, since nobody could read it', async () => {
    for (const words of lines()) {
      const { code, err } = await run(words, { env: elsewhere() })
      expect([code, err]).toEqual([4, expect.stringContaining('Nothing was saved')])
      expect(err).toContain('--recipient server')
    }
    expect(await namesOf()).not.toContain('nobody')
  })

  test('needs the owner, who is then the only one that opens it', async () => {
    for (const words of lines().slice(0, 2)) {
      const { code, err } = await run([...words, '--recipient', 'server'], { env: elsewhere() })
      expect([code, err]).toEqual([0, ''])
    }
    expect((await call('restore', 'nobody')).out).toContain('"calm"')
    const words = ['save', 'of-ada', '-', '--recipient', ada.address]
    expect((await run(words, { env: elsewhere(), input: memory })).code).toBe(0)
    expect((await call('restore', 'of-ada')).code).toBe(3)
    const { HEIRLOOM_URL } = here
    const adas = { HEIRLOOM_URL, HEIRLOOM_PRIVATE_KEY: keyOf(ada) }
    expect((await run(['restore', 'of-ada'], { env: adas })).out).toContain('"calm"')
    const own = await run(['save', 'adas', '-'], { env: adas, input: memory })
    expect(own.code).toBe(0)
    expect((await run(['restore', 'adas'], { env: adas })).out).toContain('"calm"')
  })
})
