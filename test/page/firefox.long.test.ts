import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@heirloom/http/client'
import type { Browser, ElementHandle, Page } from 'puppeteer-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { developmentAccounts } from '../../packages/http/page/src/wallet/development-accounts.ts'
import { guideTitles } from '../../packages/http/src/api/guide-titles.ts'
import { longestWait } from '../tier.ts'
import { type BuiltServer, startBuiltServer } from './built-server.ts'
import { startFirefox } from './start-firefox.ts'

let browser: Browser
let server: BuiltServer
let page: Page
let folder: string
const errors: string[] = []

beforeAll(async () => {
  ;[browser, server] = await Promise.all([startFirefox(), startBuiltServer()])
  folder = mkdtempSync(join(tmpdir(), 'firefox-'))
  page = await browser.newPage()
  page.setDefaultTimeout(longestWait)
  page.on('pageerror', (error) => errors.push(String(error)))
})
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
  rmSync(folder, { recursive: true, force: true })
  expect(errors).toEqual([])
})

const see = (text: string) => page.locator(`::-p-text(${text})`).wait()
const click = (name: string) => page.locator(`::-p-aria([name="${name}"][role="button"])`).click()

test('opens a memory, finds a value, and evaluates JSONPath', async () => {
  const client = createClient({ url: server.url() })
  const recipient = developmentAccounts[0]?.address
  const data = {
    notes: [
      { id: 1, text: 'Prefer limit orders' },
      { id: 2, text: 'Wait' },
    ],
  }
  const { tokenId } = await client.snapshot({ data, metadata: { category: 'notes' }, recipient })
  await page.goto(`${server.url()}/token/${tokenId}`)
  await click('Connect wallet')
  await page.locator('dialog button ::-p-text(Ada)').click()
  await click('Open the memory')
  await see('This is exactly what')
  await click('Everything, as a tree')
  await page.locator('[role=tree] [role=treeitem]').wait()
  await page.locator('.find input').fill('limit')
  await click('Find')
  await see('1 of 1 match')
  await see('$.data.notes[0].text')
  await page.select('.find select', 'path')
  await page.locator('.find input').fill('$..notes[?@.id==2].text')
  await click('Select')
  await see('1 value.')
  await see('$.data.notes[1].text')
})

test('creates from a file, keeps the draft, and refuses a broken one', async () => {
  await page.goto(`${server.url()}/create`)
  const path = join(folder, 'notes.json')
  writeFileSync(path, '{"learned":[1]}')
  await choose(path)
  await see('Discard the draft')
  await page.locator('input[list=categories]').fill('research')
  // The draft is stored when its visitor leaves.
  await page.locator('::-p-aria([name="Browse"][role="link"])').click()
  await see('Nothing is on offer now')
  await page.goto(`${server.url()}/create`)
  await see('This is your draft of')
  writeFileSync(path, '{"learned":[1')
  await choose(path)
  await see('it was probably cut off')
})

async function choose(path: string): Promise<void> {
  const input = await page.waitForSelector('.picker input')
  await (input as ElementHandle<HTMLInputElement>).uploadFile(path)
}

test('cuts no time of a card where there is room', async () => {
  const client = createClient({ url: server.url() })
  const card = { title: 'Harbour notes', category: 'notes' }
  const { tokenId } = await client.snapshot({ data: {}, metadata: { category: 'notes' }, card })
  await client.list({ tokenId, price: 5n, rentalPricePerDay: 0n, forkPrice: 0n, forkRoyaltyBps: 0 })
  await page.goto(server.url())
  await page.locator('.memory .by time').wait()
  const widths = await page.$eval('.memory .by', (it) => [it.scrollWidth, it.clientWidth])
  expect(widths[0]).toBe(widths[1])
})

test('shows the reference and a guide', async () => {
  await page.goto(`${server.url()}/docs`)
  await see(`${Object.keys(guideTitles).length} guides`)
  await page.locator('a[href="/docs/guides/sell"]').click()
  await page.locator('article h1 ::-p-text(Sell a memory)').wait()
})
