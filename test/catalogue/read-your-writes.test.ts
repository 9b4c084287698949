import { digest, hash } from '@heirloom/core'
import { memoryHarness, type Party } from '@heirloom/testkit'
import { describe, expect, it } from 'vitest'
import { readYourWrites } from '../../packages/http/src/server/read-your-writes.ts'
import { post, type Snapshot } from '../harness/process/server.ts'
import { sharedServer } from '../harness/process/shared-server.ts'

describe('a server', () => {
  const server = sharedServer()

  const read = async (path: string) => (await fetch(`${server.url}${path}`)).json()

  it('shows a write as soon as it is answered', async () => {
    for (let nth = 1; nth <= 30; nth += 1) {
      const body = `{"data":{"nth":${nth}},"metadata":{"category":"x"}}`
      const minted = await post(server.url, '/api/memory/snapshot', body)
      const { tokenId } = (await minted.json()) as Snapshot
      expect(await read(`/api/memory/${tokenId}/lineage`)).toMatchObject({ token: { tokenId } })

      const terms = `{"tokenId":"${tokenId}","price":"${nth}","rentalPricePerDay":"0","forkPrice":"0","forkRoyaltyBps":0}`
      await post(server.url, '/api/marketplace/list', terms)
      const { items } = (await read('/api/marketplace/listings?limit=100')) as {
        items: readonly object[]
      }
      expect(items).toHaveLength(nth)
    }
  })
})

describe('a catalogue that cannot catch up', () => {
  it('lets one read wait for a write, then shows what is indexed', async () => {
    const { parties, catalogue } = memoryHarness()
    const [{ ledger }] = parties as readonly [Party]
    let waited = 0
    const caughtUp = (signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        waited += 1
        signal?.addEventListener('abort', () => resolve())
      })
    const own = readYourWrites(ledger, { ...catalogue, caughtUp }, () => {
      const expired = new AbortController()
      setImmediate(() => expired.abort())
      return expired.signal
    })
    const mint = () =>
      own.ledger.mint({
        contentHash: hash(`0x${'01'.repeat(32)}`),
        digest: digest(`0x${'02'.repeat(32)}`),
        parent: undefined,
        recipient: ledger.agent,
      })
    const reads = async () => {
      const { items } = await own.catalogue.tokens({ limit: 10 })
      return [items.length, waited]
    }

    expect(await reads()).toEqual([0, 0])
    await mint()
    expect(await reads()).toEqual([1, 1])
    expect(await reads()).toEqual([1, 1])
    await mint()
    expect(await Promise.all([reads(), reads()])).toEqual([
      [2, 2],
      [2, 2],
    ])
  })
})
