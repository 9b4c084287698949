import type { Locator } from 'playwright-core'
import { type Hex, hexToBigInt } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { rpc } from '../harness/process/server.ts'
import {
  confirmAndClose,
  connectDevelopment,
  connectInjected,
  create,
  escapeDialog,
  fillTerms,
  goTo,
  list,
  showTab,
} from './actions.ts'
import { embeddedNode, type InjectedWallet, injectedWallet } from './injected-wallet.ts'
import { openStage } from './stage.ts'
import { checkView, type Visitor } from './visitor.ts'

const { enter, server } = openStage('dollars')
let ada: Visitor
let guest: Visitor
let purse: InjectedWallet
let agent: Hex

// The tests are one story; later ones use the results of earlier ones.
beforeAll(async () => {
  // A new account: it has no native money, and never gets any.
  purse = injectedWallet(generatePrivateKey(), embeddedNode(server.url))
  const { page } = server
  expect(page).not.toBe('')
  ada = await enter()
  guest = await enter({ wallet: purse, walletName: 'Purse' })
  const deployment = (await (await fetch(`${server.url()}/api/deployment`)).json()) as {
    readonly agent: Hex
  }
  agent = deployment.agent
})
afterEach(async () => {
  expect(await balanceOf(purse.account.address)).toBe(0n)
})

const balanceOf = async (account: Hex): Promise<bigint> =>
  hexToBigInt(await rpc<Hex>(server.url(), 'eth_getBalance', [account, 'latest']))

const dialogOf = ({ page }: Visitor): Locator => page.getByRole('dialog')
const press = ({ page }: Visitor, name: string) =>
  page.getByRole('button', { name, exact: true }).click()

test('an owner lists in dollars, and sees the terms as they will be', async () => {
  const { page } = ada
  await page.goto(server.url())
  await connectDevelopment(page, 'Ada')
  const text = '{"learned":["the quiet hours"]}'
  await create(page, { text, category: 'research', card: { title: 'The quiet hours' } })
  await page.getByRole('link', { name: /^View No\. \d+$/ }).click()
  await page.getByRole('heading', { level: 1, name: 'The quiet hours' }).waitFor()
  await fillTerms(page, { currency: 'TUSD', price: '5', rent: '0.5', fork: '2', percent: '10' })
  const dialog = dialogOf(ada)
  await dialog.getByRole('row', { name: /^Price 5 Heirloom Test Dollar/ }).waitFor()
  await dialog.getByRole('row', { name: /^Rent per day 0\.5 Heirloom Test Dollar/ }).waitFor()
  await dialog.getByText('If you sell it, you receive the whole price.').waitFor()
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).waitFor()
  await checkView(ada, 'list-in-dollars')
  await confirmAndClose(page)
  const terms = page.getByRole('complementary', { name: 'Terms' })
  await terms.getByRole('row', { name: /^Price 5 Heirloom Test Dollar/ }).waitFor()
  await showTab(page, 'History')
  await page.getByRole('row', { name: /^Listed for sale at 5 Heirloom Test Dollar/ }).waitFor()
})

test('a visitor without any money is told what is missing, and gets test dollars', async () => {
  const { page } = guest
  await page.goto(server.url())
  await connectInjected(page, 'Purse')
  await page.getByRole('link', { name: 'The quiet hours' }).click()
  await page.getByText(/^If it is sold, the owner, 0x.*, receives the whole price\.$/).waitFor()
  await page.getByLabel('Days').fill('3')
  await press(guest, 'Rent')
  const dialog = dialogOf(guest)
  await dialog.getByText('This wallet holds 0 TUSD, and 1.5 TUSD is needed.').waitFor()
  await dialog.getByText('play money, worth nothing').waitFor()
  await checkView(guest, 'too-few-dollars')
  await dialog.getByRole('button', { name: 'Get test dollars (play money)' }).click()
  await dialog.getByRole('row', { name: /^Rent for 3 days 1\.5 Heirloom Test Dollar/ }).waitFor()
  await dialog.getByRole('row', { name: 'Network fee, estimated Paid by this server' }).waitFor()
  await dialog.getByRole('row', { name: /^Purse’s balance 100 Heirloom Test Dollar/ }).waitFor()
  await checkView(guest, 'rent-in-dollars')
})

test('it rents with one signature, and opens the memory', async () => {
  const { page } = guest
  const dialog = dialogOf(guest)
  const before = await balanceOf(agent)
  await dialog.getByRole('button', { name: 'Sign and pay' }).click()
  await dialog.getByText(/^You can open No\. 1 until \d+ \w+ \d{4}, [\d:]{8} UTC\.$/).waitFor()
  await dialog.getByText('paid by this server').waitFor()
  expect(purse.signed.map(({ primaryType }) => primaryType)).toEqual(['ReceiveWithAuthorization'])
  const cost = before - (await balanceOf(agent))
  // Gas alone: 300,000 units at 10 gwei would be more.
  expect(cost).toBeGreaterThan(0n)
  expect(cost).toBeLessThan(3n * 10n ** 15n)
  await checkView(guest, 'rented-in-dollars')
  await dialog.getByRole('button', { name: 'Open it now' }).click()
  await page.getByText('This is exactly what').waitFor()
  await page.getByText('the quiet hours').first().waitFor()
})

test('what was signed is one exact payment to the marketplace, in the domain of the chain', () => {
  const [typed] = purse.signed
  expect(typed?.domain).toMatchObject({
    name: 'Heirloom Test Dollar',
    version: '1',
    chainId: 31_337,
  })
  expect(typed?.message).toMatchObject({ value: '1500000', validAfter: '0' })
})

test('it buys with the keyboard alone', async () => {
  const { page } = guest
  await page.getByRole('button', { name: 'Buy', exact: true }).focus()
  await page.keyboard.press('Enter')
  const dialog = dialogOf(guest)
  const pay = dialog.getByRole('button', { name: 'Sign and pay' })
  await pay.waitFor()
  for (let tabs = 0; tabs < 12; tabs += 1) {
    if (await pay.evaluate((it) => it === document.activeElement)) break
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
  await dialog.getByText('No. 1 is yours.').waitFor()
  await escapeDialog(page)
  await showTab(page, 'History')
  await page.getByRole('row', { name: /Sold .* for 5 Heirloom Test Dollar/ }).waitFor()
  await page.getByText('It is not for sale, for rent or for fork now.').waitFor()
})

test('the seller has earned dollars, apart from ether', async () => {
  const { page } = ada
  await goTo(page, 'My memories')
  const earned = page.getByRole('region', { name: 'Earnings' })
  // The sentence on this month says it, too, once it is read.
  await earned.locator('.total').getByText('6.5 TUSD', { exact: true }).waitFor()
  expect(await earned.getByText('0 ETH', { exact: true }).count()).toBe(0)
  await checkView(ada, 'earned-dollars')
})

test('it lists without native money: it signs, and the server pays the fee', async () => {
  const { page } = guest
  await fillTerms(page, { currency: 'TUSD', price: '8', fork: '2', percent: '10' })
  const dialog = dialogOf(guest)
  await dialog.getByText('this server sends what you signed and pays the fee').waitFor()
  await checkView(guest, 'list-without-money')
  await dialog.getByRole('button', { name: 'Sign', exact: true }).click()
  await dialog.getByText('No. 1 is listed.').waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  expect(purse.signed.at(-1)?.primaryType).toBe('ForwardRequest')
  await page
    .getByRole('complementary')
    .getByRole('row', { name: /^Price 8 Heirloom Test Dollar/ })
    .waitFor()
})

test('it makes a memory without native money, and is its creator', async () => {
  const { page } = guest
  const card = { title: 'Made of nothing' }
  const tokenId = await create(page, {
    text: '{"learned":[2]}',
    category: 'research',
    card,
  })
  await page.getByRole('link', { name: /^View No\. \d+$/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Made of nothing' }).waitFor()
  const { creator, owner } = (await (
    await fetch(`${server.url()}/api/memory/${tokenId}/info`)
  ).json()) as { readonly creator: Hex; readonly owner?: Hex }
  expect([creator, owner ?? creator]).toEqual([purse.account.address, purse.account.address])
})

test('it transfers a memory without native money', async () => {
  const { page } = guest
  await page.getByText('Transfer it').click()
  const field = page.getByLabel('To the account')
  await field.fill(purse.account.address)
  await page.getByText('It is yours already.').waitFor()
  await field.fill('0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
  await press(guest, 'Transfer')
  await dialogOf(guest).getByText('for good: only it can give the token back').waitFor()
  await checkView(guest, 'transfer')
  await confirmAndClose(page)
  await showTab(page, 'History')
  await page.getByRole('row', { name: /^Transferred to/ }).waitFor()
  await page.getByText('Pay the creator a royalty').waitFor()
})

test('a fork and a royalty are paid in dollars', async () => {
  const { page } = ada
  await page.goto(`${server.url()}/token/1`)
  await press(ada, 'Fork')
  const dialog = dialogOf(ada)
  await dialog.getByText('This wallet holds').or(dialog.getByText('Sign and pay')).first().waitFor()
  await dialog.getByRole('button', { name: 'Sign and pay' }).click()
  await dialog.getByRole('link', { name: 'View No. 3' }).click()
  await page.getByRole('heading', { level: 1, name: 'The quiet hours' }).waitFor()
  await page.goto(`${server.url()}/token/2`)
  await page.getByText('Pay the creator a royalty').click()
  await page.getByRole('group', { name: 'Currency' }).getByText('TUSD').click()
  await page.getByLabel('Amount (TUSD)').fill('0.25')
  await press(ada, 'Pay royalty')
  await confirmAndClose(page)
  await showTab(page, 'History')
  await page.getByRole('row', { name: /^Royalty 0\.25 Heirloom Test Dollar/ }).waitFor()
})

test('the market is filtered and sorted by currency', async () => {
  const { page } = guest
  await page.goto(`${server.url()}/token/3`)
  const owner = ada.page
  await owner.goto(`${server.url()}/token/3`)
  await list(owner, { price: '0.001' })
  await page.goto(server.url())
  await page.getByText(/^(?:1 memory, 2 offers|2 memories are on offer)/).waitFor()
  await page.getByLabel('Order').selectOption('cheapest')
  await page.getByText('1 memory is on offer').waitFor()
  await page
    .getByText(
      'Shown are only memories for sale in ETH: choose TUSD under Currency for the others.',
    )
    .waitFor()
  await page.getByRole('region', { name: 'Currency' }).getByRole('link', { name: 'TUSD' }).click()
  await page.getByRole('definition').getByText('8 TUSD', { exact: true }).waitFor()
  await page.locator('summary', { hasText: 'Price' }).click()
  await page.getByLabel('Price, from (TUSD)').fill('8.000001')
  await page.getByText('No listing matches').waitFor()
  await page.getByLabel('Price, from (TUSD)').fill('8')
  await page.getByText('1 memory is on offer').waitFor()
  await checkView(guest, 'browse-dollars')
})
