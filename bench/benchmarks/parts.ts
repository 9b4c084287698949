import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { heliaBlobStore } from '@heirloom/adapters/blob-store'
import { naclCipher, sealingKeyRing } from '@heirloom/adapters/cipher'
import { challenge, memoryService, toSeconds } from '@heirloom/core'
import { memoryHarness } from '@heirloom/testkit'
import type { Benchmark, Figure, Round } from '../figure.ts'
import { memoryOf, notes } from '../parts/notes.ts'

const size = 50_000_000

const figures: readonly Figure[] = [
  {
    ...{ id: 'V8', what: 'an outline and a part of 50 MB', against: 'opening the whole' },
    ...{ unit: 'ms', better: 'lower', must: 0.1, aim: 0.05 },
  },
]

/** Measures the reads inside a long memory. */
export const partsOfMemory: Benchmark = {
  figures,
  measure: async (rounds) => {
    const { service, read, count, close } = await openMemory()
    const measured: Round[] = []
    await service.download(await read())
    for (let round = 0; round < rounds; round++) {
      const wanted = { whole: await read(), outline: await read(), part: await read() }
      const yardstick = await timeOf(() => service.download(wanted.whole))
      const value = await timeOf(async () => {
        const bounds = { pointer: '', depth: 2, width: 20, from: 0 }
        await service.outline({ ...wanted.outline, ...bounds })
        const pointer = `/data/notes/${Math.floor((count * (round + 1)) / (rounds + 1))}`
        await service.part({ ...wanted.part, pointer })
      })
      measured.push({ value, yardstick })
    }
    await close()
    return { V8: measured }
  },
}

async function timeOf(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await act()
  return performance.now() - began
}

/** Seals a memory as a server does, over a chain that takes no time. */
async function openMemory() {
  const folder = mkdtempSync(join(tmpdir(), 'heirloom-bench-parts-'))
  const blobStore = await heliaBlobStore({ folder })
  const keys = sealingKeyRing([randomBytes(32)])
  const cipher = naclCipher({ keys, documentLimit: 2 ** 27 })
  const { parties, now } = memoryHarness()
  const [author] = parties
  if (author === undefined) throw new RangeError('The harness has parties.')
  const service = memoryService({ blobStore, cipher, clock: { now }, ledger: author.ledger })
  const all = notes(size, 'long')
  const { tokenId } = await service.snapshot({ bundle: memoryOf(all) })
  const read = async () => {
    const claim = { account: author.ledger.agent, timestamp: toSeconds(now()) }
    const signature = await author.sign(challenge(tokenId, claim))
    return { tokenId, proof: { ...claim, signature } }
  }
  const close = async () => {
    await blobStore.close()
    rmSync(folder, { recursive: true })
  }
  return { service, read, count: all.length, close }
}
