import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withJson } from '../../../test/answering-server.ts'
import { run } from '../../../test/command-harness.ts'

const listing = {
  seller: `0x${'1'.repeat(40)}`,
  price: '7',
  rentalPricePerDay: '0',
  forkPrice: '0',
}
const event = { id: '1-0-ab', kind: 'listing', tokenId: '1', block: '1', timestamp: '1' }
const webhook = {
  id: '8e03978e-40d5-43dd-bc93-6894a57f9324',
  url: 'https://example.com/',
  kinds: ['sale'],
  tokenId: '1',
  delivered: null,
  failing: { attempts: 1, nextAt: '1', problem: 'answered with status 500' },
}
const tenant = { name: 'shop', address: `0x${'1'.repeat(40)}`, isActive: true, balance: '1' }
const limits = { spentToday: '0', maxSpendPerCall: null, maxSpendPerDay: null }
const logged = { at: '1', level: 'warn', message: 'not ready', cause: 'none' }

/** Commands, the path of what they read, and a response that each of them prints. */
const reads = [
  {
    words: ['activity'],
    path: '/api/activity',
    response: { items: [{ ...event, ...listing, txHash: '0x', logIndex: '0' }], next: null },
  },
  { words: ['webhook', 'list'], path: '/api/webhooks', response: { items: [webhook] } },
  {
    words: ['operator'],
    path: '/api/operator',
    response: {
      version: '0.2.0',
      commit: null,
      startedAt: '1',
      tenants: [{ ...tenant, ...limits }],
      failures: [logged],
    },
  },
] as const

const runOn = (words: readonly string[], path: string, response: unknown) =>
  withJson({ [path]: JSON.stringify(response), '/api/titles': '{"items":[]}' }, (url) =>
    run([...words], { env: { HEIRLOOM_URL: url } }),
  )

/** Returns copies of a value, each with another value in the place of one in it, at any depth. */
function replaceEach(value: unknown, other: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [other]
  const inside = Object.entries(value).flatMap(([name, it]) =>
    replaceEach(it, other).map((changed) => ({ name, changed })),
  )
  const copies = inside.map(({ name, changed }) => {
    const copy = structuredClone(value)
    return Object.assign(copy, { [name]: changed })
  })
  return [other, ...copies]
}

describe.each(reads)('$path', ({ words, path, response }) => {
  test('is printed', async () => {
    expect(await runOn(words, path, response)).toMatchObject({ code: 0, err: '' })
  })

  test('with a wrong value anywhere is printed, or refused as a response of that server', async () => {
    const wrong = fc.constantFrom(null, 7, '', 'x', [], [null], {}, { toString: 1 }, true)
    const changed = wrong.chain((it) => fc.constantFrom(...replaceEach(response, it)))
    await fc.assert(
      fc.asyncProperty(changed, async (it) => {
        const { code, err } = await runOn(words, path, it)
        if (code !== 0) expect(err).toContain(' does not answer as a Heirloom server: ')
      }),
    )
  })
})

test('the first wrong place and its value are named', async () => {
  const { err } = await runOn(['webhook', 'list'], '/api/webhooks', {
    items: [{ ...webhook, url: 7 }],
  })
  expect(err).toContain('/items/0/url of /api/webhooks is 7')
})
