import { maxLineageDepth } from '@heirloom/core'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  freeTerms,
  listToken,
  openHarness,
  post,
  type ServerHarness,
} from '../../../test/server-harness.ts'

let harness: ServerHarness
beforeEach(() => {
  harness = openHarness()
})

const get = async (url: string) => (await harness.server.inject({ url })).json()
const fork = (id: string, body: object = {}) => post(harness, `/api/marketplace/fork/${id}`, body)

/** Lists a token for fork at 1 wei with a share, forks it, and returns the child. */
async function forked(id: string, forkRoyaltyBps: number): Promise<string> {
  const terms = { ...freeTerms, tokenId: id, forkPrice: '1', forkRoyaltyBps }
  await post(harness, '/api/marketplace/list', terms)
  return (await fork(id)).json().tokenId
}

describe('a listing', () => {
  test('has the royalty that a fork would add, and the total that it would owe', async () => {
    const root = await listToken(harness, { forkPrice: '1', forkRoyaltyBps: 6000 })
    const child = await forked(root, 6000)
    const own = { effectiveRoyaltyBps: 0, totalRoyaltyBps: 6000, canBeForked: true }
    expect(await get(`/api/marketplace/listings/${child}`)).toMatchObject(own)
    await forked(child, 6000)
    const capped = { forkRoyaltyBps: 6000, effectiveRoyaltyBps: 4000, totalRoyaltyBps: 10_000 }
    expect(await get(`/api/marketplace/listings/${child}`)).toMatchObject(capped)
    const { token } = await get(`/api/memory/${child}/lineage`)
    expect(token.listing).toMatchObject({ ...capped, canBeForked: true })
  })

  test('says when a token cannot be forked any more, and a fork is refused with `lineage/too-deep`', async () => {
    let last = await listToken(harness, { forkPrice: '1' })
    for (let made = 0; made < maxLineageDepth; made++) last = await forked(last, 0)
    const terms = { ...freeTerms, tokenId: last, forkPrice: '1', forkRoyaltyBps: 0 }
    await post(harness, '/api/marketplace/list', terms)
    const shown = await get(`/api/marketplace/listings/${last}`)
    expect(shown).toMatchObject({ isForFork: true, canBeForked: false })
    const reply = await fork(last)
    expect([reply.statusCode, reply.json()]).toMatchObject([
      409,
      { code: 'lineage/too-deep', facts: { tokenId: last, limit: maxLineageDepth } },
    ])
  })
})

describe('a fork', () => {
  test('owes at most `maxRoyaltyBps` in total, or is refused with `listing/royalty-changed`', async () => {
    const root = await listToken(harness, { forkPrice: '1', forkRoyaltyBps: 300 })
    const child = await forked(root, 300)
    const terms = { ...freeTerms, tokenId: child, forkPrice: '1', forkRoyaltyBps: 200 }
    await post(harness, '/api/marketplace/list', terms)
    const refused = await fork(child, { maxRoyaltyBps: 499 })
    expect([refused.statusCode, refused.json()]).toMatchObject([
      409,
      {
        code: 'listing/royalty-changed',
        facts: { tokenId: child, royaltyBps: 500, accepted: 499 },
      },
    ])
    expect((await fork(child, { maxRoyaltyBps: 500 })).statusCode).toBe(201)
  })

  test.each([-1, 10_001, 0.5, '500'])('takes no `maxRoyaltyBps` of %j', async (maxRoyaltyBps) => {
    const root = await listToken(harness, { forkPrice: '1' })
    const reply = await fork(root, { maxRoyaltyBps })
    expect([reply.statusCode, reply.json().code]).toEqual([400, 'request/malformed'])
  })

  test('splits a price among its claims, oldest first', async () => {
    const root = await listToken(harness, { forkPrice: '1' })
    const last = await forked(await forked(root, 1000), 2500)
    const { split } = await get(`/api/memory/${last}/lineage?price=1001`)
    expect(split).toMatchObject({
      price: '1001',
      royalties: [
        { amount: '100', tokenId: root },
        { amount: '250', tokenId: '2' },
      ],
      rest: '651',
    })
  })
})
