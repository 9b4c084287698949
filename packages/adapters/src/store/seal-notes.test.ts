import { account, digest, type FailureCode, hash, isFailure, tokenId } from '@heirloom/core'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { SealBounds } from './seal-bounds.ts'
import { countSeals, hasSealFor, type SealRequest, sealNotes } from './seal-notes.ts'
import { sqliteStore } from './sqlite.ts'

const ada = account('0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
const ben = account(`0x${'2b'.repeat(20)}`)
const registry = { chainId: 1, address: ben }
const hex = (id: number) => `0x${id.toString(16).padStart(64, '0')}`
const blobsOf = (id: number) => ({
  contentHash: hash(hex(3 * id)),
  digest: digest(hex(3 * id + 1)),
  card: digest(hex(3 * id + 2)),
  recipient: ben,
  parent: tokenId(7n),
})
const unbounded = { seals: 0, bytes: 0 }
const noBounds: SealBounds = { perAccount: unbounded, perClient: unbounded, inAll: unbounded }

const requestOf = (proof: string, more: Partial<SealRequest> = {}): SealRequest => ({
  creator: ada,
  client: 'here',
  proof,
  body: 'body',
  key: undefined,
  ...more,
})

async function openNotes() {
  const store = await sqliteStore(':memory:')
  onTestFinished(store.close)
  const notes = sealNotes(store, registry)
  const reserve = (request: SealRequest, space: { bytes?: number; bounds?: SealBounds } = {}) =>
    notes.reserve(request, { bytes: 1, bounds: noBounds, storedAt: 1, expiresAt: 10, ...space })
  /** Adds an unminted seal. */
  const add = async (id: number, more: Partial<SealRequest> = {}) => {
    const reserved = (await reserve(requestOf(`proof ${id}`, more))) ?? ''
    expect(await notes.complete(reserved, blobsOf(id))).toBe(true)
    return reserved
  }
  return { store, notes, reserve, add }
}

describe('the notes of seals', () => {
  test('find a seal by its proof and by its key, with all that its creator mints', async () => {
    const { notes, add } = await openNotes()
    const id = await add(1, { key: 'key' })
    const note = { id, creator: ada, body: 'body', storedAt: 1, expiresAt: 10, ...blobsOf(1) }
    for (const request of [
      { proof: 'proof 1', key: undefined },
      { proof: 'proof 2', key: 'key' },
    ]) {
      expect(await notes.find(request)).toEqual({
        id,
        state: 'unminted',
        body: 'body',
        storedAt: 1,
        note,
      })
    }
    expect(await notes.find({ proof: 'proof 2', key: 'other' })).toBe(undefined)
    expect(await notes.find({ proof: 'proof 2', key: undefined })).toBe(undefined)
  })

  test('seal once for a proof, whatever its key, and once for a key', async () => {
    const { add, reserve } = await openNotes()
    await add(1, { key: 'key' })
    expect(await reserve(requestOf('proof 1'))).toBe(undefined)
    expect(await reserve(requestOf('proof 1', { key: 'other' }))).toBe(undefined)
    expect(await reserve(requestOf('proof 2', { key: 'key' }))).toBe(undefined)
    expect(await reserve(requestOf('proof 2'))).toEqual(expect.any(String))
  })

  test('complete no reservation that was released, and end a wait once', async () => {
    const { store, notes, reserve, add } = await openNotes()
    const released = (await reserve(requestOf('proof 9'))) ?? ''
    await notes.release(released)
    expect(await notes.complete(released, blobsOf(9))).toBe(false)
    const id = await add(1)
    await notes.release(id)
    expect(await hasSealFor(store, blobsOf(1).digest)).toBe(true)
    expect([await notes.end(id, 'minted'), await notes.end(id, 'expired')]).toEqual([true, false])
    expect(await hasSealFor(store, blobsOf(1).card)).toBe(true)
  })

  test('refer to no blob of an expired seal, and free its key', async () => {
    const { store, notes, add, reserve } = await openNotes()
    const id = await add(1, { key: 'key' })
    expect(await notes.end(id, 'expired')).toBe(true)
    expect(await hasSealFor(store, blobsOf(1).digest)).toBe(false)
    expect((await notes.expired()).map((it) => it.digest)).toEqual([blobsOf(1).digest])
    expect(await reserve(requestOf('proof 2', { key: 'key' }))).toEqual(expect.any(String))
  })

  test('forget old reservations and expired seals, and nothing else', async () => {
    const { store, notes, add, reserve } = await openNotes()
    for (const id of [1, 2, 3]) await add(id)
    const [, two, three] = await notes.unminted(11, 9)
    await notes.end(two?.id ?? '', 'minted')
    await notes.end(three?.id ?? '', 'expired')
    await reserve(requestOf('proof 4'))
    await notes.forget({ storing: 1, expired: 10 })
    expect(await countSeals(store)).toMatchObject({ storing: { seals: 1 }, expired: { seals: 1 } })
    await notes.forget({ storing: 2, expired: 11 })
    expect(await countSeals(store)).toEqual({
      storing: unbounded,
      expired: unbounded,
      unminted: { seals: 1, bytes: 1 },
      minted: { seals: 1, bytes: 1 },
    })
  })

  test('of another registry wait for a server of that registry', async () => {
    const { store, notes, add } = await openNotes()
    await add(1)
    const others = sealNotes(store, { ...registry, chainId: 2 })
    for (const [those, count] of [
      [notes, 1],
      [others, 0],
    ] as const) {
      expect(await those.unminted(11, 9)).toHaveLength(count)
      expect(await those.unmintedOf(ada, blobsOf(1).contentHash)).toHaveLength(count)
    }
  })

  test('name the client only while it counts', async () => {
    const { store, notes, add } = await openNotes()
    await notes.end(await add(1), 'minted')
    expect(await store.db.selectFrom('seal').select('client').execute()).toEqual([{ client: '' }])
  })
})

/** The model of the bounds: the unminted seals, and what each of them takes. */
type Taken = { readonly creator: string; readonly client: string; readonly bytes: number }

const refusalOf = (
  taken: readonly Taken[],
  next: Taken,
  bounds: SealBounds,
): FailureCode | undefined => {
  const exceeds = (group: readonly Taken[], { seals, bytes }: { seals: number; bytes: number }) => {
    const sum = [...group, next].reduce((total, it) => total + it.bytes, 0)
    return (seals > 0 && group.length + 1 > seals) || (bytes > 0 && sum > bytes)
  }
  const own = taken.filter(({ creator }) => creator === next.creator)
  const ofClient = taken.filter(({ client }) => client === next.client)
  if (exceeds(own, bounds.perAccount) || exceeds(ofClient, bounds.perClient)) return 'seal/too-many'
  if (exceeds(taken, { ...bounds.inAll, bytes: 0 })) return 'seal/too-many'
  return exceeds(taken, bounds.inAll) ? 'seal/no-room' : undefined
}

const bound = fc.record({ seals: fc.nat({ max: 4 }), bytes: fc.nat({ max: 12 }) })
const step = fc.record({
  creator: fc.constantFrom(ada, ben),
  client: fc.constantFrom('here', 'there'),
  bytes: fc.integer({ min: 1, max: 4 }),
  isMinted: fc.boolean(),
})
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

async function play(steps: readonly Step[], bounds: SealBounds): Promise<void> {
  const store = await sqliteStore(':memory:')
  const notes = sealNotes(store, registry)
  const taken: Taken[] = []
  for (const [at, { creator, client, bytes, isMinted }] of steps.entries()) {
    const next = { creator, client, bytes }
    const space = { bytes, bounds, storedAt: 1, expiresAt: 9 }
    const [outcome, id] = await notes.reserve(requestOf(`${at}`, { creator, client }), space).then(
      (reserved) => [undefined, reserved ?? ''] as const,
      (error: unknown) => [isFailure(error) ? error.code : error, ''] as const,
    )
    expect(outcome).toBe(refusalOf(taken, next, bounds))
    if (outcome !== undefined) continue
    expect(await notes.complete(id, blobsOf(at))).toBe(true)
    if (isMinted) await notes.end(id, 'minted')
    else taken.push(next)
  }
  await store.close()
}

test('no bound is ever exceeded by what is not minted, and none refuses too early', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 12 }),
      fc.record({ perAccount: bound, perClient: bound, inAll: bound }),
      play,
    ),
    { numRuns: 60 },
  ))
