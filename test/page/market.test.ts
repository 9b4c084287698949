import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import {
  confirmAndClose,
  connectDevelopment,
  connectInjected,
  escapeDialog,
  goTo,
  list,
  showTab,
} from './actions.ts'
import { checkCards } from './broken-phrases.ts'
import { embeddedNode, type InjectedWallet, injectedWallet } from './injected-wallet.ts'
import { openStage } from './stage.ts'
import { checkView, takeScreenshot, type Visitor } from './visitor.ts'

const notOffered = 'It is not for sale, for rent or for fork now.'

const { enter, server } = openStage('market')
let ada: Visitor
let other: Visitor
let wallet: InjectedWallet

// The tests are one story; later ones use the results of earlier ones.
beforeAll(async () => {
  const key = '0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba'
  wallet = injectedWallet(key, embeddedNode(server.url))
  ada = await enter()
  other = await enter({ wallet, walletName: 'Elsewhere' })
})

const memory =
  '{ "data": {"learned":["users prefer short answers"],"seen":12345678901234567890},\n "metadata": {"category":"support","agentId":"ada"} }'

test('a newcomer connects the development wallet and creates a memory', async () => {
  const { page } = ada
  await page.goto(server.url())
  await page.getByRole('heading', { name: 'Nothing is on offer now' }).waitFor()
  await connectDevelopment(page, 'Ada')
  await page.getByRole('main').getByRole('link', { name: 'Create a memory' }).last().click()
  const buffer = Buffer.from(memory)
  await page
    .getByLabel(/Drop a file here/)
    .setInputFiles({ name: 'support.json', mimeType: 'application/json', buffer })
  await page.getByText('Recognised as a whole bundle').waitFor()
  await page.getByText('No public description').waitFor()
  await page.getByLabel(/Add a public description/).check()
  await page.getByLabel('Title').fill('What support taught me')
  await page.getByLabel('Tags').fill('support, answers')
  await page.getByRole('button', { name: 'Seal and mint' }).click()
  await confirmAndClose(page)
  await page.getByRole('heading', { name: 'Sealed as No. 1' }).waitFor()
  await page.getByRole('link', { name: /^View No\. \d+$/ }).click()
  await page.getByRole('heading', { level: 1, name: 'What support taught me' }).waitFor()
  await showTab(page, 'Lineage')
  await page.getByText('hash matches the chain').waitFor()
})

test('its owner lists it with the same wallet', async () => {
  const { page } = ada
  await list(page, { price: '0.05', rent: '0.001', fork: '0.02', percent: '10' })
  await page.getByText('It is yours, so there is nothing to buy, rent or fork.').waitFor()
})

test('its owner sees the terms and is offered nothing', async () => {
  const { page } = ada
  const terms = page.getByRole('complementary', { name: 'Terms' })
  await terms.getByRole('row', { name: /^Price 0\.05/ }).waitFor()
  await terms.getByRole('row', { name: 'Your royalty on forks 10 %' }).waitFor()
  for (const act of ['Buy', 'Rent', 'Fork']) {
    expect(await page.getByRole('button', { name: act, exact: true }).count()).toBe(0)
  }
  await checkView(ada, 'own-token')
})

test('an order that finds none of what is on offer says so, and another can be chosen', async () => {
  const { page } = other
  await page.goto(`${server.url()}/?sort=rated`)
  await page.getByText('No memory on offer has yet what this order compares.').waitFor()
  await page.getByLabel('Order').selectOption('newest')
  await page.getByRole('heading', { name: 'What support taught me' }).waitFor()
  await checkView(other, 'listed')
})

test('the dialog of a listing shows the terms as they will be', async () => {
  const { page } = ada
  await page.getByText('Change the listing').click()
  await page
    .getByRole('region', { name: 'Your memory' })
    .getByLabel(/^Price/)
    .fill('')
  const royalty = page.getByLabel('Fork royalty (%)')
  const update = page.getByRole('button', { name: 'Update the listing' })
  await royalty.fill('200')
  await page.getByText('Enter a share from 0 to 100, with at most 2 decimals.').waitFor()
  expect([await royalty.getAttribute('aria-invalid'), await update.isDisabled()]).toEqual([
    'true',
    true,
  ])
  await royalty.fill('10')
  await update.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).waitFor()
  await dialog.getByRole('row', { name: 'Price Not offered' }).waitFor()
  await dialog.getByRole('row', { name: /^Rent per day 0\.001/ }).waitFor()
  await dialog.getByRole('row', { name: /^Fork price 0\.02/ }).waitFor()
  expect(await dialog.getByText('0 ETH', { exact: true }).count()).toBe(0)
  await checkView(ada, 'list')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
})

test('the orders of the listings say what they sort by', async () => {
  const { page } = other
  await page.goto(server.url())
  const names = await page.getByLabel('Order').getByRole('option').allTextContents()
  expect(names.slice(0, 3)).toEqual([
    'Latest listing first',
    'Best match first',
    'Earliest listing first',
  ])
})

test('another visitor finds the listing by a word', async () => {
  const { page } = other
  await page.goto(server.url())
  await connectInjected(page, 'Elsewhere')
  await page.getByRole('searchbox', { name: 'Search' }).fill('supp')
  await page.getByRole('link', { name: 'What support taught me' }).click()
  await page.getByRole('heading', { level: 1, name: 'What support taught me' }).waitFor()
})

test('the visitor rents it, opens it, verifies it and saves it', async () => {
  const { page } = other
  await showTab(page, 'Contents')
  await page.getByText('This wallet neither owns nor rents this memory.').waitFor()
  await page.getByLabel('Days').fill('3')
  await page.getByRole('button', { name: 'Rent', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Rent for 3 days').waitFor()
  await dialog.getByRole('button', { name: /^Confirm/ }).click()
  await dialog.getByRole('button', { name: 'Open it now' }).waitFor()
  await checkView(other, 'rented')
  await dialog.getByRole('button', { name: 'Open it now' }).click()
  await openAndSave()
  await showTab(page, 'History')
  await page
    .getByText(/2 d 23 h/)
    .first()
    .waitFor()
  // What was opened is still there.
  await showTab(page, 'Contents')
  await page.getByText('This is exactly what').waitFor()
})

async function openAndSave(): Promise<void> {
  const { page } = other
  await page.getByText('This is exactly what').waitFor()
  await page.getByRole('treeitem', { name: 'seen: 12345678901234567890', exact: true }).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save', exact: true }).click(),
  ])
  const saved = readFileSync(await download.path(), 'utf8')
  expect(saved).toBe(
    '{"data":{"learned":["users prefer short answers"],"seen":12345678901234567890},"metadata":{"category":"support","agentId":"ada"}}',
  )
}

test('a renter sees until when, and until when after more days, before paying', async () => {
  const { page } = other
  const terms = page.getByRole('complementary', { name: 'Terms' })
  await terms.getByLabel('Days').fill('7')
  const extended = /^You rent it until .* UTC; 7 more days: until .* UTC\.$/
  await terms.getByText(extended).waitFor()
  await terms.getByRole('button', { name: 'Rent more days' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(extended).waitFor()
  await dialog.getByText('The owner keeps the token.').waitFor()
  await takeScreenshot(other, 'extended')
  await escapeDialog(page)
  await ada.page.clock.install()
  await ada.page.goto(`${server.url()}/token/1?tab=ratings`)
  await ada.page.getByText('Nobody who paid has rated it yet.').waitFor()
})

test('the visitor, who paid, rates it', async () => {
  const { page } = other
  await showTab(page, 'Ratings')
  const ratings = page.getByRole('region', { name: 'Ratings' })
  await ratings.getByText('Nobody who paid has rated it yet.').waitFor()
  await ratings.getByText('Rate it').click()
  await ratings.getByText('4', { exact: true }).click()
  await ratings.getByLabel('Comment (optional)').fill('Short and true.')
  await ratings.getByRole('button', { name: 'Sign and publish' }).click()
  await ratings.getByText('4.0 of 5 on average, by 1 account that paid.').waitFor()
  await ratings.getByText('Short and true.').first().waitFor()
  await ratings.getByText('rented it').waitFor()
  await ratings.getByRole('row', { name: '4 of 5 1' }).waitFor()
  await page.reload()
  await page.getByRole('link', { name: 'Rated 4.0 of 5 by 1 account that paid' }).click()
  expect(new URL(page.url()).search).toBe('?tab=ratings')
  await checkView(other, 'rated')
  await goTo(page, 'Browse')
  await page.getByText('4.0 of 5 (1 rating)', { exact: true }).waitFor()
  await checkView(other, 'rated-list')
  await checkCards(other, 'rated-cards')
  await page.goBack()
})

test('the maker sees the rating without a reload, and cannot rate', async () => {
  const { page } = ada
  // A rating is no event of the chain: the page reads all ratings every half minute.
  await page.clock.fastForward(30_000)
  await page.getByText('4.0 of 5 on average, by 1 account that paid.').waitFor()
  expect(await page.getByText('Rate it').count()).toBe(0)
})

test('the visitor buys it and becomes the owner', async () => {
  const { page } = other
  await page.getByRole('button', { name: 'Buy', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/^The owner, 0x.*, receives the whole price\.$/).waitFor()
  await dialog.getByRole('button', { name: 'Confirm and pay' }).click()
  await dialog.getByText('No. 1 is yours.').waitFor()
  const shown = await dialog.getByRole('button', { name: /^transaction 0x/ }).textContent()
  expect(shown).toMatch(/0x[0-9a-f]{64}/)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByText(notOffered).waitFor()
  await goTo(page, 'My memories')
  await page.getByRole('heading', { name: 'What support taught me' }).first().waitFor()
})

test('the creator sees the earnings without a reload', async () => {
  const { page } = ada
  await goTo(page, 'My memories')
  const earned = page.getByRole('region', { name: 'Earnings' })
  await earned.locator('dl').getByText('0.053 ETH', { exact: true }).waitFor()
})

test('the creator sees them by month and memory, and saves them', async () => {
  const { page } = ada
  await page.getByText('By month and memory').click()
  await page
    .getByRole('region', { name: /^By month/ })
    .getByText(/20\d\d-[01]\d/)
    .first()
    .waitFor()
  await page
    .getByRole('region', { name: /^By memory/ })
    .getByText('No. 1')
    .waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as CSV' }).click(),
  ])
  const saved = readFileSync(await download.path(), 'utf8')
  const rows = saved
    .trim()
    .split('\r\n')
    .map((row) => row.split(','))
  expect(rows.map(([, kind, memory, amount, symbol]) => [kind, memory, amount, symbol])).toEqual([
    ['kind', 'memory', 'amount', 'currency'],
    ['sales', '1', '0.05', 'ETH'],
    ['rentals', '1', '0.003', 'ETH'],
  ])
  await checkView(ada, 'earnings-by-month')
})

test('a fork pays its price, and its earnings pay a royalty to the creator', async () => {
  const { page } = other
  await page.goto(`${server.url()}/token/1`)
  await list(page, { fork: '0.02', percent: '10' })
  const [creator] = [ada.page]
  await creator.goto(`${server.url()}/token/1`)
  await creator.getByRole('button', { name: 'Fork', exact: true }).click()
  await creator.getByRole('dialog').getByText('10 % of the price').waitFor()
  await creator.getByRole('dialog').getByRole('button', { name: 'Confirm and pay' }).click()
  await creator.getByRole('link', { name: 'View No. 2' }).waitFor()
  await creator.getByRole('button', { name: 'Open it now' }).click()
  await creator.getByText('This is exactly what').waitFor()
  await creator
    .getByRole('heading', { name: 'No. 2' })
    .or(creator.getByText('No. 2').first())
    .first()
    .waitFor()
  await list(creator, { price: '1' })
  await creator.getByText('Who is paid when it is sold', { exact: true }).click()
  const split = creator.getByRole('region', { name: 'Who is paid when it is sold for 1 ETH' })
  await split.getByRole('row', { name: /you owner 90 % .*0\.9 Ether/ }).waitFor()
  await split.getByRole('row', { name: /creator of No\. 1 10 % .*0\.1 Ether/ }).waitFor()
  const [download] = await Promise.all([
    creator.waitForEvent('download'),
    creator.getByRole('button', { name: 'Save as CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('split-of-no-2.csv')
  const rows = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n')
  expect(rows.map((row) => row.split(',').slice(1))).toEqual([
    ['role', 'memory', 'share', 'amount', 'currency'],
    ['owner', '', '90 %', '0.9', 'ETH'],
    ['creator of No. 1', '1', '10 %', '0.1', 'ETH'],
  ])
  await checkView(ada, 'split')
  await showTab(creator, 'Lineage')
  await creator.getByRole('link', { name: /^No\. 1 .*original$/ }).focus()
  await creator.keyboard.press('ArrowRight')
  const focused = () => creator.evaluate(() => document.activeElement?.getAttribute('data-token'))
  await expect.poll(focused).toBe('2')
})

test('the price of forks is in the history, and a fork leads to the ratings of its source', async () => {
  const { page } = other
  await page.goto(`${server.url()}/token/1?tab=history`)
  const prices = page.getByRole('region', { name: 'Price history' })
  await prices
    .getByText(/^Asking price: 0\.02 ETH per fork, unchanged since .*; 1 fork\.$/)
    .waitFor()
  await prices.getByText('As a table').click()
  await prices
    .getByRole('row', { name: /Asked per fork 0\.02/ })
    .first()
    .waitFor()
  await prices.getByRole('row', { name: /Forked 0\.02/ }).waitFor()
  const ended = prices.getByRole('row', { name: /Not for rent any more/ }).first()
  await ended.getByRole('cell', { name: '–', exact: true }).waitFor()
  await page.goto(`${server.url()}/token/2?tab=ratings`)
  const ratings = page.getByRole('region', { name: 'Ratings' })
  await ratings
    .getByText('Accounts that paid for this fork rate the memory it comes from:')
    .waitFor()
  await ratings.getByRole('link', { name: 'No. 1', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'What support taught me' }).waitFor()
})

test('an owner takes a listing down', async () => {
  const { page } = ada
  await page.getByText('Change the listing').click()
  await page.getByRole('button', { name: 'Take down' }).click()
  await confirmAndClose(page)
  await page.getByText(notOffered).waitFor()
})

test('anyone pays a royalty to a creator', async () => {
  const { page } = other
  await page.goto(`${server.url()}/token/2`)
  await page.getByText('Pay the creator a royalty').click()
  await page.getByLabel('Amount (ETH)').fill('0.25')
  await page.getByRole('button', { name: 'Pay royalty' }).click()
  await confirmAndClose(page)
  await showTab(page, 'History')
  await page.getByRole('cell', { name: /^Royalty 0\.25/ }).waitFor()
})
