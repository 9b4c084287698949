import { describe, expect, test } from 'vitest'
import {
  bundle,
  failsWith,
  memoryFixture,
  unknown,
} from '../../../../test/harness/memory-fixture.ts'
import { memoryService } from '../memory-service.ts'
import { withoutErased } from '../ports/erasures.ts'
import type { Answered } from '../recall/answer-question.ts'
import type { Instant, TokenId } from '../values/branded.ts'
import { wei } from '../values/decimal.ts'
import { buy } from './buy.ts'
import type { Answering } from './read-inside.ts'
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
