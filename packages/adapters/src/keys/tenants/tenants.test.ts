import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import type { Hex } from '@heirloom/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { localMasterKey } from '../local-master-key.ts'
import { temporaryFolder } from '../test/temporary-folder.ts'
import { tenantStoreLaws } from '../test/tenant-store-laws.ts'
import {
  commitTenants,
  loadTenants,
  type TenantSource,
  withTenant,
  withTenantState,
} from './change-tenants.ts'
import { tenantName } from './tenant-record.ts'
import { fileTenantStore } from './tenant-store.ts'

const newSource = (): TenantSource => ({
  store: fileTenantStore({ folder: temporaryFolder() }),
  masters: [localMasterKey(Buffer.alloc(32, 1))],
})

const addressOf = (byte: string): Hex => `0x${byte.repeat(20)}`

/** Adds a tenant to a store, and returns the key of its wallet. */
async function addTo(source: TenantSource, name: string, byte: string) {
  const before = await loadTenants(source)
  const walletKey = new Uint8Array(randomBytes(32))
  const facts = { name, address: addressOf(byte), createdAt: 1, perDay: '7' }
  await commitTenants(source, before, withTenant(before.tenants, { ...facts, walletKey }))
  return walletKey
}

const ada = 'ada'
const ben = 'ben'

/** Returns a store with two tenants, and the keys of their wallets. */
async function twoTenants() {
  const source = newSource()
  const keys = [await addTo(source, ada, 'a1'), await addTo(source, ben, 'b2')] as const
  return { source, keys }
}

/** Changes the text of the document, as one who can write the file and has no master key. */
function tamper({ store }: TenantSource, change: (records: Record<string, unknown>[]) => void) {
  const document = JSON.parse(readFileSync(store.place, 'utf8'))
  change(document.records)
  writeFileSync(store.place, JSON.stringify(document))
}

const altered = (name: string) => expect.objectContaining({ message: expect.stringMatching(name) })

describe('a tenant store in a file', () => {
  test.each(tenantStoreLaws)('$name', ({ holds }) => holds(newSource().store))
})

describe('the tenants', () => {
  test('are read back with the keys of their wallets, which no file has in clear', async () => {
    const { source, keys } = await twoTenants()
    const { tenants } = await loadTenants(source)
    expect(tenants.map(({ facts }) => [facts.name, facts.address, facts.perDay])).toEqual([
      [ada, addressOf('a1'), '7'],
      [ben, addressOf('b2'), '7'],
    ])
    expect(tenants.map(({ walletKey }) => walletKey)).toEqual(keys)
    const text = readFileSync(source.store.place)
    for (const key of keys) {
      for (const form of ['hex', 'base64'] as const) {
        expect(text.includes(Buffer.from(key).toString(form))).toBe(false)
      }
    }
  })

  test('cannot exchange their wallets without the master key', async () => {
    const { source } = await twoTenants()
    tamper(source, (records) => {
      const [one, other] = records as [Record<string, unknown>, Record<string, unknown>]
      ;[one.wrapped, other.wrapped] = [other.wrapped, one.wrapped]
    })
    await expect(loadTenants(source)).rejects.toThrow(altered(ada))
  })

  test.each([
    ['name', 'eve'],
    ['address', addressOf('e0')],
    ['state', 'removed'],
    ['perDay', '700'],
    ['perCall', '1'],
    ['createdAt', 2],
  ])('cannot get another %s without the master key', async (member, value) => {
    const { source } = await twoTenants()
    tamper(source, ([one]) => Object.assign(one ?? {}, { [member]: value }))
    await expect(loadTenants(source)).rejects.toMatchObject({ code: 'keys/unusable' })
  })

  test('of an earlier document cannot come back among those of a later one', async () => {
    const { source } = await twoTenants()
    const [old] = JSON.parse(readFileSync(source.store.place, 'utf8')).records
    const before = await loadTenants(source)
    await commitTenants(source, before, withTenantState(before.tenants, ada, 'removed'))
    tamper(source, (records) => {
      records[0] = old
    })
    await expect(loadTenants(source)).rejects.toThrow(altered(ada))
  })

  test('open under a new master key once they were wrapped again', async () => {
    const { source, keys } = await twoTenants()
    const next = localMasterKey(Buffer.alloc(32, 2))
    const both: TenantSource = { ...source, masters: [next, ...source.masters] }
    const before = await loadTenants(both)
    await commitTenants(both, before, before.tenants)
    const { tenants } = await loadTenants({ ...source, masters: [next] })
    expect(tenants.map(({ walletKey }) => walletKey)).toEqual(keys)
    await expect(loadTenants(source)).rejects.toMatchObject({ code: 'keys/unusable' })
  })

  test('are changed by one of two processes', async () => {
    const { source } = await twoTenants()
    const before = await loadTenants(source)
    await commitTenants(source, before, before.tenants)
    const second = commitTenants(source, before, before.tenants)
    await expect(second).rejects.toMatchObject({ code: 'keys/changed' })
  })

  test('never have the name of the server itself', () => {
    expect(tenantName.test('default')).toBe(false)
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,39}$/), (name) => {
        expect(tenantName.test(name)).toBe(name !== 'default')
      }),
    )
  })

  test('are refused when their file is damaged', async () => {
    const { source } = await twoTenants()
    const text = readFileSync(source.store.place, 'utf8')
    for (const damaged of [text.slice(0, -9), text.replace('"ben"', '"ada"'), '{}', '']) {
      writeFileSync(source.store.place, damaged)
      await expect(loadTenants(source)).rejects.toMatchObject({ code: 'keys/unusable' })
    }
  })
})
