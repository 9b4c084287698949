import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { chooseFile, confirmAndClose, connectDevelopment } from './actions.ts'
import { type BuiltServer, startBuiltServer } from './built-server.ts'
import { closeContext, leave, startChromium } from './chromium.ts'
import { checkView, type Visitor, visit } from './visitor.ts'

const key = 'a-key-of-a-visitor-0123456789abcdef'

let browser: Browser
let open: BuiltServer
let closed: BuiltServer

beforeAll(async () => {
  browser = await startChromium()
  open = await startBuiltServer({ API_KEYS: key, OPEN_ACTS: 'seal' })
  closed = await startBuiltServer({ API_KEYS: key })
})
afterAll(async () => {
  await leave(browser)
  await open?.dispose()
  await closed?.dispose()
})

async function visitCreate(server: BuiltServer): Promise<Visitor> {
  const expectedErrors = /status of 401 .*\/api\/(wallet|memory\/snapshot)/
  const visitor = await visit(browser, { url: server.url(), expectedErrors })
  onTestFinished(async () => {
    await closeContext(visitor.context)
    expect(visitor.browserErrors).toEqual([])
  })
  await visitor.page.goto(`${server.url()}/create`)
  return visitor
}

/** Counts the uploads of a visitor. */
function countUploads({ page }: Visitor): () => number {
  let count = 0
  page.on('request', (request) => {
    if (/\/api\/memory\/(snapshot|seal)$/.test(request.url())) count += 1
  })
  return () => count
}

async function fillForm({ page }: Visitor): Promise<void> {
  await chooseFile(page, '{"learned":[1]}')
  await page.getByLabel('Category').fill('research')
}

const panelOf = ({ page }: Visitor) => page.getByRole('region', { name: 'Access key' })
const sealButton = ({ page }: Visitor) => page.getByRole('button', { name: 'Seal and mint' })

/** Seals without a wallet, which needs a second click. */
async function sealForServer(visitor: Visitor): Promise<void> {
  await sealButton(visitor).click()
  await visitor.page.getByRole('button', { name: 'Mint it to the wallet of this server' }).click()
}
const created = ({ page }: Visitor) =>
  page.getByRole('heading', { name: /^Sealed as No\. \d+$/ }).waitFor()

async function useKey(visitor: Visitor, text: string): Promise<void> {
  await panelOf(visitor).getByLabel('Access key').fill(text)
  await panelOf(visitor).getByRole('button', { name: 'Use this key' }).click()
}

test('asks for the key before the upload, tells a wrong one, and remembers the right one', async () => {
  const visitor = await visitCreate(closed)
  const uploads = countUploads(visitor)
  await panelOf(visitor).getByText('Creating on this server needs an access key.').waitFor()
  expect(await panelOf(visitor).getByText('connect a wallet').count()).toBe(0)
  await fillForm(visitor)
  await visitor.page.getByText('Enter your access key above.').waitFor()
  await expect.poll(() => sealButton(visitor).isDisabled()).toBe(true)
  for (const wrong of ['another-key', 'schlüssel']) {
    await useKey(visitor, wrong)
    await panelOf(visitor).getByText('This access key is wrong').waitFor()
  }
  await checkView(visitor, 'wrong-key')
  expect(uploads()).toBe(0)
  await useKey(visitor, ` ${key} `)
  await panelOf(visitor).getByText('remembered until this tab is closed').waitFor()
  await visitor.page.reload()
  await panelOf(visitor).getByText('remembered until this tab is closed').waitFor()
  await fillForm(visitor)
  await checkView(visitor, 'known-key')
  await sealForServer(visitor)
  await created(visitor)
  expect(uploads()).toBe(1)
})

test('forgets a key when its visitor says so, or the server refuses it', async () => {
  const visitor = await visitCreate(closed)
  const { page } = visitor
  await useKey(visitor, key)
  await panelOf(visitor).getByRole('button', { name: 'Forget it' }).click()
  await panelOf(visitor).getByLabel('Access key').waitFor()
  // As a key that its operator revoked since.
  await page.evaluate(() => sessionStorage.setItem('heirloom.access-key', 'a-revoked-key'))
  await page.reload()
  await fillForm(visitor)
  await sealForServer(visitor)
  await page.getByText('This access key is wrong').waitFor()
  await panelOf(visitor).getByLabel('Access key').waitFor()
  const stored = () => page.evaluate(() => sessionStorage.getItem('heirloom.access-key'))
  await expect.poll(stored).toBeNull()
})

test('a wallet needs no key where sealing is open, and the server’s wallet does', async () => {
  const visitor = await visitCreate(open)
  const { page } = visitor
  await panelOf(visitor).getByText('connect a wallet and let it make the memory').waitFor()
  await checkView(visitor, 'key-or-wallet')
  await connectDevelopment(page, 'Ada')
  await panelOf(visitor).waitFor({ state: 'detached' })
  await fillForm(visitor)
  await page.getByLabel(/^The wallet of this server/).check()
  await panelOf(visitor).waitFor()
  await page.getByLabel(/^Your wallet/).check()
  await sealButton(visitor).click()
  await confirmAndClose(page)
  await created(visitor)
})

test('a wallet needs a key, too, where sealing is not open', async () => {
  const visitor = await visitCreate(closed)
  const { page } = visitor
  await connectDevelopment(page, 'Ada')
  await useKey(visitor, key)
  await fillForm(visitor)
  await sealButton(visitor).click()
  await confirmAndClose(page)
  await created(visitor)
})
