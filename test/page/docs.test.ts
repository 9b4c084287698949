import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { openStage } from './stage.ts'
import { checkView, type Visitor } from './visitor.ts'

const key = 'a-key-of-a-reader-0123456789abcdef'

const { enter, server } = openStage('docs', { API_KEYS: key })
let visitor: Visitor

beforeAll(async () => {
  visitor = await enter({ expectedErrors: /status of 401 .*\/api\// })
  await visitor.page.goto(`${server.url()}/docs`)
})

test('lists every route of the document, and finds some of them', async () => {
  const { page } = visitor
  type Document = { readonly paths: Readonly<Record<string, object>> }
  const { paths } = (await (await fetch(`${server.url()}/openapi.json`)).json()) as Document
  const count = Object.values(paths).reduce((sum, it) => sum + Object.keys(it).length, 0)
  const guides = readdirSync(join(import.meta.dirname, '../../docs/guides')).length
  await page.getByText(`${count} routes, ${guides} guides`).waitFor()
  for (const readers of ['First steps', 'In your framework', 'For who runs a server']) {
    await page.getByRole('heading', { level: 3, name: readers }).waitFor()
  }
  const marketplace = page.getByRole('heading', { level: 2, name: 'marketplace' })
  await page.getByRole('navigation', { name: 'On this page' }).getByText('marketplace').click()
  await expect.poll(async () => (await marketplace.boundingBox())?.y).toBeLessThan(100)
  await checkView(visitor, 'docs')
  await page.getByLabel('Search routes and guides').fill('wallet')
  await page.getByText('GET /api/wallet').click()
})

test('sends an example with a key, which is stored nowhere', async () => {
  const { page } = visitor
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('401 Unauthorized').waitFor()
  await page.getByLabel('Access key').fill(key)
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('200 OK').waitFor()
  expect(await page.getByRole('region', { name: 'As a command' }).textContent()).toBe(
    `curl '${server.url()}/api/wallet' \\\n  -H "authorization: Bearer $HEIRLOOM_API_KEY"`,
  )
  await checkView(visitor, 'docs-operation')
  const stored = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href]),
  )
  expect(stored).not.toContain(key)
})

test('offers no example of a route whose proof it cannot sign', async () => {
  const { page } = visitor
  await page.getByLabel('Search routes and guides').fill('download')
  await page.getByText('GET /api/memory/{tokenId}', { exact: true }).click()
  await page.getByText('This route needs a proof that a wallet signs').waitFor()
  expect(await page.getByRole('button', { name: 'Send' }).count()).toBe(0)
})

test('shows a guide, with a way back', async () => {
  const { page } = visitor
  await page.getByLabel('Search routes and guides').fill('heirloom restore')
  const guides = page.getByRole('region', { name: 'Guides' })
  await guides.getByRole('code').first().waitFor()
  expect(await guides.textContent()).not.toContain('`')
  await checkView(visitor, 'docs-found')
  await page.getByLabel('Search routes and guides').fill('restore')
  await page.getByRole('link', { name: 'Sell a memory, and let the buyer restore it' }).click()
  await page.getByRole('heading', { level: 1, name: /^Sell a memory/ }).waitFor()
  await checkView(visitor, 'docs-guide')
  await page.getByRole('link', { name: '← Reference and guides' }).click()
  await page.getByRole('heading', { level: 1, name: 'Reference' }).waitFor()
})

test('a search that matches nothing says what to try, and the words that it names match', async () => {
  const { page } = visitor
  const field = page.getByLabel('Search routes and guides')
  await field.fill('zzyzx')
  await page.getByText('Nothing matches “zzyzx”. A result has every word').waitFor()
  await checkView(visitor, 'docs-nothing')
  for (const word of ['rent', 'restore']) {
    await field.fill(word)
    await page.getByText(/^\d+ routes?, \d+ guides?$/).waitFor()
  }
})
