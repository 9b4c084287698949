import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { type Clock, instant } from '@heirloom/core'
import { describe, expect, test } from 'vitest'
import { commitKeys, withDestroyed, withMastersGone, withNewKey } from './change-keys.ts'
import { fileKeyStore } from './file-key-store.ts'
import { inspectKeys, type KeySource, type LoadedKeys, loadKeys } from './load-keys.ts'
import { localMasterKey } from './local-master-key.ts'
import type { MasterKeys } from './master-key.ts'
import { storedSealingKeys } from './stored-sealing-keys.ts'
import { temporaryFolder } from './test/temporary-folder.ts'

const [old, next, other] = [1, 2, 3].map((it) => localMasterKey(Buffer.alloc(32, it))) as never as [
  MasterKeys[0],
  MasterKeys[0],
  MasterKeys[0],
]

const requireNew = async () => undefined

/** Returns a clock that shows the moment it was last set to. */
function clockAt(text: string): Clock & { set(text: string): void } {
  let now = Date.parse(text)
  return {
    now: () => instant(now),
    set: (later) => {
      now = Date.parse(later)
    },
  }
}

const inMay = '2026-05-31T23:59:59.999Z'
const inJune = '2026-06-01T00:00:00Z'

function source(...masters: readonly MasterKeys[0][]): KeySource {
  return { store: fileKeyStore({ folder: temporaryFolder() }), masters: masters as never }
}

const open = (at: KeySource, clock: Clock = clockAt(inMay), more = {}) =>
  storedSealingKeys({ ...at, clock, requireNew, ...more })

const loadedFrom = async (at: KeySource) => (await loadKeys(at)) as LoadedKeys

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

describe('the sealing keys', () => {
  test('are one at the first start, the same ever after, and none that is not here', async () => {
    const at = source(old)
    const first = await open(at)
    const { id, key } = first.current()
    expect([id.length, key.length]).toEqual([16, 32])
    const again = await open(at)
    expect(hex(again.current().key)).toBe(hex(key))
    expect(hex(again.find(id)?.key ?? id)).toBe(hex(key))
    expect(again.find(randomBytes(16))).toBeUndefined()
  })

  test('are in no file in clear', async () => {
    const at = source(old)
    const { key } = (await open(at)).current()
    const text = readFileSync(at.store.place, 'utf8')
    expect(text).not.toContain(hex(key))
    expect(text).not.toContain(Buffer.from(key).toString('base64').slice(0, 40))
  })

  test('are made only where nothing was sealed before', async () => {
    const refused = new Error('There are blobs.')
    const refusing = { requireNew: () => Promise.reject(refused) }
    const at = source(old)
    await expect(open(at, clockAt(inMay), refusing)).rejects.toBe(refused)
    expect(await at.store.read()).toBeUndefined()
    await open(at)
    await open(at, clockAt(inMay), refusing)
  })

  test('are renewed at the first start of a month, and the earlier ones go on opening', async () => {
    const at = source(old)
    const may = (await open(at)).current()
    const ring = await open(at, clockAt(inJune))
    expect(hex(ring.current().id)).not.toBe(hex(may.id))
    expect(hex(ring.find(may.id)?.key ?? may.id)).toBe(hex(may.key))
    expect(ring.facts().map(({ state }) => state)).toEqual(['opening', 'sealing'])
  })

  test('are renewed while a server runs, as soon as the new one is on the disk', async () => {
    const [at, clock] = [source(old), clockAt(inMay)]
    const ring = await open(at, clock)
    const may = hex(ring.current().id)
    clock.set(inJune)
    expect(hex(ring.current().id)).toBe(may)
    await ring.refresh()
    const june = hex(ring.current().id)
    expect(june).not.toBe(may)
    expect((await at.store.read())?.records.map(({ id }) => id)).toEqual([may, june])
  })

  test('of a month are one, of however many servers begin it at once', async () => {
    const at = source(old)
    await open(at)
    const rings = await Promise.all(Array.from({ length: 5 }, () => open(at, clockAt(inJune))))
    expect(new Set(rings.map((ring) => hex(ring.current().id))).size).toBe(1)
    expect((await at.store.read())?.records).toHaveLength(2)
  })

  test('that others may change are not sealed under after their lease', async () => {
    const [at, clock] = [source(old), clockAt('2026-05-02T00:00:00Z')]
    const ring = await open(at, clock, { lease: 15_000 })
    clock.set('2026-05-02T00:00:15Z')
    const { id } = ring.current()
    clock.set('2026-05-02T00:00:15.001Z')
    expect(() => ring.current()).toThrow(expect.objectContaining({ code: 'keys/unavailable' }))
    expect(ring.find(id)).toBeDefined()
    await ring.refresh()
    expect(ring.current()).toEqual(ring.find(id))
  })
})

describe('a change of the master key', () => {
  test('leaves the sealing keys as they are, and the old one opens nothing of the new file', async () => {
    const at = source(old)
    const before = (await open(at)).current()
    const both = { ...at, masters: [next, old] as const }
    const loaded = await loadedFrom(both)
    await commitKeys(both, loaded, loaded.records)
    const after = (await open({ ...at, masters: [next] })).current()
    expect([hex(after.id), hex(after.key)]).toEqual([hex(before.id), hex(before.key)])
    const problem = expect.stringContaining(`(${old.id}) open none of the 1 sealing keys`)
    await expect(open(at)).rejects.toMatchObject({ code: 'keys/unusable', facts: { problem } })
    expect((await at.store.read())?.records[0]?.masters).toEqual([old.id, next.id])
  })

  test('is refused where another process changed the keys meanwhile', async () => {
    const at = source(old)
    await open(at)
    const loaded = await loadedFrom(at)
    await commitKeys(at, loaded, loaded.records)
    const text = readFileSync(at.store.place, 'utf8')
    await expect(commitKeys(at, loaded, loaded.records)).rejects.toMatchObject({
      code: 'keys/changed',
    })
    expect(readFileSync(at.store.place, 'utf8')).toBe(text)
  })
})

describe('a destroyed key', () => {
  async function withOneDestroyed() {
    const at = source(old)
    const doomed = (await open(at)).current()
    const older = readFileSync(at.store.place, 'utf8')
    const loaded = await loadedFrom(at)
    const records = withDestroyed(loaded.records, [hex(doomed.id)], { now: 1 })
    await commitKeys(at, loaded, records)
    return { at, doomed, older }
  }

  test('is gone from the file, leaves a tombstone, and another one seals', async () => {
    const { at, doomed } = await withOneDestroyed()
    const ring = await open(at)
    expect(ring.find(doomed.id)).toBeUndefined()
    expect(hex(ring.current().id)).not.toBe(hex(doomed.id))
    const tombstone = ring.facts().find(({ id }) => id === hex(doomed.id))
    expect(tombstone).toMatchObject({ state: 'destroyed', masters: [old.id], destroyedAt: 1 })
    const [record] = (await loadedFrom(at)).records
    expect(hex(record?.key ?? doomed.key)).toBe('00'.repeat(32))
  })

  test('is refused when an older key file brings it back', async () => {
    const { at, doomed, older } = await withOneDestroyed()
    writeFileSync(at.store.place, older)
    const ring = await open(at)
    expect(ring.find(doomed.id)).toBeUndefined()
    expect(hex(ring.current().id)).not.toBe(hex(doomed.id))
    expect((await at.store.read())?.records.map(({ state }) => state)).toEqual([
      'destroyed',
      'sealing',
    ])
  })

  test('is known from a file that came back without the list of destroyed ones', async () => {
    const { at, doomed } = await withOneDestroyed()
    const list = at.store.place.replace('sealing', 'destroyed')
    writeFileSync(list, '')
    await open(at)
    expect(readFileSync(list, 'utf8')).toBe(`${hex(doomed.id)}\n`)
  })

  test('keeps the names of the master keys that wrapped it, whatever wraps its tombstone', async () => {
    const { at, doomed } = await withOneDestroyed()
    const both = { ...at, masters: [next, old] as const }
    const loaded = await loadedFrom(both)
    const records = withMastersGone(loaded.records, [hex(doomed.id)])
    await commitKeys(both, loaded, records)
    const [tombstone] = (await loadedFrom({ ...at, masters: [next] })).records
    expect(tombstone?.facts).toMatchObject({
      master: next.id,
      masters: [old.id],
      mastersGone: true,
    })
  })

  test('may be one whose record was lost', async () => {
    const at = source(old)
    await open(at)
    const loaded = await loadedFrom(at)
    await commitKeys(at, loaded, withDestroyed(loaded.records, ['ee'.repeat(16)], { now: 1 }))
    const states = (await loadedFrom(at)).records.map(({ facts }) => facts.state)
    expect(states).toEqual(['sealing', 'destroyed'])
  })
})

describe('records that do not belong together are found', () => {
  type Document = { epoch: number; records: Record<string, unknown>[] }

  /** Commits three keys, and changes the file behind the store's back. */
  async function tampered(change: (document: Document, older: Document) => void) {
    const at = source(old)
    await open(at)
    const loaded = await loadedFrom(at)
    const older = JSON.parse(readFileSync(at.store.place, 'utf8'))
    const twice = withNewKey(withNewKey(loaded.records, { now: 1 }), { now: 2 })
    await commitKeys(at, loaded, twice)
    const document = JSON.parse(readFileSync(at.store.place, 'utf8'))
    change(document, older)
    writeFileSync(at.store.place, JSON.stringify(document))
    return at
  }

  const changes: readonly [string, Parameters<typeof tampered>[0]][] = [
    ['a key under the id of another', ({ records: [one, two] }) => swap(one, two, 'wrapped')],
    ['a key of another tenant', ({ records: [one] }) => Object.assign(one ?? {}, { tenant: 'b' })],
    [
      'a key whose state was changed',
      ({ records: [one] }) => Object.assign(one ?? {}, { state: 'sealing' }),
    ],
    ['a key made younger', ({ records: [one] }) => Object.assign(one ?? {}, { createdAt: 7e12 })],
    [
      'a record of an earlier epoch',
      (document, older) => document.records.splice(0, 1, ...older.records),
    ],
    [
      'a record of an earlier epoch in new clothes',
      ({ records: [one] }, older) =>
        Object.assign(one ?? {}, { wrapped: older.records[0]?.wrapped }),
    ],
    ['another epoch for all', (document) => Object.assign(document, { epoch: 9 })],
  ]

  const swap = (one = {}, two = {}, name = '') => {
    const [a, b] = [one, two] as Record<string, unknown>[]
    if (a && b) [a[name], b[name]] = [b[name], a[name]]
  }

  test.each(changes)('%s', async (_, change) => {
    const at = await tampered(change)
    const problem = expect.stringMatching(/were altered or come from another file/)
    await expect(open(at)).rejects.toMatchObject({ code: 'keys/unusable', facts: { problem } })
  })

  test('a file of which the master keys open only some', async () => {
    const at = await tampered(() => undefined)
    const foreign = source(other)
    await open(foreign)
    const document = await at.store.read()
    const [stranger] = (await foreign.store.read())?.records ?? []
    const records = [...(document?.records ?? []), { ...stranger, epoch: 2 }]
    writeFileSync(
      at.store.place,
      JSON.stringify({ ...JSON.parse(readFileSync(at.store.place, 'utf8')), records }),
    )
    const problem = expect.stringContaining(
      `(${old.id}) open 3 of the 4 sealing keys in ${at.store.place}; the others are wrapped by ${other.id}`,
    )
    await expect(open(at)).rejects.toMatchObject({ code: 'keys/unusable', facts: { problem } })
    const seen = await inspectKeys(at)
    expect(seen?.records.map(({ opened }) => typeof opened)).toEqual([
      ...['object', 'object', 'object', 'string'],
    ])
  })
})
