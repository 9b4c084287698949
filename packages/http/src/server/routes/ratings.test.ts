import { tokenId, wei } from '@heirloom/core'
import type { PrivateKeyAccount } from 'viem/accounts'
import { beforeEach, describe, expect, test } from 'vitest'
import { openClientHarness } from '../../../test/client-harness.ts'
import {
  addressOf,
  agent,
  deployment,
  mintToken,
  other,
  stranger,
} from '../../../test/server-harness.ts'
import { rateText } from '../../api/signed-texts.ts'
import { readRated } from '../../client/ratings.ts'

const prices = {
  price: wei(0n),
  rentalPricePerDay: wei(10n),
  forkPrice: wei(0n),
  forkRoyaltyBps: 0,
}

type Market = Awaited<ReturnType<typeof openMarket>>

/** Opens a market whose token 1 the server's wallet made, another sells, and a third has rented. */
async function openMarket() {
  const harness = await openClientHarness()
  const { client, clientAt, chain } = harness
  await mintToken(harness)
  const seller = addressOf(stranger)
  await chain.transfer(addressOf(agent), tokenId(1n), seller)
  await chain.ledger(seller).list({ tokenId: tokenId(1n), ...prices })
  await client.rent(1, { durationDays: 1, recipient: other.address })
  return {
    ...harness,
    renter: clientAt({ account: other }),
    visitor: clientAt({ account: stranger }),
  }
}

let market: Market
beforeEach(async () => {
  market = await openMarket()
})

/** Returns the headers of a rating for this server, but for a flaw. */
async function headersFor(
  by: PrivateKeyAccount,
  flaws: Partial<Parameters<typeof rateText>[1]> & { host?: string } = {},
) {
  const { host = new URL(market.url).host, ...more } = flaws
  const timestamp = Math.floor(Number(market.clock.now()) / 1000)
  const claim = {
    tokenId: '1',
    account: by.address,
    timestamp,
    score: 4,
    comment: 'Good.',
    ...more,
  }
  const place = { host, chainId: deployment.chainId, registry: deployment.registry }
  const signature = await by.signMessage({ message: rateText(place, claim) })
  return { 'x-wallet-address': by.address, 'x-timestamp': `${timestamp}`, 'x-signature': signature }
}

async function send(
  headers: Record<string, string>,
  payload: object = { score: 4, comment: 'Good.' },
  id = '1',
) {
  const { host } = new URL(market.url)
  const reply = await market.server.inject({
    method: 'POST',
    url: `/api/memory/${id}/ratings`,
    payload,
    headers: { host, ...headers },
  })
  return [reply.statusCode, reply.json().code]
}

describe('ratings', () => {
  test('are what accounts signed that paid, with their number for each score', async () => {
    const { renter, client } = market
    expect(await client.ratings(1)).toEqual({ items: [], next: null, counts: [0, 0, 0, 0, 0] })
    const first = await renter.rate({ tokenId: 1, score: 2 })
    expect(first).toMatchObject({ account: other.address, score: 2, comment: '', act: 'rent' })
    market.clock.advance(1000)
    const last = await renter.rate({ tokenId: 1, score: 5, comment: 'Better on the second day.' })
    expect(await client.ratings(1)).toEqual({ items: [last], next: null, counts: [0, 0, 0, 0, 1] })
    expect(await client.ratingCounts([2, 1])).toEqual({
      items: [
        { tokenId: '2', counts: [0, 0, 0, 0, 0] },
        { tokenId: '1', counts: [0, 0, 0, 0, 1] },
      ],
    })
    const described = await readRated(client, ['2', '1'], {})
    expect([...described]).toEqual([['1', '5.0 of 5 by 1 account that paid']])
    expect(last.message).toContain(
      `:1:${other.address}:${last.ratedAt}:5:Better on the second day.`,
    )
  })

  test('are counted for many tokens at once, of which there are at most 100', async () => {
    const read = async (tokenIds: string) => {
      const reply = await market.server.inject(`/api/ratings?tokenIds=${tokenIds}`)
      return [reply.statusCode, reply.json().code]
    }
    expect(await read(Array(100).fill('1').join())).toEqual([200, undefined])
    for (const wrong of ['', '1,', '01', '-1', 'x', Array(101).fill('1').join()]) {
      expect(await read(wrong)).toEqual([400, 'request/malformed'])
    }
    const older = { ratingCounts: () => Promise.reject(new Error('There is no such route.')) }
    expect(await readRated(older, ['1'], {})).toEqual(new Map())
  })

  test('are refused from everyone who did not pay', async () => {
    const { client, visitor } = market
    for (const by of [visitor, client]) {
      await expect(by.rate({ tokenId: 1, score: 1 })).rejects.toMatchObject({
        code: 'rating/not-paid',
      })
    }
    expect((await client.ratings(1)).counts).toEqual([0, 0, 0, 0, 0])
  })

  test('count only with a signature of this text, for this server', async () => {
    const signed = await headersFor(other)
    expect(await send(signed, { score: 5, comment: 'Good.' })).toEqual([403, 'proof/not-signed'])
    expect(await send(signed, { score: 4, comment: 'Bad.' })).toEqual([403, 'proof/not-signed'])
    const elsewhere = await headersFor(other, { host: 'elsewhere.example' })
    expect(await send(elsewhere)).toEqual([403, 'proof/not-signed'])
    expect(await send(await headersFor(other, { tokenId: '2' }))).toEqual([403, 'proof/not-signed'])
    const { 'x-signature': _, ...unsigned } = signed
    expect(await send(unsigned)).toEqual([403, 'proof/missing'])
    expect(await send(signed)).toEqual([201, undefined])
  })

  test('are refused with another score, or a comment that could mislead', async () => {
    const headers = await headersFor(other)
    for (const score of [0, 6, 2.5, '4']) {
      expect(await send(headers, { score })).toEqual([400, 'request/malformed'])
    }
    expect(await send(headers, { score: 4, comment: 'a'.repeat(501) })).toEqual([
      400,
      'request/malformed',
    ])
    expect(await send(headers, { score: 4, comment: 'a\u202Eb' })).toEqual([
      400,
      'rating/malformed',
    ])
  })

  test('are of tokens that exist', async () => {
    await mintToken(market)
    expect((await market.client.ratings(2)).items).toEqual([])
    await expect(market.client.ratings(3)).rejects.toMatchObject({ code: 'token/not-found' })
    expect(await send(await headersFor(other, { tokenId: '3' }), undefined, '3')).toEqual([
      404,
      'token/not-found',
    ])
  })
})
