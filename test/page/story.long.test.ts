import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import type { Browser as Firefox, Page as FirefoxPage } from 'puppeteer-core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Anvil, startAnvil, testClient } from '../harness/chain/anvil.ts'
import { deployEns, type Ens } from '../harness/chain/ens.ts'
import { startDeploy } from '../harness/process/deployer.ts'
import { longestWait } from '../tier.ts'
import {
  askAgent,
  chooseFile,
  confirmAndClose,
  connectInjected,
  fillCard,
  goTo,
  list,
  showTab,
} from './actions.ts'
import { type BuiltServer, startBuiltServer } from './built-server.ts'
import { leave, startChromium } from './chromium.ts'
import { type InjectedWallet, injectedWallet } from './injected-wallet.ts'
import { startFirefox } from './start-firefox.ts'
import {
  checkInFirefox,
  checkView,
  screenshots,
  takeScreenshot,
  type Visitor,
  visit,
} from './visitor.ts'

// One story of two people: a maker in Chromium and a buyer in Firefox, on a server that asks for an
// access key and has its chain elsewhere. Nobody types an address.

const accessKey = 'a-key-of-the-maker-0123456789abcdef'
const chainId = 4242
const buyerKey = generatePrivateKey()

let anvil: Anvil
let ens: Ens
let folder: string
let server: BuiltServer
let chromium: Browser
let firefox: Firefox
let makerWallet: InjectedWallet
let buyerWallet: InjectedWallet
let maker: Visitor
let buyer: FirefoxPage
const errors: string[] = []

/** Deploys the contracts on an empty chain, and returns the settings of a server on it. */
async function deployPair(): Promise<Readonly<Record<string, string>>> {
  const key = generatePrivateKey()
  const { address } = privateKeyToAccount(key)
  await testClient(anvil).setBalance({ address, value: 10n ** 19n })
  const settings = { RPC_URL: anvil.url.href, AGENT_PRIVATE_KEY: key, MASTER_KEYS: '5'.repeat(64) }
  folder = mkdtempSync(join(tmpdir(), 'story-'))
  const { code, told, pair } = await startDeploy({ ...settings, DATA_DIR: folder }).done
  expect(code, told).toBe(0)
  const [registry, marketplace] = pair
  return { ...settings, REGISTRY_ADDRESS: registry, MARKETPLACE_ADDRESS: marketplace }
}

/** Returns a wallet that holds ten ether. */
async function fundedWallet(key = generatePrivateKey()): Promise<InjectedWallet> {
  const wallet = injectedWallet(key, () => anvil.url.href)
  await testClient(anvil).setBalance({ address: wallet.account.address, value: 10n ** 19n })
  return wallet
}

beforeAll(async () => {
  anvil = await startAnvil({ chainId })
  const [settings, ...browsers] = await Promise.all([deployPair(), startChromium(), startFirefox()])
  ens = await deployEns(anvil)
  ;[chromium, firefox] = browsers
  server = await startBuiltServer({
    ...settings,
    API_KEYS: accessKey,
    CHAIN_NAME: 'Story chain',
    PUBLIC_RPC_URL: anvil.url.href,
    ENS_REGISTRY: ens.registry,
  })
  makerWallet = await fundedWallet()
  buyerWallet = await fundedWallet(buyerKey)
  buyerWallet.chainId = chainId
  await nameWallet(makerWallet, 'workshop.eth')
  await nameWallet(buyerWallet, 'pilot.eth')
  const expectedErrors = /status of 401 .*\/api\/wallet/
  const options = { url: server.url(), wallet: makerWallet, walletName: 'Workshop' }
  maker = await visit(chromium, { ...options, expectedErrors })
  buyer = await firefox.newPage()
  // A bound on a hang, as for the maker.
  buyer.setDefaultTimeout(longestWait)
  buyer.on('pageerror', (error) => errors.push(String(error)))
  await buyerWallet.installInFirefox(buyer, 'Purse')
})
afterAll(async () => {
  await Promise.all([leave(chromium), firefox?.close()])
  await server?.dispose()
  await anvil?.stop()
  rmSync(folder, { recursive: true, force: true })
})
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') {
    await takeScreenshot(maker, 'failed-story-maker')
    await buyer.screenshot({ path: join(screenshots, 'failed-story-buyer.png'), fullPage: true })
  }
  expect([...maker.browserErrors, ...errors]).toEqual([])
})

/** Gives a wallet a name in ENS, and lets it choose that. */
async function nameWallet({ account }: InjectedWallet, name: string): Promise<void> {
  await ens.register(name, account.address)
  await ens.claim(account, name)
}

const see = (text: string) => buyer.locator(`::-p-text(${text})`).wait()
const click = (name: string) => buyer.locator(`::-p-aria([name="${name}"][role="button"])`).click()
const follow = (name: string) => buyer.locator(`::-p-aria([name="${name}"][role="link"])`).click()
const openTab = (name: string) => buyer.locator(`::-p-aria([name="${name}"][role="tab"])`).click()
const clickInDialog = (name: string) => buyer.locator(`dialog button ::-p-text(${name})`).click()

const title = 'Nine months of harbour pilots’ questions'
const memory =
  '{"learned":[{"question":"Which tide?","answer":"The one before noon"}],"harbours":9}'

test('a maker connects a wallet, adds the chain to it, and creates a memory with the key', async () => {
  const { page } = maker
  await page.goto(server.url())
  await page.getByRole('heading', { name: 'Nothing is on offer now' }).waitFor()
  await connectInjected(page, 'Workshop')
  await goTo(page, 'Create')
  await page.getByRole('region', { name: 'Access key' }).getByLabel('Access key').fill(accessKey)
  await page.getByRole('button', { name: 'Use this key' }).click()
  await chooseFile(page, memory)
  await page.getByLabel('Category').fill('seafaring')
  await fillCard(page, { title, description: 'What pilots ask before they take a ship in.' })
  await page.getByRole('button', { name: 'Switch to Story chain' }).click()
  await page.getByRole('button', { name: 'Seal and mint' }).click()
  expect(makerWallet.added).toMatchObject([{ chainName: 'Story chain' }])
  await confirmAndClose(page)
  await page.getByRole('heading', { name: 'Sealed as No. 1' }).waitFor()
})

test('the maker lists it for sale, for rent and for fork', async () => {
  const { page } = maker
  await page.getByRole('link', { name: /^View No\. \d+$/ }).click()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await list(page, { price: '1.5', rent: '0.01', fork: '0.2', percent: '10' })
  await page.getByText('It is yours, so there is nothing to buy, rent or fork.').waitFor()
  await checkView(maker, 'story-listed')
})

test('a buyer elsewhere finds it by a word, and rents it', async () => {
  await buyer.goto(server.url())
  await click('Connect wallet')
  await clickInDialog('Purse')
  await buyer.locator('input[type=search]').fill('pilots')
  await see('workshop.eth')
  await follow(title)
  await openTab('Contents')
  await see('This wallet neither owns nor rents this memory.')
  await click('Rent')
  await clickInDialog('Confirm')
  await clickInDialog('Open it now')
})

test('the buyer opens it, and the browser verifies it', async () => {
  await see('This is exactly what')
  await see('The one before noon')
  await buyer.locator('.ask input').fill('which tide should I take?')
  await click('Ask')
  await buyer.locator('.answers ::-p-text(The one before noon)').wait()
  await checkInFirefox(buyer, 'story-opened')
})

test('the buyer has an agent answer from it, as the page says', async () => {
  await buyer.locator('.toggles label ::-p-text(MCP)').click()
  const shown = buyer.locator('.use pre').filter((it) => it.textContent.includes('mcpServers'))
  const settings = await shown.map((it) => it.textContent).wait()
  const answer = await askAgent(settings, { key: buyerKey, text: 'which tide?' })
  expect(answer).toContain('The one before noon')
})

test('the buyer, who paid, rates it, and the maker sees that', async () => {
  await openTab('Ratings')
  await buyer.locator('summary ::-p-text(Rate it)').click()
  await buyer.locator('fieldset.toggles label ::-p-text(5 (best))').click()
  await buyer.locator('textarea[maxlength="500"]').fill('Saved us a grounding.')
  await click('Sign and publish')
  await see('5.0 of 5 on average, by 1 account that paid.')
  await checkInFirefox(buyer, 'story-rated')
  const { page } = maker
  await page.goto(`${server.url()}/token/1?tab=ratings`)
  await page.getByText('5.0 of 5 on average, by 1 account that paid.').waitFor()
  await page.getByRole('link', { name: 'Rated 5.0 of 5 by 1 account that paid' }).waitFor()
  await page.getByText('Saved us a grounding.').first().waitFor()
  await page.getByRole('region', { name: 'Ratings' }).getByText('pilot.eth').waitFor()
})

test('the buyer forks it, opens the fork and offers it', async () => {
  await click('Fork')
  await clickInDialog('Confirm and pay')
  await buyer.locator('dialog a ::-p-text(View No. 2)').wait()
  await clickInDialog('Open it now')
  await buyer.waitForFunction(() => location.pathname === '/token/2')
  await see('This is exactly what')
  await buyer.locator('summary ::-p-text(List this memory)').click()
  await buyer.locator('details.act input[inputmode="decimal"]').fill('2')
  await click('List')
  await clickInDialog('Confirm')
  await see('Network fee')
  await clickInDialog('Done')
  await buyer.locator('summary ::-p-text(Who is paid)').click()
  await see('1.8 ETH')
  await checkInFirefox(buyer, 'story-forked')
})

test('the maker sees the fork in the family, and what it earned', async () => {
  const { page } = maker
  await page.reload()
  await showTab(page, 'Lineage')
  await page
    .getByRole('link', { name: /^No\. 2 / })
    .first()
    .waitFor()
  await checkView(maker, 'story-family')
  await goTo(page, 'My memories')
  const earned = page.getByRole('region', { name: 'Earnings' })
  await earned.getByText('0.27 ETH', { exact: true }).first().waitFor()
  await checkView(maker, 'story-earned')
})

test('the maker buys the fork, and finds the buyer by the name', async () => {
  const { page } = maker
  await page.goto(`${server.url()}/token/2`)
  await page.getByRole('button', { name: 'Buy', exact: true }).click()
  await page.getByRole('dialog').getByText('1.8 ETH').first().waitFor()
  await confirmAndClose(page)
  await showTab(page, 'History')
  await page.getByRole('row', { name: /Sold to workshop\.eth/ }).waitFor()
  // Until the owner is read anew, the first link leads to the maker.
  await page.getByText('It is not for sale, for rent or for fork now.').waitFor()
  await page.getByRole('link', { name: 'pilot.eth' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'pilot.eth' }).waitFor()
  await checkView(maker, 'story-account')
})

test('the maker gives the fork back to the name, and sees first to whom that leads', async () => {
  const { page } = maker
  await page.goto(`${server.url()}/token/2`)
  await page.getByText('Transfer it').click()
  const field = page.getByLabel('To the account')
  await field.fill('nobody.eth')
  await page.getByText('nobody.eth leads to no account.').waitFor()
  await field.fill('Workshop.eth')
  await page.getByText('It is yours already.').waitFor()
  await field.fill('Pilot.eth')
  await page.getByText(`pilot.eth is ${buyerWallet.account.address}.`).waitFor()
  await checkView(maker, 'story-transfer')
  await page.getByRole('button', { name: 'Transfer', exact: true }).click()
  await confirmAndClose(page)
  await showTab(page, 'History')
  await page.getByRole('row', { name: /^Transferred to pilot\.eth/ }).waitFor()
})
