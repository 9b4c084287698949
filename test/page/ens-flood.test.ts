import { createClient } from '@heirloom/http/client'
import type { Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStage } from './stage.ts'
import type { Visitor } from './visitor.ts'

const { enter, server } = openStage('ens-flood')
let visitor: Visitor

/** The accounts that made the memories of one list. */
const accounts = Array.from(
  { length: 600 },
  (_, at) => `0x${(at + 1).toString(16).padStart(40, '0')}`,
)

/** Names that a server must not send, and what a page must not show of them. */
const hostile = [
  'a'.repeat(10_000).concat('.eth'),
  'ada\u202egro.eth',
  'ada\u0000.eth',
  'ada\n.eth',
  'ada .eth',
  'ada\u200b.eth',
  'pаypal.eth',
  '',
]

/** The requests for names, and the most that were open at a time. */
const requests = { batches: [] as (readonly string[])[], open: 0, mostOpen: 0 }

beforeAll(async () => {
  const client = createClient({ url: server.url() })
  const content = { data: { learned: [1] }, metadata: { category: 'research' } }
  const { tokenId } = await client.snapshot({ ...content, card: { title: 'A diary' } })
  await client.list({ tokenId, price: 1n, rentalPricePerDay: 0n, forkPrice: 0n, forkRoyaltyBps: 0 })
  visitor = await enter()
  const { page } = visitor
  const change = (path: RegExp, to: (body: never) => object) =>
    page.route(path, async (route) => {
      const body = await (await route.fetch()).json()
      await route.fulfill({ json: to(body as never) })
    })
  await change(/\/api\/deployment$/, (body: object) => ({ ...body, hasEns: true }))
  type List = { readonly items: readonly object[] }
  await change(/\/api\/marketplace\/listings\?/, ({ items: [first] }: List) => ({
    items: accounts.map((creator, at) => ({ ...first, creator, tokenId: `${at + 1}` })),
    next: null,
  }))
  await page.route(/\/api\/ens\/names\?/, answerSlowly)
})
afterAll(async () => {
  await visitor?.page.unrouteAll({ behavior: 'wait' })
})

/** Answers like a server that names accounts as their owners please, after some turns. */
async function answerSlowly(route: Route): Promise<void> {
  const of = new URL(route.request().url()).searchParams.get('accounts')?.split(',') ?? []
  requests.open += 1
  requests.mostOpen = Math.max(requests.mostOpen, requests.open)
  requests.batches.push(of)
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
  const nameOf = (account: string) => {
    const at = accounts.indexOf(account.toLowerCase())
    return hostile[at] ?? `n${at}.eth`
  }
  requests.open -= 1
  await route.fulfill({
    json: { items: of.map((account) => ({ account, name: nameOf(account) })) },
  })
}

test('the names of six hundred accounts are requested once each, 20 at a time, in one request after another', async () => {
  const { page } = visitor
  await page.goto(server.url())
  await page.getByText('n599.eth').waitFor()
  const all = requests.batches.flat()
  expect(new Set(all).size).toBe(all.length)
  expect(all.length).toBeGreaterThanOrEqual(accounts.length)
  expect(requests.batches.every((it) => it.length <= 20)).toBe(true)
  expect(requests.mostOpen).toBe(1)
  expect(requests.batches.length).toBeLessThan(accounts.length / 20 + 5)
})

test('no name is shown that is long, or that is not written as it looks', async () => {
  const { page } = visitor
  const shown = (await page.locator('main').textContent()) ?? ''
  expect(shown).not.toMatch(/[\u200b\u202e]|aaaaaaa|ada|pаypal/u)
  const first = page.getByRole('article').first()
  await expect.poll(() => first.textContent()).toContain('0x0000…0001')
})

test('another view of the same accounts asks for none again', async () => {
  const { page } = visitor
  const before = requests.batches.length
  await page.getByRole('link', { name: 'Create', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: /./ }).waitFor()
  await page.goBack()
  await page.getByText('n599.eth').waitFor()
  expect(requests.batches.length).toBe(before)
})
