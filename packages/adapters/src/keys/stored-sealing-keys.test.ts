import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { type Clock, instant } from '@heirloom/core'
import { describe, expect, test } from 'vitest'
import { commitKeys, withDestroyed, withMastersGone, withNewKey } from './change-keys.ts'
import { fileKeyStore } from './file-key-store.ts'
import { inspectKeys, type KeySource, type LoadedKeys, loadKeys } from './load-keys.ts'
import { localMasterKey, type MasterKeys } from './local-master-key.ts'
import { storedSealingKeys } from './stored-sealing-keys.ts'
import { temporaryFolder } from './test/temporary-folder.ts'

const [old, next, other] = [1, 2, 3].map((it) => localMasterKey(Buffer.alloc(32, it))) as never as [
  MasterKeys[0],
  MasterKeys[0],
  MasterKeys[0],
]

const requireNew = async () => undefined

/** Returns a clock that a test sets. */
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

function newSource(...masters: readonly MasterKeys[0][]): KeySource {
  return { store: fileKeyStore({ folder: temporaryFolder() }), masters: masters as never }
}

const open = (source: KeySource, clock: Clock = clockAt(inMay), more = {}) =>
  storedSealingKeys({ ...source, clock, requireNew, ...more })

const loadFrom = async (source: KeySource) => (await loadKeys(source)) as LoadedKeys

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

describe('the sealing keys', () => {
  test('are the same key at every start, and do not include an unknown id', async () => {
    const source = newSource(old)
    const first = await open(source)
    const { id, key } = first.current()
    expect([id.length, key.length]).toEqual([16, 32])
    const again = await open(source)
    expect(hex(again.current().key)).toBe(hex(key))
    expect(hex(again.find(id)?.key ?? id)).toBe(hex(key))
    expect(again.find(randomBytes(16))).toBeUndefined()
  })

  test('are never written in clear', async () => {
    const source = newSource(old)
    const { key } = (await open(source)).current()
    const text = readFileSync(source.store.place, 'utf8')
    expect(text).not.toContain(hex(key))
    expect(text).not.toContain(Buffer.from(key).toString('base64').slice(0, 40))
  })

  test('are made only when nothing was sealed before', async () => {
    const error = new Error('There are blobs.')
    const withBlobs = { requireNew: () => Promise.reject(error) }
    const source = newSource(old)
    await expect(open(source, clockAt(inMay), withBlobs)).rejects.toBe(error)
    expect(await source.store.read()).toBeUndefined()
    await open(source)
    await open(source, clockAt(inMay), withBlobs)
  })

  test('are renewed at the first start in a month, and earlier keys can still open', async () => {
    const source = newSource(old)
    const may = (await open(source)).current()
    const ring = await open(source, clockAt(inJune))
    expect(hex(ring.current().id)).not.toBe(hex(may.id))
    expect(hex(ring.find(may.id)?.key ?? may.id)).toBe(hex(may.key))
    expect(ring.facts().map(({ state }) => state)).toEqual(['opening', 'sealing'])
  })

  test('are renewed while a server runs, once the new key is on the disk', async () => {
    const [source, clock] = [newSource(old), clockAt(inMay)]
    const ring = await open(source, clock)
    const may = hex(ring.current().id)
    clock.set(inJune)
    expect(hex(ring.current().id)).toBe(may)
    await ring.refresh()
    const june = hex(ring.current().id)
    expect(june).not.toBe(may)
    expect((await source.store.read())?.records.map(({ id }) => id)).toEqual([may, june])
  })

  test('are one per month, however many servers start at once', async () => {
    const source = newSource(old)
    await open(source)
    const rings = await Promise.all(Array.from({ length: 5 }, () => open(source, clockAt(inJune))))
    expect(new Set(rings.map((ring) => hex(ring.current().id))).size).toBe(1)
    expect((await source.store.read())?.records).toHaveLength(2)
  })

  test('cannot seal after their lease, when other servers can change them', async () => {
    const [source, clock] = [newSource(old), clockAt('2026-05-02T00:00:00Z')]
    const ring = await open(source, clock, { lease: 15_000 })
    clock.set('2026-05-02T00:00:15Z')
    const { id } = ring.current()
    clock.set('2026-05-02T00:00:15.001Z')
    expect(() => ring.current()).toThrow(expect.objectContaining({ code: 'keys/unavailable' }))
    expect(ring.find(id)).toBeDefined()
    await ring.refresh()
    expect(ring.current()).toEqual(ring.find(id))
  })
})

describe('a rotation of the master key', () => {
  test('leaves the sealing keys unchanged, and the old master key opens none of them', async () => {
    const source = newSource(old)
    const before = (await open(source)).current()
    const both = { ...source, masters: [next, old] as const }
    const loaded = await loadFrom(both)
    await commitKeys(both, loaded, loaded.records)
    const after = (await open({ ...source, masters: [next] })).current()
    expect([hex(after.id), hex(after.key)]).toEqual([hex(before.id), hex(before.key)])
    const problem = expect.stringContaining(`(${old.id}) open none of the 1 sealing keys`)
    await expect(open(source)).rejects.toMatchObject({ code: 'keys/unusable', facts: { problem } })
    expect((await source.store.read())?.records[0]?.masters).toEqual([old.id, next.id])
  })

  test('is refused when another process has changed the keys', async () => {
    const source = newSource(old)
    await open(source)
    const loaded = await loadFrom(source)
    await commitKeys(source, loaded, loaded.records)
    const text = readFileSync(source.store.place, 'utf8')
    await expect(commitKeys(source, loaded, loaded.records)).rejects.toMatchObject({
      code: 'keys/changed',
    })
    expect(readFileSync(source.store.place, 'utf8')).toBe(text)
  })
})

describe('a destroyed key', () => {
  async function withOneDestroyed() {
    const source = newSource(old)
    const doomed = (await open(source)).current()
    const older = readFileSync(source.store.place, 'utf8')
    const loaded = await loadFrom(source)
    const records = withDestroyed(loaded.records, [hex(doomed.id)], { now: 1 })
    await commitKeys(source, loaded, records)
    return { source, doomed, older }
  }

  test('is removed from the file, leaves a tombstone, and another key seals', async () => {
    const { source, doomed } = await withOneDestroyed()
    const ring = await open(source)
    expect(ring.find(doomed.id)).toBeUndefined()
    expect(hex(ring.current().id)).not.toBe(hex(doomed.id))
    const tombstone = ring.facts().find(({ id }) => id === hex(doomed.id))
    expect(tombstone).toMatchObject({ state: 'destroyed', masters: [old.id], destroyedAt: 1 })
    const [record] = (await loadFrom(source)).records
    expect(hex(record?.key ?? doomed.key)).toBe('00'.repeat(32))
  })

  test('is refused when an older key file brings it back', async () => {
    const { source, doomed, older } = await withOneDestroyed()
    writeFileSync(source.store.place, older)
    const ring = await open(source)
    expect(ring.find(doomed.id)).toBeUndefined()
    expect(hex(ring.current().id)).not.toBe(hex(doomed.id))
    expect((await source.store.read())?.records.map(({ state }) => state)).toEqual([
      'destroyed',
      'sealing',
    ])
  })

  test('is added again to the list of destroyed keys when that list was lost', async () => {
    const { source, doomed } = await withOneDestroyed()
    const list = source.store.place.replace('sealing', 'destroyed')
    writeFileSync(list, '')
    await open(source)
    expect(readFileSync(list, 'utf8')).toBe(`${hex(doomed.id)}\n`)
  })

  test('keeps the ids of its master keys, but not of those that wrap its tombstone', async () => {
    const { source, doomed } = await withOneDestroyed()
    const both = { ...source, masters: [next, old] as const }
    const loaded = await loadFrom(both)
    const records = withMastersGone(loaded.records, [hex(doomed.id)])
    await commitKeys(both, loaded, records)
    const [tombstone] = (await loadFrom({ ...source, masters: [next] })).records
    expect(tombstone?.facts).toMatchObject({
      master: next.id,
      masters: [old.id],
      mastersGone: true,
    })
  })

  test('may be a key whose record was lost', async () => {
    const source = newSource(old)
    await open(source)
    const loaded = await loadFrom(source)
    await commitKeys(source, loaded, withDestroyed(loaded.records, ['ee'.repeat(16)], { now: 1 }))
    const states = (await loadFrom(source)).records.map(({ facts }) => facts.state)
    expect(states).toEqual(['sealing', 'destroyed'])
  })
})

describe('a document with altered records is refused', () => {
  type Document = { epoch: number; records: Record<string, unknown>[] }

  /** Commits three keys, and alters the file of the store. */
  async function tampered(change: (document: Document, older: Document) => void) {
    const source = newSource(old)
    await open(source)
    const loaded = await loadFrom(source)
    const older = JSON.parse(readFileSync(source.store.place, 'utf8'))
    const twice = withNewKey(withNewKey(loaded.records, { now: 1 }), { now: 2 })
    await commitKeys(source, loaded, twice)
    const document = JSON.parse(readFileSync(source.store.place, 'utf8'))
    change(document, older)
    writeFileSync(source.store.place, JSON.stringify(document))
    return source
  }

  const changes: readonly [string, Parameters<typeof tampered>[0]][] = [
    ['a key under the id of another key', ({ records: [one, two] }) => swap(one, two, 'wrapped')],
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
      'a wrapped key of an earlier epoch in a new record',
      ({ records: [one] }, older) =>
        Object.assign(one ?? {}, { wrapped: older.records[0]?.wrapped }),
    ],
    ['another epoch for all records', (document) => Object.assign(document, { epoch: 9 })],
  ]

  const swap = (one = {}, two = {}, name = '') => {
    const [a, b] = [one, two] as Record<string, unknown>[]
    if (a && b) [a[name], b[name]] = [b[name], a[name]]
  }

  test.each(changes)('%s', async (_, change) => {
    const source = await tampered(change)
    const problem = expect.stringMatching(/were altered or come from another file/)
    await expect(open(source)).rejects.toMatchObject({ code: 'keys/unusable', facts: { problem } })
  })

  test('a file with records that the master keys cannot open', async () => {
    const source = await tampered(() => undefined)
    const foreign = newSource(other)
    await open(foreign)
    const document = await source.store.read()
    const [stranger] = (await foreign.store.read())?.records ?? []
    const records = [...(document?.records ?? []), { ...stranger, epoch: 2 }]
    writeFileSync(
      source.store.place,
      JSON.stringify({ ...JSON.parse(readFileSync(source.store.place, 'utf8')), records }),
    )
    const problem = expect.stringContaining(
      `(${old.id}) open 3 of the 4 sealing keys in ${source.store.place}; the others are wrapped by ${other.id}`,
    )
    await expect(open(source)).rejects.toMatchObject({ code: 'keys/unusable', facts: { problem } })
    const seen = await inspectKeys(source)
    expect(seen?.records.map(({ opened }) => typeof opened)).toEqual([
      ...['object', 'object', 'object', 'string'],
    ])
  })
})
