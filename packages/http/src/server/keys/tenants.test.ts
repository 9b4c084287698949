import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { tenantHouse } from '../../../test/tenant-house.ts'

const prices = { price: '1000', rentalPricePerDay: '10', forkPrice: '100', forkRoyaltyBps: 0 }

/** Starts a server with the tenants ada and ben. */
async function twoTenants() {
  const { house, keys } = await tenantHouse('ada', 'ben')
  const server = await house.open()
  const { own = '', ada = '', ben = '' } = keys
  const wallets = { ada: await house.walletOf('ada'), ben: await house.walletOf('ben') }
  return { house, server, own, ada, ben, wallets, agent: house.agent() }
}

describe('the API key of a tenant', () => {
  test('acts with the wallet of its tenant in every write', async () => {
    const { server, own, ada, ben, wallets, agent } = await twoTenants()
    const id = await server.snapshot(ada)
    const made = (await server.get(`/api/memory/${id}/info`)).body
    expect(made.creator).toBe(wallets.ada.address)
    expect(await server.tokensOf(wallets.ada)).toEqual([id])
    const offer = { tokenId: id, ...prices }
    expect((await server.post('/api/marketplace/list', ada, offer)).status).toBe(201)
    const forked = await server.post(`/api/marketplace/fork/${id}`, ben)
    const rented = await server.post(`/api/marketplace/rent/${id}`, ben, { durationDays: 1 })
    const paid = await server.post(`/api/marketplace/royalty/${id}`, ben, { amount: '7' })
    expect([forked, rented, paid].map(({ status }) => status)).toEqual([201, 201, 201])
    expect(await server.tokensOf(wallets.ben)).toEqual([forked.body.tokenId])
    expect((await server.download(wallets.ben, id)).status).toBe(200)
    expect((await server.post(`/api/marketplace/buy/${id}`, own)).status).toBe(201)
    expect(await server.tokensOf(agent)).toEqual([id])
    expect(await server.tokensOf(wallets.ada)).toEqual([])
  })

  test('sees the wallet of its tenant and no other', async () => {
    const { server, own, ada, ben, wallets, agent } = await twoTenants()
    await server.snapshot(ada)
    const [mine, yours, servers] = await Promise.all(
      [ada, ben, own].map(async (key) => (await server.get('/api/wallet', key)).body),
    )
    expect(mine).toMatchObject({ address: wallets.ada.address, apiKey: { name: 'ada' } })
    expect(yours).toMatchObject({ address: wallets.ben.address, spentToday: '0' })
    expect(servers).toMatchObject({ address: agent.address })
    expect(BigInt(mine?.spentToday ?? 0)).toBeGreaterThan(0n)
    expect(mine?.apiKey.spentToday).toBe(mine?.spentToday)
    for (const [key, { address }] of [
      [ada, wallets.ada],
      [undefined, agent],
    ] as const) {
      expect((await server.get('/api/deployment', key)).body.agent).toBe(address)
    }
  })

  test('neither lists, sells nor opens what another tenant has', async () => {
    const { server, ada, ben, wallets } = await twoTenants()
    const id = await server.snapshot(ada)
    const offer = { tokenId: id, ...prices }
    const refused = await server.post('/api/marketplace/list', ben, offer)
    expect(refused.body).toMatchObject({ code: 'listing/not-owner' })
    expect((await server.download(wallets.ben, id)).body).toMatchObject({ code: 'access/denied' })
    expect((await server.download(wallets.ada, id)).status).toBe(200)
  })

  test('reads neither the metrics nor the webhooks of the operator', async () => {
    const { house, server, own, ada } = await twoTenants()
    const reading = await house.addKey('reader', '--scope read')
    for (const path of ['/metrics', '/api/webhooks']) {
      const { status, body } = await server.get(path, ada)
      expect([status, body.code]).toEqual([403, 'api-key/out-of-scope'])
      expect((await server.get(path, own)).status).toBe(200)
    }
    expect(reading).toMatch(/^hl_/)
    const admin = await house.command('api-key new root --scope admin --tenant ada')
    expect([admin.code, admin.err]).toEqual([1, expect.stringContaining('belongs to no tenant')])
  })

  test('is refused where the server does not act for its tenant', async () => {
    const { house, keys } = await tenantHouse('ada')
    const eve = await house.add('eve')
    await house.setState('eve', 'closing')
    const server = await house.open()
    const refused = [
      await server.get('/api/wallet', eve),
      await server.post('/api/memory/snapshot', eve, { data: {}, metadata: { category: 'x' } }),
      // What the server's own wallet pays for is no way round.
      await server.post('/api/relay', eve, {}),
      await server.get('/api/x402/buy/1', eve),
    ]
    for (const { status, body } of refused) {
      expect([status, body.code]).toEqual([401, 'request/not-authorized'])
    }
    expect((await server.get('/api/wallet', keys.ada)).status).toBe(200)
  })

  test('is made only for a tenant that is there', async () => {
    const { house } = await tenantHouse('ada')
    const typo = await house.command('api-key new typo --tenant adda')
    expect([typo.code, typo.err]).toEqual([
      2,
      expect.stringContaining('There is no tenant adda in'),
    ])
    expect((await house.command('api-key list')).out).not.toContain('typo')
  })

  test('never acts with the wallet of the server, if that is started without API keys', async () => {
    const { house } = await tenantHouse('ada')
    await expect(house.open({ API_KEYS_FILE: '' })).rejects.toMatchObject({
      code: 'config/invalid',
      facts: { name: 'API_KEYS_FILE' },
    })
  })

  test('spends what its tenant has, up to the limits of the tenant', async () => {
    const { house, keys } = await tenantHouse('ben')
    const ada = await house.add('ada', '--per-day 1wei')
    const server = await house.open()
    const body = { data: {}, metadata: { category: 'research' } }
    const refused = await server.post('/api/memory/snapshot', ada, body)
    expect(refused.body).toMatchObject({ code: 'wallet/day-limit', facts: { limit: '1' } })
    const { maxSpendPerDay } = (await server.get('/api/wallet', ada)).body
    expect(maxSpendPerDay).toBe('1')
    for (const key of [keys.own, keys.ben])
      expect(await server.snapshot(key ?? '')).toMatch(/^\d+$/)
  })
})

describe('one idempotency key of two tenants', () => {
  test('is two acts, each repeated with its own answer', async () => {
    const { server, own, ada, ben, wallets, agent } = await twoTenants()
    const body = { data: { same: true }, metadata: { category: 'research' } }
    const headers = { 'idempotency-key': 'once' }
    const send = (key: string) => server.post('/api/memory/snapshot', key, body, headers)
    const first = [await send(own), await send(ada), await send(ben)].map((it) => it.body)
    expect(new Set(first.map(({ tokenId }) => tokenId)).size).toBe(3)
    const again = [await send(own), await send(ada), await send(ben)].map((it) => it.body)
    expect(again).toEqual(first)
    const owners = await Promise.all(
      first.map(
        async ({ tokenId }) => (await server.get(`/api/memory/${tokenId}/info`)).body.creator,
      ),
    )
    expect(owners).toEqual([agent.address, wallets.ada.address, wallets.ben.address])
  })
})

describe('a server without tenants', () => {
  test('makes no file for them', async () => {
    const { house } = await tenantHouse()
    const { out } = await house.command('tenants list')
    expect(out).toContain('There are no tenants')
    expect(existsSync(`${house.folder}/tenants.keys`)).toBe(false)
  })
})
