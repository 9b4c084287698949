import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { heliaBlobStorage } from '@heirloom/adapters/blob-store'
import type { SqlCatalogue } from '@heirloom/adapters/catalogue'
import type { DecidedMint } from '@heirloom/adapters/internal/failed-mints'
import { countSeals, hasSealFor, sealNotes } from '@heirloom/adapters/internal/seal-notes'
import { sqliteJobStore } from '@heirloom/adapters/job-store'
import {
  type Digest,
  Failure,
  type Hex,
  hash,
  isFailure,
  memoryService,
  type OpenBlobStore,
  type seal,
  tokenId,
  wei,
} from '@heirloom/core'
import {
  memoryBlobStore,
  memoryCatalogue,
  memoryChain,
  memoryCipher,
  stoppedClock,
} from '@heirloom/testkit'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sealingOver, sealSettings } from '../../../test/sealing-over.ts'
import { addressOf, memory, other, stranger } from '../../../test/server-harness.ts'
import { mintWatch } from './mint-watch.ts'

const lifetime = 4000
const creator = addressOf(other)

/** Opens a watch over a chain in memory, and functions that seal and mint. */
async function openWatch({
  blobStore = memoryBlobStore() as Pick<OpenBlobStore, 'put' | 'get' | 'head' | 'remove'>,
} = {}) {
  const clock = stoppedClock()
  const chain = memoryChain({ clock })
  for (const wallet of [other, stranger]) chain.fund(addressOf(wallet), wei(1000n))
  const store = await sqliteJobStore(':memory:')
  onTestFinished(store.close)
  const ledger = chain.ledger(addressOf(stranger))
  const notes = sealNotes(store, ledger.registry)
  const service = memoryService({ blobStore, cipher: memoryCipher(), clock, ledger })
  const troubles: unknown[] = []
  const shown = memoryCatalogue({ chain })
  /** Whether the catalogue has read the head, and up to which token it shows the chain. */
  const waiting = Promise.withResolvers<void>()
  const view = {
    isDown: false,
    lags: false,
    namesCards: false,
    shows: Number.POSITIVE_INFINITY,
    hides: 0,
  }
  const guard = () => {
    if (view.isDown) throw new Failure('catalogue/unavailable', { operation: 'read' })
  }
  const catalogue = {
    ...shown,
    caughtUp: async (signal?: AbortSignal) => {
      guard()
      if (!view.lags) return
      waiting.resolve()
      await new Promise((resolve) => signal?.addEventListener('abort', resolve))
    },
    tokens: async (query: Parameters<typeof shown.tokens>[0]) => {
      guard()
      const page = await shown.tokens({ ...query, limit: 100 })
      const isShown = ({ tokenId: id }: { readonly tokenId: bigint }) =>
        id <= view.shows && id !== BigInt(view.hides)
      const items = page.items.filter(isShown).slice(0, query.limit)
      return { ...page, items }
    },
    namesCard: async () => view.namesCards,
    mintOf: async ({ creator, digest }: Parameters<SqlCatalogue['mintOf']>[0]) => {
      const { items } = await catalogue.tokens({ creator, limit: 100 })
      return items.find((it) => it.digest === digest)?.tokenId
    },
    eventsAfter: async (...all: Parameters<typeof shown.eventsAfter>) => {
      guard()
      const { entries, ...batch } = await shown.eventsAfter(...all)
      return {
        ...batch,
        entries: entries.filter(
          (it) => it.tokenId <= view.shows && it.tokenId !== BigInt(view.hides),
        ),
      }
    },
  }
  async function* minted() {
    for (let id = 1n; ; id++) {
      const record = chain.provenance(tokenId(id))
      if (record === undefined) return
      yield { ...record, isFork: false }
    }
  }
  const onTrouble = (error: unknown) => void troubles.push(error)
  const claimed: Digest[] = []
  const claiming = { ...blobStore, claim: async (it: Digest) => void claimed.push(it) }
  const failing: DecidedMint[] = []
  async function* failed() {
    yield* failing
  }
  const open = () =>
    mintWatch({ notes, catalogue, minted, failed, blobStore: claiming, clock, lifetime, onTrouble })
  const watch = open()
  onTestFinished(watch.close)
  const settings = { ...sealSettings, lifetime }
  const registry = ledger.registry
  const parts = {
    service,
    clock,
    registry,
    blobStore: { ...blobStore, claim: async () => undefined },
  }
  const sealing = sealingOver(store, { ...parts, settings, onNoted: watch.wake })
  let timestamp = 0
  const sealOne = (card?: { readonly title: string }) =>
    sealing.seal({
      bundle: memory,
      card,
      creator,
      client: 'here',
      idempotencyKey: undefined,
      timestamp: timestamp++,
      bodyDigest: `0x${'ab'.repeat(32)}` as Hex,
    })
  const mint = (wallet: typeof other, pair: Pick<seal.Output, 'contentHash' | 'digest'>) => {
    const { contentHash, digest } = pair
    const token = { contentHash, digest, parent: undefined, recipient: addressOf(wallet) }
    return chain.ledger(addressOf(wallet)).mint(token)
  }
  const counts = async () => {
    const { unminted, minted: done, expired } = await countSeals(store)
    return [unminted.seals, done.seals, expired.seals]
  }
  const isStored = (digest: Digest) =>
    blobStore.get(digest).then(
      () => true,
      (error: unknown) => !isFailure(error, 'blob/not-found'),
    )
  return {
    clock,
    view,
    watch,
    open,
    claimed,
    failing,
    put: (bytes: Uint8Array) => blobStore.put(bytes),
    sealOne,
    mint,
    counts,
    isStored,
    store,
    troubles,
    notes,
    waiting,
  }
}

describe('a sealed memory', () => {
  test('is adopted when its creator mints it, and by no mint of another', async () => {
    const { sealOne, mint, counts, watch } = await openWatch()
    const sealed = await sealOne()
    await mint(stranger, sealed)
    await watch.sweep()
    expect(await counts()).toEqual([1, 0, 0])
    await mint(other, { ...sealed, digest: `0x${'cd'.repeat(32)}` as Digest })
    await watch.sweep()
    expect(await counts()).toEqual([1, 0, 0])
    await mint(other, sealed)
    await expect.poll(counts).toEqual([0, 1, 0])
    await mint(other, sealed)
    await watch.sweep()
    expect(await counts()).toEqual([0, 1, 0])
  })

  test('is removed when nobody minted it, after a quarter of its time beyond its end', async () => {
    const { sealOne, counts, watch, clock, isStored, store } = await openWatch()
    const { digest, expiresAt } = await sealOne()
    clock.advance(expiresAt - clock.now() + lifetime / 4)
    await watch.sweep()
    expect([await counts(), await isStored(digest)]).toEqual([[1, 0, 0], true])
    clock.advance(1)
    await watch.sweep()
    expect([await counts(), await isStored(digest)]).toEqual([[0, 0, 1], false])
    expect(await hasSealFor(store, digest)).toBe(false)
    clock.advance(8 * 86_400_000)
    await watch.sweep()
    expect(await counts()).toEqual([0, 0, 0])
  })

  test.each([true, false])(
    'is removed with its card, unless a token names that: %s',
    async (isNamed) => {
      const { sealOne, watch, view, clock, isStored } = await openWatch()
      view.namesCards = isNamed
      const { digest, card } = await sealOne({ title: 'A year of trades' })
      clock.advance(10 * lifetime)
      await watch.sweep()
      expect([await isStored(digest), await isStored(card as Digest)]).toEqual([false, isNamed])
    },
  )

  test('that a stranger copied is removed all the same', async () => {
    const { sealOne, mint, counts, watch, clock } = await openWatch()
    await mint(stranger, await sealOne())
    clock.advance(10 * lifetime)
    await watch.sweep()
    expect(await counts()).toEqual([0, 0, 1])
  })

  test('survives a mint that the catalogue does not show yet', async () => {
    const { sealOne, mint, counts, watch, clock, view, isStored } = await openWatch()
    view.shows = 0
    const sealed = await sealOne()
    await mint(stranger, sealed)
    await mint(other, sealed)
    clock.advance(10 * lifetime)
    await watch.sweep()
    expect([await counts(), await isStored(sealed.digest)]).toEqual([[0, 1, 0], true])
  })

  test('survives a mint whose event a node hid from the catalogue', async () => {
    const { sealOne, mint, counts, watch, clock, view, isStored } = await openWatch()
    Object.assign(view, { shows: 0, hides: 1 })
    const sealed = await sealOne()
    await mint(other, sealed)
    await mint(stranger, sealed)
    view.shows = Number.POSITIVE_INFINITY
    clock.advance(10 * lifetime)
    await watch.sweep()
    expect([await counts(), await isStored(sealed.digest)]).toEqual([[0, 1, 0], true])
  })

  test('is not removed while the catalogue does not answer, or has not read the head', async () => {
    const { sealOne, counts, watch, open, clock, view, isStored, troubles, waiting } =
      await openWatch()
    const { digest } = await sealOne()
    clock.advance(10 * lifetime)
    view.isDown = true
    await watch.sweep()
    expect([await counts(), troubles.length > 0]).toEqual([[1, 0, 0], true])
    Object.assign(view, { isDown: false, lags: true })
    const lagging = open()
    const sweeping = lagging.sweep()
    await waiting.promise
    await lagging.close()
    await sweeping
    expect([await counts(), await isStored(digest)]).toEqual([[1, 0, 0], true])
    view.lags = false
    await watch.sweep()
    expect([await counts(), await isStored(digest)]).toEqual([[0, 0, 1], false])
  })

  test('that was minted while no server ran is adopted by the next one', async () => {
    const { sealOne, mint, counts, watch, open } = await openWatch()
    const sealed = await sealOne()
    await watch.close()
    await mint(other, sealed)
    const next = open()
    onTestFinished(next.close)
    await next.sweep()
    expect(await counts()).toEqual([0, 1, 0])
  })

  test('that another server ended is removed here too', async () => {
    const { sealOne, notes, watch, isStored } = await openWatch()
    const { id, digest } = await sealOne()
    expect(await notes.end(id, 'expired')).toBe(true)
    expect(await isStored(digest)).toBe(true)
    await watch.sweep()
    expect(await isStored(digest)).toBe(false)
  })
})

/** The mint of the pair of a failed mint. */
type Minted = 'not at all' | 'itself' | 'by another'

describe('a mint of the server that failed', () => {
  const failedMint = (blob: Digest, card: Digest, minted: Minted) => {
    const settled: unknown[] = []
    const mint: DecidedMint = {
      creator,
      contentHash: hash(`0x${'11'.repeat(32)}`),
      digest: blob,
      card,
      tokenId: minted === 'itself' ? tokenId(7n) : undefined,
      isPairMinted: minted !== 'not at all',
      settle: async () => void settled.push(blob),
    }
    return { mint, settled }
  }

  test.each(['not at all', 'itself', 'by another'] as const)(
    'keeps its blobs only with a token of the chain: minted %s',
    async (minted) => {
      const { failing, put, watch, isStored, claimed, view } = await openWatch()
      const [blob, card] = [await put(Buffer.from('blob')), await put(Buffer.from('card'))]
      const { mint, settled } = failedMint(blob, card, minted)
      failing.push(mint)
      view.isDown = true
      await watch.sweep()
      expect([await isStored(blob), await isStored(card)]).toEqual([true, true])
      view.isDown = false
      await watch.sweep()
      const isStoredStill = minted !== 'not at all'
      expect([await isStored(blob), await isStored(card)]).toEqual([isStoredStill, isStoredStill])
      expect(new Set(claimed)).toEqual(new Set(isStoredStill ? [blob, card] : []))
      expect(settled).toContain(blob)
    },
  )
})

describe('blobs of a process that was killed', () => {
  test('before their note was durable are swept, and those with a note stay', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'killed-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const storage = heliaBlobStorage({ folder })
    const killed = await storage.open()
    const unnoted = await killed.put(new Uint8Array(64))
    const { sealOne, store, isStored } = await openWatch({ blobStore: killed })
    const { digest } = await sealOne()
    await killed.close()
    const next = await storage.open()
    onTestFinished(next.close)
    await next.sweep((it) => hasSealFor(store, it))
    await expect(next.get(unnoted)).rejects.toMatchObject({ code: 'blob/not-found' })
    expect((await next.get(digest)).length).toBeGreaterThan(0)
    expect(await isStored(digest)).toBe(true)
  })
})
