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
    id: 'V8',
    what: 'an outline and a part of 50 MB',
    against: 'opening the whole',
    unit: 'ms',
    better: 'lower',
    must: 0.1,
    aim: 0.05,
  },
]

/** Measures the reads inside a long memory. */
export const partsOfMemory: Benchmark = {
  figures,
  measure: async (rounds) => {
    const { service, read, count, close } = await openMemory()
    const measured: Round[] = []
    const whole = async () => {
      const wanted = await read()
      return timeOf(() => service.download(wanted))
    }
    /** Reads an outline, and a note somewhere in the memory. */
    const inside = async (turn: number) => {
      const [outline, part] = [await read(), await read()]
      const pointer = `/data/notes/${(turn * 7919) % count}`
      return timeOf(async () => {
        await service.outline({ ...outline, pointer: '', depth: 2, width: 20, from: 0 })
        await service.part({ ...part, pointer })
      })
    }
    const turns = (round: number) => Array.from({ length: 5 }, (_, turn) => 5 * round + turn)
    // The first round is not measured: code gets fast by being used.
    for (let round = 0; round <= rounds; round++) {
      const yardstick = await leastOf([1, 2, 3], whole)
      const value = await leastOf(turns(round), inside)
      if (round > 0) measured.push({ value, yardstick })
    }
    await close()
    return { V8: measured }
  },
}

/** Returns the least of some times: what else the machine does adds to them, and takes nothing away. */
async function leastOf(
  turns: readonly number[],
  act: (turn: number) => Promise<number>,
): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (const turn of turns) least = Math.min(least, await act(turn))
  return least
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
