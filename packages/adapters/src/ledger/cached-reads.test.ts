import { account, digest, hash, instant, nobody, tokenId, wei } from '@heirloom/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stateVersion } from '../embedded-chain/state-version.ts'
import { keptReads } from './cached-reads.ts'
import type { Reads } from './reads.ts'

const id = tokenId(1n)
const word = `0x${'1'.repeat(64)}`
const content = { contentHash: hash(word), digest: digest(word) }

/** A state that any number of answers are read from, each of which tells that number. */
function register(during: (step: string) => Promise<unknown>) {
  const state = stateVersion()
  let value = 0
  let asked = 0
  const look = async <T>(tell: (value: number) => T): Promise<T> => {
    asked += 1
    await during('ask')
    const answer = tell(value)
    await during('answer')
    return answer
  }
  const reads: Reads = {
    access: () =>
      look((at) => ({
        ...{ owner: nobody, expiresAt: undefined, ...content, asOf: instant(at) },
        source: { tokenId: id, creator: nobody },
      })),
    listing: () =>
      look((at) => ({
        ...{ tokenId: id, seller: nobody, price: wei(BigInt(at)), rentalPricePerDay: wei(0n) },
        ...{ forkPrice: wei(0n), forkRoyaltyBps: 0 },
        ...{ effectiveRoyaltyBps: 0, totalRoyaltyBps: 0, canBeForked: true },
      })),
    provenance: () =>
      look((at) =>
        at === 0
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
  return { kept: keptReads(reads, state.version), write, asked: () => asked }
}

type Kept = ReturnType<typeof register>['kept']

/** The reads that tell a number, as a function of the reads. */
const numberOf = {
  access: async (kept: Kept) => (await kept.access(id, nobody))?.asOf as number,
  listing: async (kept: Kept) => Number((await kept.listing(id))?.price),
}

const kinds = fc.constantFrom(...(Object.keys(numberOf) as (keyof typeof numberOf)[]))

describe('what is kept of a chain', () => {
  it('is never older than what anybody was told before it was asked for', async () => {
    const readers = fc.array(fc.array(kinds, { maxLength: 8 }), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), readers, fc.nat(5), async (s, plans, writes) => {
        let begun = 0
        let known = 0
        const { kept, write } = register((step) => s.schedule(Promise.resolve(), step))
        // Long enough that what is read in it may be kept.
        const pause = async () => {
          for (let turn = 0; turn < 6; turn++) await s.schedule(Promise.resolve(), 'pause')
        }
        const writing = async () => {
          for (let next = 1; next <= writes; next++) {
            await pause()
            begun = next
            await write(next)
            known = Math.max(known, next)
          }
        }
        const reading = async (plan: readonly (keyof typeof numberOf)[]) => {
          for (const kind of plan) {
            await s.schedule(Promise.resolve(), 'read')
            const oldest = known
            const seen = await numberOf[kind](kept)
            expect(seen).toBeGreaterThanOrEqual(oldest)
            expect(seen).toBeLessThanOrEqual(begun)
            known = Math.max(known, seen)
          }
        }
        await s.waitFor(Promise.all([writing(), ...plans.map(reading)]))
      }),
      { numRuns: 500 },
    )
  })

  it('is asked for once between two writes, and once more after each', async () => {
    const { kept, write, asked } = register(async () => undefined)
    for (let next = 1; next <= 3; next++) {
      for (let time = 0; time < 5; time++) {
        await kept.access(id, nobody)
        await kept.listing(id)
      }
      expect(asked()).toBe(2 * next)
      await write(next)
    }
  })

  it('is asked for again after a write that failed', async () => {
    const state = stateVersion()
    let asked = 0
    const price = () => wei(BigInt(++asked))
    const terms = { rentalPricePerDay: wei(0n), forkPrice: wei(0n), forkRoyaltyBps: 0 }
    const reads = {
      listing: async () => ({ tokenId: id, seller: nobody, price: price(), ...terms }),
    }
    const kept = keptReads(reads as unknown as Reads, state.version)
    await kept.listing(id)
    await state.changing(() => Promise.reject(new Error('refused'))).catch(() => undefined)
    expect((await kept.listing(id))?.price).toBe(2n)
  })

  it('tells one token and one account from all others', async () => {
    const ids = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(tokenId)
    const accounts = fc
      .uint8Array({ minLength: 20, maxLength: 20 })
      .map((it) => account(`0x${Buffer.from(it).toString('hex')}`))
    const asked = fc.tuple(ids, accounts)
    await fc.assert(
      fc.asyncProperty(fc.array(asked, { minLength: 1 }), async (questions) => {
        const reads = {
          access: async (of: bigint, by: string) => ({ of, by }),
          listing: async (of: bigint) => ({ of }),
          provenance: async (of: bigint) => ({ of }),
        }
        const kept = keptReads(reads as unknown as Reads, () => 0)
        for (const [of, by] of [...questions, ...questions]) {
          expect(await kept.access(of, by)).toEqual({ of, by })
          expect(await kept.listing(of)).toEqual({ of })
          expect(await kept.provenance(of)).toEqual({ of })
        }
      }),
    )
  })

  it('does not contain that a token is unknown', async () => {
    const { kept, write } = register(async () => undefined)
    expect(await kept.provenance(id)).toBeUndefined()
    await write(1)
    expect(await kept.provenance(id)).toMatchObject({ tokenId: id })
  })

  it('contains what is recorded of a token for ever, whatever is written', async () => {
    const { kept, write, asked } = register(async () => undefined)
    for (let next = 1; next <= 3; next++) {
      await write(next)
      await kept.provenance(id)
    }
    expect(asked()).toBe(1)
  })
})
