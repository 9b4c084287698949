import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { connectDevelopment, connectInjected, goTo, list, settle } from './actions.ts'
import { type BuiltServer, builtServer } from './built-server.ts'
import { startChromium } from './chromium.ts'
import { type InjectedWallet, injectedWallet } from './injected-wallet.ts'
import { picture, type Visitor, visit } from './visitor.ts'

let browser: Browser
let server: BuiltServer
let ada: Visitor
let other: Visitor
let wallet: InjectedWallet

// One story: what comes later happens to what was made before.
beforeAll(async () => {
  ;[browser, server] = await Promise.all([startChromium(), builtServer()])
  const key = '0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba'
  wallet = injectedWallet(key, server.url)
  ada = await visit(browser, { url: server.url() })
  other = await visit(browser, { url: server.url(), wallet, walletName: 'Elsewhere' })
})
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
})
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail')
    await Promise.all([picture(ada, 'failed-ada'), picture(other, 'failed-other')])
  expect([...ada.complaints, ...other.complaints]).toEqual([])
})

const memory =
  '{ "data": {"learned":["users prefer short answers"],"seen":12345678901234567890},\n "metadata": {"category":"support","agentId":"ada"} }'

test('a newcomer finds empty shelves, connects the development wallet, and makes a memory', async () => {
  const { page } = ada
  await page.goto(server.url())
  await page.getByRole('heading', { name: 'The shelves are empty' }).waitFor()
  await connectDevelopment(page, 'Ada')
  await page.getByRole('link', { name: 'Create the first memory' }).click()
  const buffer = Buffer.from(memory)
  await page
    .getByLabel(/Drop a file here/)
    .setInputFiles({ name: 'support.json', mimeType: 'application/json', buffer })
  await page.getByText('It is a whole bundle').waitFor()
  await page.getByText('No card: nothing of what is inside').waitFor()
  await page.getByLabel(/Show a card of it/).check()
  await page.getByLabel('Title').fill('What support taught me')
  await page.getByLabel('Tags').fill('support, answers')
  await page.getByRole('button', { name: 'Seal and mint' }).click()
  await page.getByRole('heading', { name: 'It is sealed, as No. 1' }).waitFor()
  await page.getByRole('link', { name: 'See it, and offer it' }).click()
  await page.getByRole('heading', { level: 1, name: 'What support taught me' }).waitFor()
  await page.getByText('hash matches the chain').waitFor()
})

test('its owner lists it with the same wallet', async () => {
  const { page } = ada
  await list(page, { price: '0.05', rent: '0.001', fork: '0.02', percent: '10' })
  await page.getByRole('button', { name: 'Buy' }).waitFor()
})

test('somebody else, whose browser is open already, sees the offer and finds it by a word', async () => {
  const { page } = other
  await page.goto(server.url())
  await connectInjected(page, 'Elsewhere')
  await page.getByRole('searchbox', { name: 'Search' }).fill('supp')
  await page.getByRole('link', { name: 'What support taught me' }).click()
  await page.getByRole('heading', { level: 1, name: 'What support taught me' }).waitFor()
})

test('and cannot open it, but rents it, opens it, proves it and saves it', async () => {
  const { page } = other
  await page.getByText('This wallet neither owns it nor rents it now.').waitFor()
  await page.getByLabel('Days').fill('3')
  await page.getByRole('button', { name: 'Rent', exact: true }).click()
  await page.getByRole('dialog').getByText('Rent for 3 days').waitFor()
  await settle(page)
  await page.getByRole('heading', { name: 'Running rentals' }).waitFor()
  await page
    .getByText(/2 d 23 h/)
    .first()
    .waitFor()
  await openAndSave()
})

async function openAndSave(): Promise<void> {
  const { page } = other
  await page.getByRole('button', { name: 'Open the memory' }).click()
  await page.getByText('Verified in this browser.').waitFor()
  await page.getByText('12345678901234567890').waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save it' }).click(),
  ])
  const saved = readFileSync(await download.path(), 'utf8')
  expect(saved).toBe(
    '{"data":{"learned":["users prefer short answers"],"seen":12345678901234567890},"metadata":{"category":"support","agentId":"ada"}}',
  )
}

test('then buys it, sees the receipt, and it is theirs', async () => {
  const { page } = other
  await page.getByRole('button', { name: 'Buy', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('All of 0.05 ETH goes to the owner').waitFor()
  await dialog.getByRole('button', { name: 'Confirm and pay' }).click()
  await dialog.getByText('No. 1 is yours.').waitFor()
  const told = await dialog.getByRole('button', { name: /^transaction 0x/ }).textContent()
  expect(told).toMatch(/0x[0-9a-f]{64}/)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByText('It is not on offer now.').waitFor()
  await goTo(page, 'My memories')
  await page.getByRole('heading', { name: 'What support taught me' }).first().waitFor()
})

test('the maker sees what was earned, without loading the page again', async () => {
  const { page } = ada
  await goTo(page, 'My memories')
  const earned = page.getByRole('region', { name: 'Earnings' })
  await earned.getByText('0.053 ETH', { exact: true }).waitFor()
})

test('a fork pays its price, and a share of what it earns goes back to the maker', async () => {
  const { page } = other
  await page.goto(`${server.url()}/token/1`)
  await list(page, { fork: '0.02', percent: '10' })
  const [maker] = [ada.page]
  await maker.goto(`${server.url()}/token/1`)
  await maker.getByRole('button', { name: 'Fork', exact: true }).click()
  await maker.getByRole('dialog').getByText('10 % of the price').waitFor()
  await maker.getByRole('dialog').getByRole('button', { name: 'Confirm and pay' }).click()
  await maker.getByRole('link', { name: 'See No. 2' }).click()
  await maker
    .getByRole('heading', { name: 'No. 2' })
    .or(maker.getByText('No. 2').first())
    .first()
    .waitFor()
  await list(maker, { price: '1' })
  await maker.getByText(/When it is sold: Of 1 ETH, 0\.9 ETH \(90 %\) goes to you/).waitFor()
  await maker.getByRole('link', { name: /^No\. 1 .*root$/ }).focus()
  await maker.keyboard.press('ArrowRight')
  expect(await maker.evaluate(() => document.activeElement?.getAttribute('data-token'))).toBe('2')
})

test('an owner takes an offer down', async () => {
  const { page } = ada
  await page.getByText('Change your offer').click()
  await page.getByRole('button', { name: 'Take it down' }).click()
  await settle(page)
  await page.getByText('It is not on offer now.').waitFor()
})

test('anybody thanks a maker', async () => {
  const { page } = other
  await page.goto(`${server.url()}/token/2`)
  await page.getByText('Pay its maker a royalty').click()
  await page.getByLabel('Amount (ETH)').fill('0.25')
  await page.getByRole('button', { name: 'Pay royalty' }).click()
  await settle(page)
  await page.getByRole('cell', { name: /^Royalty 0\.25/ }).waitFor()
})
