import { appendFileSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { heliaBlobStore } from './helia.ts'
import { verifyBlocks } from './verify-blocks.ts'

const blocksIn = (folder: string): readonly string[] =>
  readdirSync(join(folder, 'blocks'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.includes('/'))
    .map((path) => join(folder, 'blocks', path))
    .toSorted()

test('names the corrupt blocks among the newest, and no others', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'corrupt-'))
  const store = await heliaBlobStore({ folder })
  try {
    for (let byte = 0; byte < 12; byte++) await store.put(Uint8Array.of(byte))
    const blocks = blocksIn(folder)
    for (const [age, path] of blocks.entries()) utimesSync(path, 0, 1_000_000 - age)
    expect(await verifyBlocks(folder, 100)).toEqual({ checked: 12, corrupt: [] })

    const damaged = [1, 4, 9]
    for (const at of damaged) {
      appendFileSync(blocks[at] ?? '', '!')
      utimesSync(blocks[at] ?? '', 0, 1_000_000 - at)
    }
    await fc.assert(
      fc.asyncProperty(fc.nat(20), async (limit) => {
        const { checked, corrupt } = await verifyBlocks(folder, limit)
        expect(checked).toBe(Math.min(limit, 12))
        const expected = damaged.filter((at) => at < limit).map((at) => basename(blocks[at] ?? ''))
        expect(corrupt).toEqual(expected)
      }),
    )
  } finally {
    await store.close()
    rmSync(folder, { recursive: true })
  }
})

test('finds nothing where there are no blocks', async () => {
  const folder = join(tmpdir(), 'no-such-blobs')
  expect(await verifyBlocks(folder, 10)).toEqual({ checked: 0, corrupt: [] })
})
