import { account, digest, hash, instant, nobody, tokenId, wei } from '@heirloom/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stateVersion } from '../embedded-chain/node.ts'
import { cachedReads } from './cached-reads.ts'
import type { Reads } from './reads.ts'

const id = tokenId(1n)
const word = `0x${'1'.repeat(64)}`
const content = { contentHash: hash(word), digest: digest(word) }

/** Opens cached reads of a state that is one number, which every read returns in a field. */
function openRegister(during: (step: string) => Promise<unknown>) {
  const state = stateVersion()
  let value = 0
  let readCount = 0
  const read = async <T>(resultOf: (value: number) => T): Promise<T> => {
    readCount += 1
    await during('request')
    const result = resultOf(value)
    await during('response')
    return result
  }
  const reads: Reads = {
    access: () =>
      read((number) => ({
        owner: nobody,
        expiresAt: undefined,
        ...content,
        asOf: instant(number),
        source: { tokenId: id, creator: nobody },
      })),
    holding: () =>
      read((number) => ({
        owner: nobody,
        expiresAt: undefined,
        ...content,
        asOf: instant(0),
        source: { tokenId: id, creator: nobody },
        transferCount: BigInt(number),
      })),
    listing: () =>
      read((number) => ({
        tokenId: id,
        seller: nobody,
        price: wei(BigInt(number)),
        rentalPricePerDay: wei(0n),
        forkPrice: wei(0n),
        forkRoyaltyBps: 0,
        effectiveRoyaltyBps: 0,
        totalRoyaltyBps: 0,
        canBeForked: true,
      })),
    provenance: () =>
      read((number) =>
        number === 0
          ? undefined
          : { tokenId: id, ...content, creator: nobody, parent: undefined, mintedAt: instant(0) },
      ),
  }
  const write = (next: number) =>
    state.changing(async () => {
      await during('send')
      value = next
      await during('acknowledge')
    })
  return { cached: cachedReads(reads, state.version), write, readCount: () => readCount }
}

type Cached = ReturnType<typeof openRegister>['cached']

/** The number in the result of each read. */
const readNumber = {
  access: async (cached: Cached) => (await cached.access(id, nobody))?.asOf as number,
  listing: async (cached: Cached) => Number((await cached.listing(id))?.price),
}

const kinds = fc.constantFrom(...(Object.keys(readNumber) as (keyof typeof readNumber)[]))

describe('cached reads', () => {
  it('return nothing older than what any caller knew before the read', async () => {
    const readers = fc.array(fc.array(kinds, { maxLength: 8 }), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), readers, fc.nat(5), async (s, plans, writes) => {
        let begun = 0
        let known = 0
        const { cached, write } = openRegister((step) => s.schedule(Promise.resolve(), step))
        // Long enough that a read during the pause can be cached.
        const pause = async () => {
          for (let turn = 0; turn < 6; turn++) await s.schedule(Promise.resolve(), 'pause')
        }
        const runWrites = async () => {
          for (let next = 1; next <= writes; next++) {
            await pause()
            begun = next
            await write(next)
            known = Math.max(known, next)
          }
        }
        const runReads = async (plan: readonly (keyof typeof readNumber)[]) => {
          for (const kind of plan) {
            await s.schedule(Promise.resolve(), 'read')
            const oldest = known
            const seen = await readNumber[kind](cached)
            expect(seen).toBeGreaterThanOrEqual(oldest)
            expect(seen).toBeLessThanOrEqual(begun)
            known = Math.max(known, seen)
          }
        }
        await s.waitFor(Promise.all([runWrites(), ...plans.map(runReads)]))
      }),
      { numRuns: 500 },
    )
  })

  it('read the chain once between two writes, and once more after each', async () => {
    const { cached, write, readCount } = openRegister(async () => undefined)
    for (let next = 1; next <= 3; next++) {
      for (let time = 0; time < 5; time++) {
        await cached.access(id, nobody)
        await cached.listing(id)
      }
      expect(readCount()).toBe(2 * next)
      await write(next)
    }
  })

  it('read the chain again after a write that failed', async () => {
    const state = stateVersion()
    let readCount = 0
    const price = () => wei(BigInt(++readCount))
    const terms = { rentalPricePerDay: wei(0n), forkPrice: wei(0n), forkRoyaltyBps: 0 }
    const reads = {
      listing: async () => ({ tokenId: id, seller: nobody, price: price(), ...terms }),
    }
    const cached = cachedReads(reads as unknown as Reads, state.version)
    await cached.listing(id)
    await state.changing(() => Promise.reject(new Error('refused'))).catch(() => undefined)
    expect((await cached.listing(id))?.price).toBe(2n)
  })

  it('distinguish every token and every account', async () => {
    const ids = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(tokenId)
    const accounts = fc
      .uint8Array({ minLength: 20, maxLength: 20 })
      .map((it) => account(`0x${Buffer.from(it).toString('hex')}`))
    const pairs = fc.array(fc.tuple(ids, accounts), { minLength: 1 })
    await fc.assert(
      fc.asyncProperty(pairs, async (requests) => {
        const reads = {
          access: async (of: bigint, by: string) => ({ of, by }),
          listing: async (of: bigint) => ({ of }),
          provenance: async (of: bigint) => ({ of }),
        }
        const cached = cachedReads(reads as unknown as Reads, () => 0)
        for (const [of, by] of [...requests, ...requests]) {
          expect(await cached.access(of, by)).toEqual({ of, by })
          expect(await cached.listing(of)).toEqual({ of })
          expect(await cached.provenance(of)).toEqual({ of })
        }
      }),
    )
  })

  it('do not cache that a token is unknown', async () => {
    const { cached, write } = openRegister(async () => undefined)
    expect(await cached.provenance(id)).toBeUndefined()
    await write(1)
    expect(await cached.provenance(id)).toMatchObject({ tokenId: id })
  })

  it('cache the provenance of a token across writes', async () => {
    const { cached, write, readCount } = openRegister(async () => undefined)
    for (let next = 1; next <= 3; next++) {
      await write(next)
      await cached.provenance(id)
    }
    expect(readCount()).toBe(1)
  })
})
