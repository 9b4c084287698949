import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { commitKeys, type Records, withNewKey } from './change-keys.ts'
import { fileKeyStore } from './file-key-store.ts'
import { type KeySource, loadKeys } from './load-keys.ts'
import { localMasterKey, type MasterKey, type MasterKeys } from './local-master-key.ts'
import { temporaryFolder } from './test/temporary-folder.ts'

const program = fileURLToPath(new URL('test/killed-key-change.ts', import.meta.url))
const [old, next] = [1, 2].map((it) => localMasterKey(Buffer.alloc(32, it))) as [
  MasterKey,
  MasterKey,
]

/** Creates a folder with three keys, and returns both. */
async function folderWithThreeKeys() {
  const folder = temporaryFolder()
  const source = { store: fileKeyStore({ folder }), masters: [old] as const }
  const records = [1, 2, 3].reduce<Records>((all, now) => withNewKey(all, { now }), [])
  return { folder, source, keys: keysOf(await commitKeys(source, undefined, records)) }
}

type Loaded = NonNullable<Awaited<ReturnType<typeof loadKeys>>>

const keysOf = ({ records }: Loaded) =>
  records.map(({ facts, key }) => [facts.id, Buffer.from(key).toString('hex')])

const openWith = async (source: KeySource, masters: MasterKeys) =>
  loadKeys({ ...source, masters }).then(
    (loaded) => loaded && keysOf(loaded),
    () => 'refused',
  )

function run(folder: string, act: 'rotate' | 'destroy', at: number) {
  const { signal, stdout, stderr } = spawnSync(process.execPath, [program, folder, act, `${at}`])
  expect(`${stderr}`).toBe('')
  return { signal, isDone: `${stdout}` === 'done' }
}

/** The moments of a kill: before each step, in the middle of the write, and after the last step. */
const moments = (steps: number) => [0.5, ...Array.from({ length: steps + 1 }, (_, at) => at)]

describe('a rotation of the master key that is killed', () => {
  test.each(moments(4))('at step %d leaves the keys under one master key', async (at) => {
    const { folder, source, keys } = await folderWithThreeKeys()
    const { signal, isDone } = run(folder, 'rotate', at)
    expect([signal, isDone]).toEqual(at === 4 ? [null, true] : ['SIGKILL', false])
    expect(await openWith(source, [next, old])).toEqual(keys)
    const alone = await Promise.all([openWith(source, [old]), openWith(source, [next])])
    expect(alone).toEqual(at < 3 ? [keys, 'refused'] : ['refused', keys])
    expect(run(folder, 'rotate', 99).isDone).toBe(true)
    expect(await openWith(source, [next])).toEqual(keys)
  })
})

describe('a destruction that is killed', () => {
  test.each(moments(8))(
    'at step %d leaves the key intact or destroyed, permanently',
    async (at) => {
      const { folder, source, keys } = await folderWithThreeKeys()
      const before = readFileSync(source.store.place, 'utf8')
      const { isDone } = run(folder, 'destroy', at)
      expect(isDone).toBe(at === 8)
      const gone = [[keys[0]?.[0], '00'.repeat(32)], ...keys.slice(1)]
      expect(await openWith(source, [old])).toEqual(at < 3 ? keys : gone)
      if (at < 3) expect(readFileSync(source.store.place, 'utf8')).toBe(before)
      expect(run(folder, 'destroy', 99).isDone).toBe(true)
      expect(await openWith(source, [old])).toEqual(gone)
    },
  )
})
