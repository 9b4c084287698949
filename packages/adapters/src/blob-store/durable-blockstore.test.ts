import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import { compileFunction } from 'node:vm'
import { digest } from '@heirloom/core'
import type { Blockstore } from 'interface-blockstore'
import type { CID } from 'multiformats/cid'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { cidOf, rawCode } from './cid.ts'
import { DurableBlockstore } from './durable-blockstore.ts'
import { blockFiles, emptyFolder, fileOf, remove, temporaryFiles } from './test/folders.ts'

type Suite = (test: {
  setup(): Promise<Blockstore>
  teardown(store: Blockstore): Promise<void>
}) => void

/**
 * Loads the bundle of the suite, which includes its assertion library: its modules import that from
 * a development dependency, which is not installed.
 */
function interfaceSuite(): Suite {
  const manifest = findPackageJSON('interface-blockstore-tests', import.meta.url) ?? ''
  const source = readFileSync(join(dirname(manifest), 'dist/index.min.js'), 'utf8')
  const module: { exports: { interfaceBlockstoreTests?: Suite } } = { exports: {} }
  compileFunction(source, ['module'])(module)
  const { interfaceBlockstoreTests } = module.exports
  if (!interfaceBlockstoreTests) throw new Error('The bundle holds no suite.')
  return interfaceBlockstoreTests
}

let folder: string
beforeEach(async () => {
  folder = await emptyFolder()
})
afterEach(() => remove(folder))

describe('interface-blockstore', () => {
  // The suite expects the functions of the test runner as globals.
  Object.assign(globalThis, { describe, it, beforeEach, afterEach })
  interfaceSuite()({ setup: () => DurableBlockstore.open(folder), teardown: async () => {} })
})

const bytes = Buffer.from('a block')
const cid = cidOf(digest(`0x${hash('sha256', bytes)}`), rawCode)

async function read(store: DurableBlockstore, of: CID): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of store.get(of)) parts.push(part)
  return Buffer.concat(parts)
}

describe('a durable blockstore', () => {
  test('deletes a block that is still being written', async () => {
    const store = await DurableBlockstore.open(folder)
    const putting = store.put(cid, bytes)
    await store.delete(cid)
    await putting
    expect(await store.has(cid)).toBe(false)
    expect(await blockFiles(folder)).toEqual([])
    await store.put(cid, bytes)
    expect(await read(store, cid)).toEqual(bytes)
  })

  test('stores a block under its multihash, whatever the codec', async () => {
    const store = await DurableBlockstore.open(folder)
    await store.put(cid, bytes)
    expect(await read(store, cidOf(digest(`0x${hash('sha256', bytes)}`), 0x70))).toEqual(bytes)
    expect(await blockFiles(folder)).toEqual([fileOf(folder, `0x${hash('sha256', bytes)}`)])
    expect(await temporaryFiles(folder)).toEqual([])
  })

  test('treats a changed block as absent, and replaces it', async () => {
    const store = await DurableBlockstore.open(folder)
    await store.put(cid, bytes)
    const file = fileOf(folder, `0x${hash('sha256', bytes)}`)
    await writeFile(file, 'a clock')
    expect(await store.has(cid)).toBe(false)
    await expect(read(store, cid)).rejects.toMatchObject({ name: 'CorruptBlockError' })
    await store.put(cid, bytes)
    expect(await readFile(file)).toEqual(bytes)
  })

  test('refuses bytes that do not match the digest, and keeps the block', async () => {
    const store = await DurableBlockstore.open(folder)
    await store.put(cid, bytes)
    await expect(store.put(cid, Buffer.from('a clock'))).rejects.toThrow(/does not match/)
    expect(await read(store, cid)).toEqual(bytes)
  })

  test('writes a block once for concurrent puts, and waits for it in `has`', async () => {
    const store = await DurableBlockstore.open(folder)
    const puts = Array.from({ length: 50 }, () => store.put(cid, bytes))
    const found = store.has(cid)
    await Promise.all(puts)
    expect(await found).toBe(true)
    expect(await blockFiles(folder)).toHaveLength(1)
    expect(await temporaryFiles(folder)).toEqual([])
  })

  test('removes temporary files after a crash', async () => {
    await DurableBlockstore.open(folder)
    await writeFile(join(folder, 'temporary', 'left'), 'half a bl')
    await DurableBlockstore.open(folder)
    expect(await temporaryFiles(folder)).toEqual([])
  })
})
