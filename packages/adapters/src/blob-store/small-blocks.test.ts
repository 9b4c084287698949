import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { hash, randomBytes } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { digest } from '@heirloom/core'
import fc from 'fast-check'
import type { CID } from 'multiformats/cid'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cidOf, rawCode } from './cid.ts'
import { compactedFile } from './compacted-blocks.ts'
import { DurableBlockstore } from './durable-blockstore.ts'
import { smallLength } from './small-blocks.ts'
import { blockFiles, emptyFolder, fileOf, remove } from './test/folders.ts'
import { numberedBlob } from './test/numbered-blob.ts'
import { verifyBlocks } from './verify-blocks.ts'

const same = (one: Uint8Array, other: Uint8Array) => assert.equal(Buffer.compare(one, other), 0)
const digestOfBytes = (bytes: Uint8Array) => digest(`0x${hash('sha256', bytes)}`)
const cidOfBytes = (bytes: Uint8Array): CID => cidOf(digestOfBytes(bytes), rawCode)
const atOnce = { files: 8, delay: 0 }
/** No search for earlier files: it could note a file that is being moved, and leave one for it. */
const whenWritten = { files: 8, delay: 60_000 }
const never = { files: 1_000_000, delay: 60_000 }

let folder: string
let store: DurableBlockstore
beforeEach(async () => {
  folder = await emptyFolder()
  store = await DurableBlockstore.open(folder, whenWritten)
})
afterEach(async () => {
  await store.close()
  await remove(folder)
})

const someBlocks = (count: number, length = 100) =>
  Array.from({ length: count }, () => randomBytes(length))

async function putAll(blocks: readonly Uint8Array[]): Promise<void> {
  await Promise.all(blocks.map((bytes) => store.put(cidOfBytes(bytes), bytes)))
}

async function namesInStore(): Promise<readonly string[]> {
  const names: string[] = []
  for await (const { cid } of store.getAll())
    names.push(Buffer.from(cid.multihash.digest).toString('hex'))
  return names.toSorted()
}

const filesLeft = (count: number) =>
  expect.poll(() => blockFiles(folder).then((files) => files.length)).toBe(count)

/** Changes the bytes of a moved block on the disk. */
function damage(bytes: Uint8Array): void {
  const file = new DatabaseSync(join(folder, compactedFile))
  const change = file.prepare('UPDATE block SET bytes = ? WHERE digest = ?')
  change.run(Buffer.from('damaged'), hash('sha256', bytes, 'buffer'))
  file.close()
}

describe('small blocks', () => {
  test('move from their files into one, and are read, listed and deleted as before', async () => {
    const blocks = someBlocks(16)
    await putAll(blocks)
    await filesLeft(0)
    for (const bytes of blocks) {
      expect(await store.has(cidOfBytes(bytes))).toBe(true)
      same(await store.read(cidOfBytes(bytes)), bytes)
    }
    expect(await namesInStore()).toEqual(blocks.map((it) => hash('sha256', it)).toSorted())
    const [deleted = Buffer.of(), ...others] = blocks
    await store.delete(cidOfBytes(deleted))
    expect(await store.has(cidOfBytes(deleted))).toBe(false)
    await expect(store.read(cidOfBytes(deleted))).rejects.toMatchObject({ name: 'NotFoundError' })
    for (const bytes of others) same(await store.read(cidOfBytes(bytes)), bytes)
  })

  test('of more than a page of the file system stay where they are, and so do a few', async () => {
    const [long, few] = [someBlocks(9, smallLength + 1), someBlocks(7)]
    await putAll([...long, ...few])
    const [one = Buffer.of()] = someBlocks(1, smallLength)
    expect(await blockFiles(folder)).toHaveLength(16)
    await putAll([one])
    await filesLeft(9)
    same(await store.read(cidOfBytes(one)), one)
  })

  test('are found in the files of an earlier process', async () => {
    await store.close()
    store = await DurableBlockstore.open(folder, never)
    const blocks = someBlocks(20)
    await putAll(blocks)
    expect(await blockFiles(folder)).toHaveLength(20)
    await store.close()
    store = await DurableBlockstore.open(folder, atOnce)
    await filesLeft(4)
    for (const bytes of blocks) same(await store.read(cidOfBytes(bytes)), bytes)
  })

  test('of a folder of an earlier version stay as that version reads them, for a week', async () => {
    await store.close()
    await rm(join(folder, 'moves-from'))
    store = await DurableBlockstore.open(folder, atOnce)
    const blocks = someBlocks(16)
    await putAll(blocks)
    await store.close()
    const start = Number(await readFile(join(folder, 'moves-from'), 'utf8'))
    expect((start - Date.now()) / 86_400_000).toBeCloseTo(7, 2)
    expect(await blockFiles(folder)).toHaveLength(16)
    expect(existsSync(join(folder, compactedFile))).toBe(false)

    await writeFile(join(folder, 'moves-from'), `${Date.now()}`)
    store = await DurableBlockstore.open(folder, atOnce)
    await filesLeft(0)
    for (const bytes of blocks) same(await store.read(cidOfBytes(bytes)), bytes)
  })

  test('stay in their files when the common file does not take them', async () => {
    await putAll(someBlocks(8))
    await filesLeft(0)
    const other = new DatabaseSync(join(folder, compactedFile))
    other.exec('BEGIN IMMEDIATE')
    const blocks = someBlocks(8)
    await putAll(blocks)
    await store.close()
    other.exec('ROLLBACK')
    other.close()
    expect(await blockFiles(folder)).toHaveLength(8)
    store = await DurableBlockstore.open(folder, atOnce)
    for (const bytes of blocks) same(await store.read(cidOfBytes(bytes)), bytes)
    await filesLeft(0)
  })

  test('that are damaged stay in their files', async () => {
    await store.close()
    store = await DurableBlockstore.open(folder, never)
    const blocks = someBlocks(8)
    const [victim = Buffer.of()] = blocks
    await putAll(blocks)
    await writeFile(fileOf(folder, digestOfBytes(victim)), 'damaged')
    await store.close()
    store = await DurableBlockstore.open(folder, atOnce)
    await filesLeft(1)
    await expect(store.read(cidOfBytes(victim))).rejects.toMatchObject({
      name: 'CorruptBlockError',
    })
    await store.put(cidOfBytes(victim), victim)
    same(await store.read(cidOfBytes(victim)), victim)
  })

  test('that are damaged where they are now count as absent until they are put again', async () => {
    const blocks = someBlocks(8)
    const [victim = Buffer.of(), ...others] = blocks
    await putAll(blocks)
    await filesLeft(0)
    expect(await verifyBlocks(folder, 100)).toEqual({ checked: 8, corrupt: [] })
    damage(victim)
    expect(await store.has(cidOfBytes(victim))).toBe(false)
    await expect(store.read(cidOfBytes(victim))).rejects.toMatchObject({
      name: 'CorruptBlockError',
    })
    const corrupt = [`1220${hash('sha256', victim)}`]
    expect(await verifyBlocks(folder, 100)).toEqual({ checked: 8, corrupt })
    await store.put(cidOfBytes(victim), victim)
    same(await store.read(cidOfBytes(victim)), victim)
    await putAll(someBlocks(7))
    await filesLeft(0)
    for (const bytes of [victim, ...others]) same(await store.read(cidOfBytes(bytes)), bytes)
    expect((await verifyBlocks(folder, 100)).corrupt).toEqual([])
  })

  test('leave no bytes of a deleted one in the file', async () => {
    const secret = Buffer.from(`only here ${hash('sha256', randomBytes(8))}`.repeat(8))
    await putAll([secret, ...someBlocks(7)])
    await filesLeft(0)
    await store.delete(cidOfBytes(secret))
    await store.close()
    const file = await readFile(join(folder, compactedFile))
    expect(file.length).toBeGreaterThan(16_384)
    expect(file.includes(secret)).toBe(false)
    store = await DurableBlockstore.open(folder, atOnce)
  })

  test('of a store that cannot read its file are not taken for missing', async () => {
    await putAll(someBlocks(8))
    await filesLeft(0)
    await store.close()
    await writeFile(join(folder, compactedFile), randomBytes(8192))
    await expect(DurableBlockstore.open(folder, atOnce)).rejects.toThrow(/not a database/)
    await remove(join(folder, compactedFile))
    store = await DurableBlockstore.open(folder, atOnce)
  })

  test('take no more of the disk than their bytes and a fifth', async () => {
    const blocks = Array.from({ length: 2000 }, (_, at) => randomBytes(at % 2 === 0 ? 1500 : 400))
    for (let at = 0; at < blocks.length; at += 200) await putAll(blocks.slice(at, at + 200))
    await filesLeft(0)
    await store.close()
    expect(existsSync(join(folder, `${compactedFile}-wal`))).toBe(false)
    const bytes = blocks.reduce((sum, { length }) => sum + length, 0)
    expect(statSync(join(folder, compactedFile)).size).toBeLessThan(1.2 * bytes)
    store = await DurableBlockstore.open(folder, atOnce)
  })
})

type Step = { readonly kind: 'put' | 'put together' | 'delete' | 'reopen'; readonly block: number }

const blocks = someBlocks(30, 64)
const blockAt = (at: number): Uint8Array => blocks[at] ?? Buffer.of()

/** Takes steps on the store, and returns the blocks that it must have then. */
async function take(steps: readonly Step[]): Promise<ReadonlySet<number>> {
  const expected = new Set<number>()
  let puts: Promise<unknown> = Promise.resolve()
  const put = (block: number) => {
    expected.add(block)
    return store.put(cidOfBytes(blockAt(block)), blockAt(block))
  }
  const acts: Readonly<Record<Step['kind'], (block: number) => Promise<unknown>>> = {
    'put together': async (block) => {
      puts = Promise.all([puts, put(block)])
    },
    put,
    delete: async (block) => {
      await puts
      expected.delete(block)
      await store.delete(cidOfBytes(blockAt(block)))
    },
    reopen: async () => {
      await puts
      await store.close()
      store = await DurableBlockstore.open(folder, { files: 3, delay: 0 })
    },
  }
  for (const { kind, block } of steps) await acts[kind](block)
  await puts
  return expected
}

test('any order of puts, deletions and openings leaves exactly what was put last', async () => {
  const kind = fc.constantFrom<Step['kind']>(
    'put',
    'put together',
    'put together',
    'delete',
    'reopen',
  )
  const step = fc.record<Step>({ kind, block: fc.nat(blocks.length - 1) })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 80 }), async (steps) => {
      const expected = await take(steps)
      const names = [...expected].map((at) => hash('sha256', blockAt(at)))
      expect([...new Set(await namesInStore())]).toEqual(names.toSorted())
      for (const [at, bytes] of blocks.entries()) {
        expect(await store.has(cidOfBytes(bytes))).toBe(expected.has(at))
        await store.delete(cidOfBytes(bytes))
      }
      expect(await namesInStore()).toEqual([])
    }),
    { numRuns: 40 },
  )
})

type Act = 'put' | 'deleting' | 'deleted'

/** Acts on blocks in another process, and kills it once it has acknowledged so many puts. */
async function actUntilKilled(first: number, count: number) {
  const script = fileURLToPath(new URL('./test/put-small-until-killed.ts', import.meta.url))
  const child = spawn(process.execPath, [script, folder, String(first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const numbers = {
    put: new Set<number>(),
    deleting: new Set<number>(),
    deleted: new Set<number>(),
  }
  for await (const line of createInterface({ input: child.stdout })) {
    const [act, number] = line.split(' ')
    numbers[act as Act].add(Number(number))
    if (numbers.put.size === count) child.kill('SIGKILL')
  }
  return numbers
}

test('a killed process loses nothing that it acknowledged while it moved blocks', async () => {
  await store.close()
  for (const [round, count] of [37, 150, 301, 502].entries()) {
    const { put, deleting, deleted } = await actUntilKilled(round * 10_000, count)
    store = await DurableBlockstore.open(folder, { files: 4, delay: 0 })
    expect(put.size).toBeGreaterThanOrEqual(count)
    const isThere = (number: number) => store.has(cidOfBytes(numberedBlob(number)))
    for (const number of put) if (!deleting.has(number)) expect(await isThere(number)).toBe(true)
    for (const number of deleted) expect(await isThere(number)).toBe(false)
    await store.close()
  }
  const { size } = statSync(join(folder, compactedFile))
  expect(size).toBeGreaterThan(100_000)
})
