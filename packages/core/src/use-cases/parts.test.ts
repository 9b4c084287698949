import { describe, expect, test } from 'vitest'
import {
  bundle,
  failsWith,
  memoryFixture,
  unknown,
} from '../../../../test/harness/memory-fixture.ts'
import type { PathQuery } from '../json/path-query.ts'
import { type MemoryService, memoryService } from '../memory-service.ts'
import { withoutErased } from '../ports/erasures.ts'
import type { Answered } from '../recall/answer-question.ts'
import { challenge } from '../tokens/access.ts'
import type { OpenedScope, RecordedOpening } from '../tokens/opening.ts'
import type { Instant, TokenId } from '../values/branded.ts'
import { wei } from '../values/decimal.ts'
import { day, instant } from '../values/time.ts'
import { buy } from './buy.ts'
import type { ReaderProof } from './prove-account.ts'
import type { Answering } from './read-inside.ts'
import { readOpenings } from './read-token.ts'
import { snapshot } from './snapshot.ts'

const bounds = { depth: 1, width: 9, from: 0 }
const every = { limit: 9, mostBytes: 1e6 }

async function partsFixture() {
  const fixture = memoryFixture()
  const { tokenId } = await snapshot(fixture.ports, { bundle })
  return { ...fixture, tokenId, service: memoryService(fixture.ports) }
}

describe('outline, part and searchIn', () => {
  test('read inside a memory, with the digest of the bundle', async () => {
    const { service, tokenId, prove, ports, author } = await partsFixture()
    const proof = await prove(tokenId)
    const { digest } = (await ports.ledger.access(tokenId, author.ledger.agent)) ?? {}
    const source = { digest, documentLength: JSON.stringify(bundle).length }
    expect(await service.outline({ tokenId, proof, pointer: '/data', ...bounds })).toEqual({
      ...source,
      outline: {
        pointer: '/data',
        type: 'object',
        bytes: 16,
        count: 1,
        members: [{ pointer: '/data/goal', type: 'string', bytes: 7 }],
      },
    })
    const { text, ...partSource } = await service.part({ tokenId, proof, pointer: '/data/goal' })
    expect(partSource).toEqual(source)
    expect(new TextDecoder().decode(text)).toBe('"learn"')
    expect(await service.searchIn({ tokenId, proof, text: 'LEA', ...every })).toEqual({
      ...source,
      matches: [
        { pointer: '/data/goal', in: 'value', offset: 0, before: '', match: 'lea', after: 'rn' },
      ],
    })
  })

  test('have the gate of a download, and open nothing before it', async () => {
    const { ports, tokenId, prove, stranger } = await partsFixture()
    const get = () => Promise.reject(new Error('nothing may be read'))
    const guarded = memoryService({ ...ports, blobStore: { ...ports.blobStore, get, head: get } })
    const denied = await prove(tokenId, { by: stranger })
    const stale = { ...(await prove(tokenId)), timestamp: denied.timestamp - 121 }
    for (const [id, proof, code] of [
      [tokenId, stale, 'proof/stale'],
      [tokenId, { ...denied, account: ports.ledger.agent }, 'proof/not-signed'],
      [unknown, await prove(unknown), 'token/not-found'],
      [tokenId, denied, 'access/denied'],
    ] as const) {
      const read = { tokenId: id as TokenId, proof }
      const refused = failsWith(code)
      await expect(guarded.outline({ ...read, pointer: '', ...bounds })).rejects.toEqual(refused)
      await expect(guarded.part({ ...read, pointer: '' })).rejects.toEqual(refused)
      await expect(guarded.searchIn({ ...read, text: 'a', ...every })).rejects.toEqual(refused)
    }
  })

  test('answer a question, and nothing when the token is sold while the memory is read', async () => {
    const { service, tokenId, prove, ports, stranger } = await partsFixture()
    const answers = [{ pointer: '/data/goal', offset: 0, text: 'learn', phrase: 0, weights: [1] }]
    const answered = { answers, statistics: { items: 1, words: [] } } as unknown as Answered
    const question = { tokenId, proof: await prove(tokenId), text: 'learning', ...every }
    let document = ''
    const answer: Answering = async ({ read }) => {
      document = new TextDecoder().decode(await read())
      return answered
    }
    const posed = { ...question, each: 'item', answer } as const
    expect((await service.searchIn(posed)).matches).toMatchObject([
      { pointer: '/data/goal', in: 'value', match: 'learn', item: { phrase: 0 } },
    ])
    expect(JSON.parse(document)).toEqual(bundle)
    const none: Answering = async () => undefined
    const asItStands = await service.searchIn({ ...posed, text: 'learn', answer: none })
    expect(asItStands).toMatchObject({ matches: [{ match: 'learn' }], isTooLarge: true })
    const price = {
      price: wei(5n),
      rentalPricePerDay: wei(0n),
      forkPrice: wei(0n),
      forkRoyaltyBps: 0,
    }
    await service.list({ tokenId, ...price })
    const sell: Answering = async () => {
      await buy({ ...ports, ledger: stranger.ledger }, { tokenId, maxPrice: wei(5n) })
      return answered
    }
    await expect(service.searchIn({ ...posed, answer: sell })).rejects.toEqual(
      failsWith('access/denied'),
    )
  })

  test('answer nothing from a memory that is erased while it is read', async () => {
    const { tokenId, prove, ports } = await partsFixture()
    let erasedAt: Instant | undefined
    const blobStore = withoutErased(ports.blobStore, { find: () => erasedAt })
    const answer: Answering = async ({ read }) => {
      await read()
      erasedAt = ports.clock.now()
      return { answers: [], statistics: { items: 0, words: [] }, misspelt: [] }
    }
    const posed = { tokenId, proof: await prove(tokenId), text: 'x', each: 'item', answer } as const
    const service = memoryService({ ...ports, blobStore })
    await expect(service.searchIn({ ...posed, ...every })).rejects.toMatchObject({
      code: 'memory/erased',
    })
  })

  test('refuse a copied memory', async () => {
    const { ports, tokenId, prove, stranger, author } = await partsFixture()
    const original = await ports.ledger.access(tokenId, author.ledger.agent)
    if (original === undefined) throw new RangeError('the token was minted')
    const { contentHash, digest } = original
    const recipient = stranger.ledger.agent
    const copy = await stranger.ledger.mint({ contentHash, digest, parent: undefined, recipient })
    const read = { tokenId: copy.tokenId, proof: await prove(copy.tokenId, { by: stranger }) }
    const service = memoryService({ ...ports, ledger: stranger.ledger })
    const refused = failsWith('access/copied')
    await expect(service.part({ ...read, pointer: '' })).rejects.toEqual(refused)
    await expect(service.outline({ ...read, pointer: '', ...bounds })).rejects.toEqual(refused)
    await expect(service.searchIn({ ...read, text: 'a', ...every })).rejects.toEqual(refused)
  })

  test('can be refused before the memory is opened, and before a part is read', async () => {
    const { service, tokenId, prove } = await partsFixture()
    const proof = await prove(tokenId)
    const refuse = () => Promise.reject(new RangeError('full'))
    const read = { tokenId, proof, pointer: '/data' }
    await expect(service.part({ ...read, beforeOpening: refuse })).rejects.toThrow('full')
    await expect(service.part({ ...read, beforeReading: refuse })).rejects.toThrow('full')
    await expect(service.part({ ...read, pace: refuse })).rejects.toThrow('full')
  })
})

/** The scope in which each use case opens a memory for a reader; `false` for one that opens none. */
const opened = {
  snapshot: false,
  save: false,
  download: 'whole',
  outline: 'part',
  part: 'part',
  searchIn: 'search',
  selectIn: 'part',
  isOwn: false,
  list: false,
  buy: false,
  rent: false,
  fork: false,
  royalty: false,
  provenance: false,
  listing: false,
  proveCreator: false,
  seal: false,
  readSalt: false,
} as const satisfies Record<keyof MemoryService, OpenedScope | false>

const query: PathQuery = { path: '$.data', prefix: ['data'] }
const room = { limit: 1, room: 99, stretchBytes: 99, mostBytes: 99 }

/** Calls the use cases that open a memory, or ask its gate. */
const readsOf = (service: MemoryService, read: ReaderProof) => ({
  download: () => service.download(read),
  outline: () => service.outline({ ...read, pointer: '', ...bounds }),
  part: () => service.part({ ...read, pointer: '/data/goal' }),
  searchIn: () => service.searchIn({ ...read, text: 'learn', ...every }),
  selectIn: () => service.selectIn({ ...read, ...room, query }),
  isOwn: () => service.isOwn({ ...read, reader: { savers: [], creators: [] } }),
})

async function recordedFixture() {
  const fixture = await partsFixture()
  const recorded: RecordedOpening[] = []
  const ports = {
    ...fixture.ports,
    openings: { record: (it: RecordedOpening) => recorded.push(it) },
  }
  return { ...fixture, ports, recorded, service: memoryService(ports) }
}

describe('openings', () => {
  test('are recorded by each use case that opens a memory, once, and by no other one', async () => {
    const { service, tokenId, prove, recorded, author, world } = await recordedFixture()
    const account = author.ledger.agent
    const read = { tokenId, proof: await prove(tokenId) }
    for (const [name, run] of Object.entries(readsOf(service, read))) {
      await run()
      const scope = opened[name as keyof MemoryService]
      const second = Math.floor(world.now() / 1000) * 1000
      const opening = { tokenId, owner: account, account, scope, right: { kind: 'owner' } }
      const expected = { ...opening, at: second, seconds: 1, count: 1 }
      expect(recorded.splice(0)).toMatchObject(scope === false ? [] : [expected])
    }
    const untested = Object.keys(opened).filter((it) => !(it in readsOf(service, read)))
    expect(untested.filter((it) => opened[it as keyof MemoryService] !== false)).toEqual([])
  })

  test('are not recorded of what was refused, or gave nothing', async () => {
    const { service, tokenId, prove, recorded, stranger } = await recordedFixture()
    const own = { tokenId, proof: await prove(tokenId) }
    const denied = { tokenId, proof: await prove(tokenId, { by: stranger }) }
    const unproven = { tokenId, proof: { ...own.proof, timestamp: own.proof.timestamp - 121 } }
    for (const reads of [denied, unproven].map((read) => readsOf(service, read))) {
      for (const run of Object.values(reads)) await expect(run()).rejects.toBeDefined()
    }
    const full = async () => Promise.reject(new RangeError('full'))
    await expect(service.download({ ...own, beforeOpening: full })).rejects.toThrow('full')
    await expect(service.part({ ...own, pointer: '/none' })).rejects.toBeDefined()
    expect(recorded).toEqual([])
  })

  test('are read for their owner, and the contract of no other account runs', async () => {
    const { ports, tokenId, prove, author, stranger } = await recordedFixture()
    let [runs, lists] = [0, 0]
    const isSignedByContract = async () => {
      runs += 1
      return false
    }
    const isSignedByKey = async () => undefined
    const ledger = { ...ports.ledger, isSignedByKey, isSignedByContract }
    const parts = {
      ...ports,
      ledger,
      openings: {
        has: async () => false,
        list: async () => {
          lists += 1
          return { items: [], next: undefined }
        },
      },
    }
    const read = async (by: typeof author) => {
      const proof = await prove(tokenId, { by })
      const signed = { proof, challenges: [challenge] }
      return readOpenings(parts, { tokenId, account: proof.account, signed, limit: 1 })
    }
    await expect(read(stranger)).rejects.toEqual(failsWith('proof/not-signed'))
    expect(runs).toBe(0)
    await expect(read(author)).rejects.toEqual(failsWith('proof/not-signed'))
    // A list has the store write what waits for it: nobody causes that who proved nothing.
    expect([runs, lists]).toEqual([1, 0])
  })

  test('have the owner of their time, and of a renter neither account nor more than the day', async () => {
    const { service, ports, tokenId, prove, recorded, author, stranger } = await recordedFixture()
    const [seller, buyer] = [author.ledger.agent, stranger.ledger.agent]
    const prices = { price: wei(5n), rentalPricePerDay: wei(1n), forkPrice: wei(0n) }
    await service.list({ tokenId, ...prices, forkRoyaltyBps: 0 })
    const others = memoryService({ ...ports, ledger: stranger.ledger })
    await others.rent({ tokenId, days: 2 })
    const bySeller = async () => ({ tokenId, proof: await prove(tokenId) })
    const byBuyer = async () => ({ tokenId, proof: await prove(tokenId, { by: stranger }) })
    await service.download(await byBuyer())
    const today = instant(Math.floor(ports.clock.now() / day) * day)
    const { digest } = (await ports.ledger.access(tokenId, buyer)) ?? {}
    const rental = { tokenId, digest, owner: seller, right: { kind: 'rental' } }
    expect(recorded).toEqual([{ ...rental, at: today, seconds: 86_400, count: 1 }])

    await others.buy({ tokenId, maxPrice: wei(5n) })
    await service.download(await byBuyer())
    await expect(service.download(await bySeller())).rejects.toEqual(failsWith('access/denied'))
    expect(recorded.slice(1)).toMatchObject([{ owner: buyer, right: { kind: 'owner' } }])
  })

  test('are dated by the block that gave the right where the clock is behind it', async () => {
    const { service, ports, tokenId, prove, recorded, author } = await recordedFixture()
    const proof = await prove(tokenId)
    const access = await ports.ledger.access(tokenId, author.ledger.agent)
    const asOf = instant((access?.asOf ?? 0) + 60_000)
    const ahead = { ...ports.ledger, access: async () => access && { ...access, asOf } }
    await memoryService({ ...ports, ledger: ahead }).download({ tokenId, proof })
    await service.download({ tokenId, proof })
    expect(recorded.map((it) => it.at)).toEqual(
      [asOf, access?.asOf].map((it) => (it === undefined ? it : instant(it - (it % 1000)))),
    )
  })
})
