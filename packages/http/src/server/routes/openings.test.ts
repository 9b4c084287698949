import { tokenId } from '@heirloom/core'
import type { PrivateKeyAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { openClientHarness } from '../../../test/client-harness.ts'
import {
  addressOf,
  agent,
  mintToken,
  openHarness,
  other,
  proofOf,
  rentToken,
  secondsOf,
  stranger,
} from '../../../test/server-harness.ts'

/** Opens a server with the memory of token 1, and functions that read it and its openings. */
async function openedHarness(options: Parameters<typeof openHarness>[0] = {}, mint = mintToken) {
  const harness = openHarness(options)
  await mint(harness)
  const get = async (path: string, by: PrivateKeyAccount | 'nobody' = agent, more = {}) => {
    const headers = by !== 'nobody' && (await proofOf(by, '1', secondsOf(harness)))
    return harness.server.inject({
      url: `/api/memory/1${path}`,
      headers: { ...(headers || {}), ...more },
    })
  }
  const openings = async (by?: PrivateKeyAccount, query = '') => {
    const reply = await get(`/openings${query}`, by)
    const { items, code } = reply.json()
    return { status: reply.statusCode, items, code, body: reply.body }
  }
  return { ...harness, harness, get, openings }
}

describe('GET /api/memory/:tokenId/openings', () => {
  test('lists each request that was answered from a memory, and nothing secret', async () => {
    const { get, openings, harness } = await openedHarness()
    const path = encodeURIComponent('$.data.mood')
    const reads = ['', '/outline', '/part?pointer=/data', `/part?path=${path}`, '/search?q=calm']
    for (const read of reads) expect((await get(read)).statusCode).toBe(200)
    for (const read of ['/own', '/info', '/history']) await get(read)
    const { items, body } = await openings()
    const of = { right: 'owner', account: agent.address, seconds: 1, at: `${secondsOf(harness)}` }
    const byScope = items.toSorted((one: Found, two: Found) => (one.scope < two.scope ? -1 : 1))
    expect(byScope).toMatchObject([
      { ...of, scope: 'part', count: 3 },
      { ...of, scope: 'search', count: 1 },
      { ...of, scope: 'whole', count: 1 },
    ])
    const members = ['right', 'account', 'scope', 'at', 'seconds', 'count', 'blockTime', 'digest']
    expect(Object.keys(items[0]).toSorted()).toEqual(members.toSorted())
    const proof = await proofOf(agent, '1', secondsOf(harness))
    for (const secret of [proof['x-wallet-signature'], '127.0.0.1', 'calm']) {
      expect(body).not.toContain(secret)
    }
  })

  test('tells nobody without a proof whether a memory was opened in the time of an account', async () => {
    const { get, harness } = await openedHarness()
    const ask = async ({ address }: { readonly address: string }) => {
      const long = { 'x-wallet-address': address, 'x-wallet-signature': `0x${'12'.repeat(66)}` }
      const reply = await get('/openings', agent, long)
      return [reply.statusCode, reply.json().code]
    }
    await get('')
    await harness.chain.transfer(addressOf(agent), tokenId(1n), addressOf(other))
    const answers = [await ask(agent), await ask(stranger), await ask(other)]
    expect(answers).toEqual(Array(3).fill([403, 'proof/not-signed']))
  })

  test('records nothing of what was refused', async () => {
    const { get, openings } = await openedHarness()
    for (const read of ['', '/outline', '/part?pointer=', '/search?q=calm']) {
      expect((await get(read, stranger)).statusCode).toBe(403)
      expect((await get(read, 'nobody')).statusCode).toBe(403)
    }
    expect((await get('/part?pointer=/none')).statusCode).toBe(404)
    expect(await openings()).toMatchObject({ status: 200, items: [] })
  })

  test('is for the owner: not for a stranger, a renter, or without a proof', async () => {
    const { openings, get } = await openedHarness({}, rentToken)
    await get('', other)
    await get('/part?pointer=', other)
    for (const by of [stranger, other]) {
      expect(await openings(by)).toMatchObject({ status: 409, code: 'token/not-owner' })
    }
    const { items, body } = await openings(agent)
    expect(items).toMatchObject([{ right: 'rental', seconds: 86_400, count: 2 }])
    expect(items[0].at % 86_400).toBe(0)
    expect(body.toLowerCase()).not.toContain(other.address.toLowerCase())
  })

  test('shows each owner its own time', async () => {
    const { openings, get, chain, clock } = await openedHarness()
    await get('')
    clock.advance(5000)
    await chain.transfer(addressOf(agent), tokenId(1n), addressOf(stranger))
    expect(await openings(stranger)).toMatchObject({ status: 200, items: [] })
    await get('/part?pointer=', stranger)
    expect((await openings(agent)).items).toMatchObject([{ account: agent.address, count: 1 }])
    expect((await openings(stranger)).items).toMatchObject([{ account: stranger.address }])
    // One who bought it back sees both of its times, and nothing of the other.
    await chain.transfer(addressOf(stranger), tokenId(1n), addressOf(agent))
    clock.advance(5000)
    await get('')
    const { items } = await openings(agent)
    expect(items.map((it: { account: string }) => it.account)).toEqual([
      agent.address,
      agent.address,
    ])
  })

  test('wants the proof that names this server where downloads do', async () => {
    const { openings } = await openedHarness({
      config: { requireBoundProof: true, publicUrl: 'https://memories.example' },
    })
    expect(await openings()).toMatchObject({ status: 403, code: 'proof/not-bound' })
  })

  test('has no key but that of an administrator ask for the wallet of the server', async () => {
    const { get } = await openedHarness({ config: { apiKeys: ['k'.repeat(32)] } }, async (it) => {
      const to = { contentHash: `0x${'1'.repeat(64)}`, digest: `0x${'2'.repeat(64)}` } as const
      const ledger = it.chain.ledger(addressOf(agent))
      await ledger.mint({ ...to, parent: undefined, recipient: addressOf(agent) } as never)
      return '1'
    })
    const read = async (more = {}) => (await get('/openings', 'nobody', more)).statusCode
    expect(await read()).toBe(403)
    expect(await read({ authorization: `Bearer ${'k'.repeat(32)}` })).toBe(200)
  })

  test('refuses a cursor of another list, and a token that does not exist', async () => {
    const { openings, server, harness } = await openedHarness()
    expect(await openings(agent, '?after=x')).toMatchObject({ status: 400 })
    const headers = await proofOf(agent, '9', secondsOf(harness))
    const none = await server.inject({ url: '/api/memory/9/openings', headers })
    expect([none.statusCode, none.json().code]).toEqual([404, 'token/not-found'])
  })
})

type Found = { readonly scope: string }

describe('client.openings', () => {
  test('reads page after page, with the account or, without one, as the wallet of the server', async () => {
    const harness = await openClientHarness()
    await mintToken(harness)
    const { client, clientAt, clock } = harness
    for (let time = 0; time < 3; time++) {
      await client.part(1, '/data')
      clock.advance(1000)
    }
    const first = await client.openings(1, { limit: 2 })
    expect(first.items).toHaveLength(2)
    const rest = await client.openings(1, { limit: 2, after: first.next ?? undefined })
    expect([rest.items.length, rest.next]).toEqual([1, null])
    const keyless = clientAt({ account: undefined })
    expect((await keyless.openings(1)).items).toEqual([...first.items, ...rest.items])
    const visitor = clientAt({ account: stranger })
    await expect(visitor.openings(1)).rejects.toMatchObject({ code: 'token/not-owner' })
  })
})
