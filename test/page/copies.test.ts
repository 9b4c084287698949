import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { copierAt, pairOf, publicAccount } from '../harness/copier.ts'
import { connectDevelopment } from './actions.ts'
import { type BuiltServer, builtServer } from './built-server.ts'
import { startChromium } from './chromium.ts'
import { furnish } from './fill-market.ts'
import { examine, picture, type Visitor, visit } from './visitor.ts'

let browser: Browser
let server: BuiltServer
let visitor: Visitor
let copy: string
let child: string

/** Dan mints the public pair of No. 1 as the root that it was, and as a child of it. */
async function copyTheFirst(): Promise<void> {
  const copier = await copierAt(server.url(), publicAccount(3))
  const pair = await pairOf(server.url(), '1')
  ;[copy = ''] = await copier.mint(pair)
  await copier.offer(copy)
  ;[child = ''] = await copier.mint(pair, publicAccount(3).address, 1n)
}

beforeAll(async () => {
  ;[browser, server] = await Promise.all([startChromium(), builtServer()])
  await furnish(server.url())
  await copyTheFirst()
  visitor = await visit(browser, { url: server.url() })
})
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
})
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await picture(visitor, 'failed-copies')
  expect(visitor.complaints).toEqual([])
})

const badge = { exact: true } as const
const warning = /^This token copies the hashes of a memory/

test('browsing marks a copy, and nothing else', async () => {
  const { page } = visitor
  await page.goto(server.url())
  await page.getByText('7 memories are on offer').waitFor()
  const marked = page.getByRole('article').filter({ has: page.getByText('copy', badge) })
  expect(await marked.count()).toBe(1)
  await marked.getByText(`No. ${copy}`).waitFor()
  await examine(visitor, 'browse-copy')
})

test('the page of a copy says that it opens nothing, before anything is paid', async () => {
  const { page } = visitor
  await page.goto(`${server.url()}/token/${copy}`)
  await page.getByText('but they are another memory’s').waitFor()
  await page.locator('header.head').getByText('copy', badge).waitFor()
  const terms = page.getByRole('complementary', { name: 'Terms' })
  await terms.getByText(warning).waitFor()
  await terms.getByText('the token becomes yours, and opens nothing').waitFor()
  await page
    .getByRole('region', { name: 'What is inside' })
    .getByText('Nobody can open it')
    .waitFor()
  expect(await page.getByText('rights to open it').count()).toBe(0)
  expect(await page.getByText('hash matches the chain').count()).toBe(0)
  const original = terms.getByRole('link', { name: 'No. 1', exact: true })
  await original.waitFor()
  expect(await original.getAttribute('href')).toBe('/token/1')
  await examine(visitor, 'copy')
})

test('and so does the window in which it would be paid', async () => {
  const { page } = visitor
  await connectDevelopment(page, 'Ada')
  await page.getByRole('button', { name: 'Buy', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(warning).waitFor()
  await dialog.getByText('The token becomes yours, and opens nothing.').waitFor()
  await dialog.getByRole('button', { name: 'Confirm and pay' }).waitFor()
  await examine(visitor, 'copy-buy')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
})

test('the lineage of the original marks its copy, drawn and in words', async () => {
  const { page } = visitor
  await page.goto(`${server.url()}/token/1`)
  await page.getByRole('link', { name: new RegExp(`^No\\. ${child} · copy `) }).waitFor()
  await page.getByText('The lineage in words').click()
  const line = page
    .getByRole('listitem')
    .filter({ hasText: `No. ${child}` })
    .last()
  await line.getByText('copy', badge).waitFor()
  expect(await page.locator('header.head').getByText('copy', badge).count()).toBe(0)
  expect(await page.getByText(warning).count()).toBe(0)
  await examine(visitor, 'copied')
})
