import { readFileSync, writeFileSync } from 'node:fs'
import { type Clock, instant } from '@heirloom/core'
import { describe, expect, test } from 'vitest'
import { commitKeys, withDestroyed, withNewKey, withoutSealing } from './change-keys.ts'
import { fileKeyStore } from './file-key-store.ts'
import { type KeySource, type LoadedKeys, loadKeys } from './load-keys.ts'
import { localMasterKey } from './local-master-key.ts'
import { storedSealingKeys } from './stored-sealing-keys.ts'
import { temporaryFolder } from './test/temporary-folder.ts'

const at = (text: string): Clock => ({ now: () => instant(Date.parse(text)) })

const inMay = at('2026-05-31T23:59:59.999Z')
const inJune = at('2026-06-01T00:00:00Z')

const newSource = (): KeySource => ({
  store: fileKeyStore({ folder: temporaryFolder() }),
  masters: [localMasterKey(Buffer.alloc(32, 1))],
})

const open = (source: KeySource, tenants: readonly string[], clock = inMay) => {
  const requireNew = async () => undefined
  return storedSealingKeys({ ...source, clock, requireNew, tenants: async () => tenants })
}

const loadFrom = async (source: KeySource) => (await loadKeys(source)) as LoadedKeys
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const text = (it: { readonly id: Uint8Array; readonly key: Uint8Array } | undefined) =>
  it && [hex(it.id), hex(it.key)]

/** Destroys all keys of a tenant, as erasing it does. */
async function erase(source: KeySource, tenant: string) {
  const loaded = await loadFrom(source)
  const own = loaded.records.filter(({ facts }) => facts.tenant === tenant)
  const ids = own.map(({ facts }) => facts.id)
  await commitKeys(source, loaded, withDestroyed(loaded.records, ids, { now: 1, closed: [tenant] }))
}

describe('the sealing keys of tenants', () => {
  test('are apart from each other and from that of the server', async () => {
    const ring = await open(newSource(), ['ada', 'ben'])
    const ids = [ring.current(), ring.current('ada'), ring.current('ben')].map(({ id }) => hex(id))
    expect(new Set(ids).size).toBe(3)
    expect(ring.facts().map(({ id, tenant }) => [id, tenant])).toEqual([
      [ids[0], 'default'],
      [ids[1], 'ada'],
      [ids[2], 'ben'],
    ])
  })

  test('are the same at the next start, and only those of a new tenant are new', async () => {
    const source = newSource()
    const before = (await open(source, ['ada'])).current('ada')
    const ring = await open(source, ['ada', 'ben'])
    expect(text(ring.current('ada'))).toEqual(text(before))
    expect(ring.seals('ben')).toBe(true)
    const { epoch } = await loadFrom(source)
    await open(source, ['ada', 'ben'])
    expect((await loadFrom(source)).epoch).toBe(epoch)
  })

  test('do not seal for a name that is no tenant', async () => {
    const ring = await open(newSource(), ['ada'])
    expect(ring.seals('eve')).toBe(false)
    expect(() => ring.current('eve')).toThrow(expect.objectContaining({ code: 'keys/unusable' }))
  })

  test('renew each month, and the old ones open', async () => {
    const source = newSource()
    const may = await open(source, ['ada'])
    const june = await open(source, ['ada'], inJune)
    for (const tenant of [undefined, 'ada']) {
      const { id } = may.current(tenant)
      expect(hex(june.current(tenant).id)).not.toBe(hex(id))
      expect(june.find(id)).toBeDefined()
    }
  })

  test('of one tenant cannot take the place of those of another', async () => {
    const source = newSource()
    await open(source, ['ada', 'ben'])
    const original = readFileSync(source.store.place, 'utf8')
    const swapped = original
      .replace('"ada"', '"x"')
      .replace('"ben"', '"ada"')
      .replace('"x"', '"ben"')
    writeFileSync(source.store.place, swapped)
    await expect(open(source, ['ada', 'ben'])).rejects.toMatchObject({ code: 'keys/unusable' })
    const document = JSON.parse(original)
    const [, one, other] = document.records
    ;[one.wrapped, other.wrapped] = [other.wrapped, one.wrapped]
    writeFileSync(source.store.place, JSON.stringify(document))
    await expect(open(source, ['ada', 'ben'])).rejects.toMatchObject({ code: 'keys/unusable' })
  })

  test('are gone with their tenant, and those of the others stay', async () => {
    const source = newSource()
    const before = await open(source, ['ada', 'ben'])
    await erase(source, 'ada')
    // An older list of tenants still names it.
    const after = await open(source, ['ada', 'ben'], inJune)
    expect(after.seals('ada')).toBe(false)
    expect(after.find(before.current('ada').id)).toBeUndefined()
    for (const tenant of [undefined, 'ben']) {
      expect(text(after.find(before.current(tenant).id))).toEqual(text(before.current(tenant)))
      expect(after.seals(tenant ?? 'default')).toBe(true)
    }
  })

  test('stay gone when an older key file is restored', async () => {
    const source = newSource()
    const before = await open(source, ['ada'])
    const older = readFileSync(source.store.place, 'utf8')
    await erase(source, 'ada')
    writeFileSync(source.store.place, older)
    const after = await open(source, ['ada'])
    expect(after.seals('ada')).toBe(false)
    expect(after.find(before.current('ada').id)).toBeUndefined()
  })

  test('are closed to sealing one tenant at a time', async () => {
    const source = newSource()
    const before = await open(source, ['ada', 'ben'])
    const loaded = await loadFrom(source)
    await commitKeys(source, loaded, withoutSealing(loaded.records, 'ada'))
    // A tenant that is being removed is no active one.
    const after = await open(source, ['ben'])
    expect([after.seals('ada'), after.seals('ben')]).toEqual([false, true])
    expect(text(after.find(before.current('ada').id))).toEqual(text(before.current('ada')))
  })

  test('are replaced when only one of them is destroyed', async () => {
    const source = newSource()
    const { id } = (await open(source, ['ada'])).current('ada')
    const loaded = await loadFrom(source)
    await commitKeys(source, loaded, withDestroyed(loaded.records, [hex(id)], { now: 1 }))
    const after = await open(source, ['ada'])
    expect(after.seals('ada')).toBe(true)
    expect(hex(after.current('ada').id)).not.toBe(hex(id))
  })

  test('of the others stay when the server makes a new one for itself', async () => {
    const source = newSource()
    const before = (await open(source, ['ada'])).current('ada')
    const loaded = await loadFrom(source)
    await commitKeys(source, loaded, withNewKey(loaded.records, { now: 1 }))
    const after = await open(source, ['ada'])
    expect(text(after.current('ada'))).toEqual(text(before))
  })
})
