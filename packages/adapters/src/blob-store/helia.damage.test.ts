import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFile, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { digest } from '@heirloom/core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { heliaBlobStore } from './helia.ts'
import { blockFiles, emptyFolder, fileOf, remove, temporaryFiles } from './test/folders.ts'
import { numberedBlob } from './test/numbered-blob.ts'

const same = (one: Uint8Array, other: Uint8Array) => assert.equal(Buffer.compare(one, other), 0)

let folder: string
let store: heliaBlobStore.Output
beforeEach(async () => {
  folder = await emptyFolder()
  store = await heliaBlobStore({ folder })
})
afterEach(async () => {
  await store.close()
  await remove(folder)
})

const damages: Readonly<Record<string, (file: string, bytes: Buffer) => Promise<void>>> = {
  empty: (file) => truncate(file, 0),
  'cut in half': (file, { length }) => truncate(file, length >> 1),
  'short of its last byte': (file, { length }) => truncate(file, length - 1),
  longer: (file) => appendFile(file, 'x'),
  zeroed: (file, { length }) => writeFile(file, Buffer.alloc(length)),
  'wrong in its first bit': (file, bytes) => writeFile(file, flipped(bytes, 0)),
  'wrong in its last bit': (file, bytes) => writeFile(file, flipped(bytes, bytes.length * 8 - 1)),
}

function flipped(bytes: Buffer, bit: number): Uint8Array {
  return bytes.with(bit >> 3, (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7)))
}

describe.each(Object.entries(damages))('a block that is %s', (_, damage) => {
  test.each([1, 2000, 1_048_577])(
    'makes the blob of %i bytes `blob/corrupt` until it is put again',
    async (length) => {
      const bytes = randomBytes(length)
      const put = await store.put(bytes)
      const intact = await blockFiles(folder)
      for (const file of intact) {
        const block = await readFile(file)
        await damage(file, block)
        await expect(store.get(put)).rejects.toMatchObject({
          code: 'blob/corrupt',
          facts: { digest: put },
        })
        expect(await store.put(bytes)).toBe(put)
        same(await store.get(put), bytes)
        same(await readFile(file), block)
      }
    },
  )
})

test('a lost root is `blob/not-found`, a lost part is `blob/corrupt`, and a put restores both', async () => {
  const bytes = randomBytes(3 * 1_048_576)
  const put = await store.put(bytes)
  const files = await blockFiles(folder)
  expect(files).toHaveLength(4)
  for (const file of files) {
    await rm(file)
    const code = file === fileOf(folder, put) ? 'blob/not-found' : 'blob/corrupt'
    await expect(store.get(put)).rejects.toMatchObject({ code })
    await store.put(bytes)
    same(await store.get(put), bytes)
  }
  for (const file of files) if (file !== fileOf(folder, put)) await rm(file)
  await expect(store.get(put)).rejects.toMatchObject({ code: 'blob/corrupt' })
})

/** Puts blobs in another process, and kills it once it has acknowledged a number of them. */
async function acknowledgedBeforeKill(first: number, count: number) {
  const script = fileURLToPath(new URL('./test/put-until-killed.ts', import.meta.url))
  const child = spawn(process.execPath, [script, folder, String(first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const acknowledged: (readonly [number, string])[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    const [number = '', put = ''] = line.split(' ')
    acknowledged.push([Number(number), put])
    if (acknowledged.length === count) child.kill('SIGKILL')
  }
  return acknowledged
}

test('a killed process loses nothing that it acknowledged', async () => {
  await store.close()
  for (const [round, count] of [25, 61, 104].entries()) {
    const acknowledged = await acknowledgedBeforeKill(round * 1000, count)
    expect(acknowledged.length).toBeGreaterThanOrEqual(count)
    store = await heliaBlobStore({ folder })
    expect(await temporaryFiles(folder)).toEqual([])
    for (const [number, put] of acknowledged) {
      same(await store.get(digest(put)), numberedBlob(number))
    }
    await store.close()
  }
})
