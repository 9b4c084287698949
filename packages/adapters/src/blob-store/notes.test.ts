import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isFailure } from '@heirloom/core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { heliaBlobStore } from './helia.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'notes-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const open = () => heliaBlobStore({ folder, notes: true })
/** Like sealed bundles, no two have a block in common. */
const bytes = (length: number) => new Uint8Array(randomBytes(length))
const blocks = () =>
  readdirSync(join(folder, 'blocks'), { recursive: true, withFileTypes: true }).filter((it) =>
    it.isFile(),
  ).length

describe.each([1000, 3_500_000])('a blob of %i bytes that nobody claimed', (length) => {
  test('is swept away by the next opening, and the others stay', async () => {
    const first = await open()
    const [kept, wanted, orphan] = [bytes(length), bytes(length), bytes(length)]
    const digests = [await first.put(kept), await first.put(wanted), await first.put(orphan)]
    first.claim(digests[0] as never)
    await first.close()

    const second = await open()
    await second.sweep(async (digest) => digest === digests[1])
    expect(await second.get(digests[0] as never)).toEqual(kept)
    expect(await second.get(digests[1] as never)).toEqual(wanted)
    const gone = await second.get(digests[2] as never).catch((error: unknown) => error)
    expect(isFailure(gone, 'blob/not-found')).toBe(true)
    expect(readdirSync(join(folder, 'unclaimed'))).toEqual([])
    await second.close()
  })

  test('leaves no block behind', async () => {
    const first = await open()
    await first.put(bytes(length))
    await first.close()
    const second = await open()
    await second.sweep(async () => false)
    expect(blocks()).toBe(0)
    await second.close()
  })

  test('is not swept by the opening that put it', async () => {
    const store = await open()
    const digest = await store.put(bytes(length))
    await store.sweep(async () => false)
    expect((await store.get(digest)).length).toBe(length)
    await store.close()
  })
})

test('what is removed needs no note', async () => {
  const store = await open()
  await store.remove(await store.put(bytes(1000)))
  expect(readdirSync(join(folder, 'unclaimed'))).toEqual([])
  await store.close()
})
