import { describe, expect, onTestFinished, test } from 'vitest'
import { openWebhooks } from '../../../test/open-webhooks.ts'
import { openHarness, post } from '../../../test/server-harness.ts'

const key = 'the-first-of-the-keys'
const keyed = { authorization: `Bearer ${key}` }
const url = 'https://example.com/heirloom'

async function openWithWebhooks(apiKeys: readonly string[] = []) {
  const { webhooks, close } = await openWebhooks()
  onTestFinished(close)
  return openHarness({ webhooks, config: { apiKeys } })
}

describe('/api/webhooks', () => {
  test('adds, lists and removes a webhook, and returns its secret once', async () => {
    const it = await openWithWebhooks()
    const made = await post(it, '/api/webhooks', {
      url: `${url}#part`,
      kinds: ['sale'],
      tokenId: '7',
    })
    expect([made.statusCode, made.headers['cache-control']]).toEqual([201, 'no-store'])
    const { id, secret, ...more } = made.json()
    expect([secret, more]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), { url }])
    const list = await it.server.inject('/api/webhooks')
    const shown = { id, url, kinds: ['sale'], tokenId: '7', delivered: null, failing: null }
    expect(list.json()).toEqual({ items: [shown] })
    const remove = () => it.server.inject({ method: 'DELETE', url: `/api/webhooks/${id}` })
    const removed = await remove()
    expect([removed.statusCode, removed.body]).toEqual([204, ''])
    const again = await remove()
    expect([again.statusCode, again.json().code]).toEqual([404, 'webhook/not-found'])
    expect((await it.server.inject('/api/webhooks')).json()).toEqual({ items: [] })
  })

  test('requires an API key for every method', async () => {
    const it = await openWithWebhooks([key])
    const id = '8e03978e-40d5-43dd-bc93-6894a57f9324'
    for (const [method, path] of [
      ['POST', '/api/webhooks'],
      ['GET', '/api/webhooks'],
      ['DELETE', `/api/webhooks/${id}`],
    ] as const) {
      const payload = method === 'POST' ? { payload: { url } } : {}
      const reply = await it.server.inject({ method, url: path, ...payload })
      expect([reply.statusCode, reply.json().code]).toEqual([401, 'request/not-authorized'])
    }
    expect((await post(it, '/api/webhooks', { url }, keyed)).statusCode).toBe(201)
  })

  test.each<[object, string]>([
    [{}, 'request/malformed'],
    [{ url: 7 }, 'request/malformed'],
    [{ url, kind: 'sale' }, 'request/malformed'],
    [{ url, kinds: [] }, 'request/malformed'],
    [{ url, kinds: ['lease'] }, 'request/malformed'],
    [{ url, kinds: ['sale', 'sale'] }, 'request/malformed'],
    [{ url, tokenId: '01' }, 'request/malformed'],
    [{ url, tokenId: `${2n ** 256n}` }, 'value/invalid'],
    [{ url: `${url}/${'x'.repeat(2048)}` }, 'request/malformed'],
    [{ url: 'ftp://example.com' }, 'value/invalid'],
    [{ url: 'https://user:pass@example.com' }, 'value/invalid'],
  ])('refuses %j', async (body, code) => {
    const reply = await post(await openWithWebhooks(), '/api/webhooks', body)
    expect([reply.statusCode, reply.json().code]).toEqual([400, code])
    expect(reply.body).not.toContain('user:pass')
  })

  test('refuses foreign pages, long bodies and malformed ids', async () => {
    const it = await openWithWebhooks()
    const foreign = { origin: 'http://evil.example' }
    expect((await post(it, '/api/webhooks', { url }, foreign)).statusCode).toBe(403)
    const path = '/api/webhooks/8e03978e-40d5-43dd-bc93-6894a57f9324'
    const removal = await it.server.inject({ method: 'DELETE', url: path, headers: foreign })
    expect(removal.statusCode).toBe(403)
    expect((await post(it, '/api/webhooks', { url, x: 'x'.repeat(20_000) })).statusCode).toBe(413)
    const odd = await it.server.inject({ method: 'DELETE', url: '/api/webhooks/1' })
    expect([odd.statusCode, odd.json().code]).toEqual([400, 'request/malformed'])
  })
})
