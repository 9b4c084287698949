import { createClient } from '@heirloom/http/client'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { chooseFile, confirmAndClose, connectDevelopment, goTo, showTab } from './actions.ts'
import { embeddedNode, type InjectedWallet, injectedWallet } from './injected-wallet.ts'
import { openStage } from './stage.ts'
import { checkView, type Visitor } from './visitor.ts'

const { enter, server } = openStage('focus')
let visitor: Visitor
let wallet: InjectedWallet
let page: Page

// The tests are one story; later ones use the results of earlier ones.
beforeAll(async () => {
  const key = '0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba'
  wallet = injectedWallet(key, embeddedNode(server.url))
  visitor = await enter({ wallet, walletName: 'Elsewhere' })
  page = visitor.page
})

/** Returns the kind and the text of the element that has the focus. */
const focused = (): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: it } = document
    return `${it?.localName} ${it === document.body ? '' : it?.textContent?.trim()}`
  })

/** Waits until the element with a kind and a text has the focus. */
const expectFocus = async (name: string): Promise<void> => {
  await expect.poll(focused).toBe(name)
}

const boxEnd = (box: { readonly y: number; readonly height: number } | null): number =>
  (box?.y ?? 0) + (box?.height ?? 0)

/** Changes the account of the development wallet. */
async function changeTo(name: string): Promise<void> {
  await page.getByRole('button', { name: /^Wallet / }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .click()
  await page.getByRole('button', { name: `Wallet ${name}` }).waitFor()
}

test('a mint that is cancelled leaves the focus at what was sealed', async () => {
  await page.goto(server.url())
  await connectDevelopment(page, 'Ada')
  await goTo(page, 'Create')
  await chooseFile(page, '{"learned":["short answers"]}')
  await page.getByLabel('Category').fill('support')
  await page.getByRole('button', { name: 'Seal and mint' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /^Confirm/ }).waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expectFocus('h2 Sealed, not minted yet')
})

test('a mint leads to what it made', async () => {
  await page.getByRole('button', { name: 'Mint', exact: true }).click()
  await confirmAndClose(page)
  await expectFocus('h2 Sealed as No. 1')
})

test('a new listing, another one and its end lead to the form of the listing', async () => {
  await page.getByRole('textbox', { name: /^Price/ }).fill('0.05')
  await page.getByLabel('Rent per day (ETH)').fill('0.001')
  await page.getByRole('button', { name: 'List', exact: true }).click()
  await confirmAndClose(page)
  await expectFocus('summary Change the listing')
  await page.getByRole('link', { name: /^View No\. \d+$/ }).click()
  await page.getByText('Change the listing').click()
  await page.getByLabel('Rent per day (ETH)').fill('0.002')
  await page.getByRole('button', { name: 'Update the listing' }).click()
  await confirmAndClose(page)
  await expectFocus('summary Change the listing')
  await page.getByRole('button', { name: 'Take down' }).click()
  await confirmAndClose(page)
  await expectFocus('summary List this memory')
  await page.getByText('List this memory').click()
  await page.getByRole('textbox', { name: /^Price/ }).fill('0.05')
  await page.getByLabel('Rent per day (ETH)').fill('0.001')
  await page.getByRole('button', { name: 'List', exact: true }).click()
  await confirmAndClose(page)
  await expectFocus('summary Change the listing')
})

test('a purchase leads to the terms, and back to its button where that remains', async () => {
  await changeTo('Ben')
  await page.getByRole('button', { name: 'Buy', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expectFocus('button Buy')
  await page.getByRole('button', { name: 'Rent', exact: true }).click()
  await confirmAndClose(page)
  await expectFocus('button Rent more days')
  await page.getByRole('button', { name: 'Buy', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm and pay' }).waitFor()
  await page.keyboard.press('Escape')
  await expectFocus('button Buy')
  await page.getByRole('button', { name: 'Buy', exact: true }).click()
  await confirmAndClose(page)
  await expectFocus('h2 Terms')
})

test('a memory that is opened leads to its contents', async () => {
  await page.getByRole('button', { name: 'Open the memory' }).click()
  await page.getByText('This is exactly what').waitFor()
  await expectFocus('h2 Contents')
})

test('a rating that is published leaves the focus at its button', async () => {
  await showTab(page, 'Ratings')
  await page.getByText('Rate it').click()
  const ratings = page.getByRole('region', { name: 'Ratings' })
  await ratings.getByText('4', { exact: true }).click()
  await page.getByRole('button', { name: 'Sign and publish' }).click()
  await page.getByText('You can change it here.').waitFor()
  await expectFocus('button Sign and publish')
})

test('a wallet that is disconnected leaves the focus in its dialog, which says so', async () => {
  await page.getByRole('button', { name: 'Wallet Ben' }).click()
  const dialog = page.getByRole('dialog')
  const button = await dialog.getByRole('button', { name: 'Disconnect' }).boundingBox()
  const heading = await dialog.getByRole('heading', { name: 'Connect another' }).boundingBox()
  expect(boxEnd(button)).toBeLessThan((heading?.y ?? 0) - 12)
  await dialog.getByRole('button', { name: 'Disconnect' }).click()
  await dialog.getByRole('status').getByText('The wallet is disconnected.').waitFor()
  await expectFocus('h2 Wallet')
  await page.keyboard.press('Escape')
  await expectFocus('button Connect wallet')
})

test('a wallet that changes the chain leaves the focus in the region', async () => {
  wallet.chainId = 1
  await page.goto(`${server.url()}/token/1`)
  await page.getByRole('button', { name: 'Connect wallet' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Elsewhere', exact: true }).click()
  await showTab(page, 'Contents')
  await page.getByRole('button', { name: /^Switch to/ }).click()
  await page.getByText('This wallet neither owns nor rents').waitFor()
  await expectFocus('h2 Contents')
})

test('the last page of a list leads to its first row', async () => {
  const client = createClient({ url: server.url() })
  for (let count = 0; count < 40; count += 1) {
    await client.snapshot({ data: { count }, metadata: { category: 'sea' } })
  }
  await goTo(page, 'Browse')
  await page.getByRole('link', { name: 'Activity' }).click()
  const earlier = page.getByRole('button', { name: 'Show earlier' })
  await earlier.waitFor()
  const rows = page.getByRole('row')
  const shown = await rows.count()
  await earlier.click()
  await earlier.waitFor({ state: 'detached' })
  // By its place: its title may come later.
  const place = () =>
    page.evaluate(() => {
      const all = [...document.querySelectorAll('tr')]
      return all.findIndex((it) => document.activeElement?.isSameNode(it))
    })
  await expect.poll(place).toBe(shown)
})

test('the focus stays where its visitor has it while the page changes', async () => {
  const client = createClient({ url: server.url() })
  const list = async (tokenId: string) => {
    const prices = { price: 5n, rentalPricePerDay: 0n, forkPrice: 0n, forkRoyaltyBps: 0 }
    await client.list({ tokenId, ...prices })
    await page.getByRole('article').getByText(`No. ${tokenId}`).waitFor()
  }
  await goTo(page, 'Browse')
  await list('2')
  await page.getByRole('searchbox', { name: 'Search' }).focus()
  await list('3')
  await expectFocus('input ')
  await page.getByRole('contentinfo').click({ position: { x: 1, y: 1 } })
  await list('4')
  await expectFocus('body ')
})

test('amounts and times are no Tab stops', async () => {
  await page.goto(`${server.url()}/token/2`)
  await page.getByRole('button', { name: 'Buy', exact: true }).waitFor()
  const stops: string[] = []
  while (stops.at(-1) !== 'button Buy' && stops.length < 20) {
    await page.keyboard.press('Tab')
    stops.push(await focused())
  }
  expect(stops.filter((it) => /^(data|time) /.test(it))).toEqual([])
  expect(stops.at(-1)).toBe('button Buy')
})

test('everyone can have the exact amounts and times', async () => {
  const price = page.getByRole('region', { name: 'Buy' }).locator('data')
  await expect.poll(() => price.textContent()).toMatch(/^5 wei0/)
  const choice = page.getByRole('button', { name: 'Exact amounts and times' })
  await choice.focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => price.textContent()).toMatch(/^0\.0{17}5 Ether, 5 wei$/)
  await checkView(visitor, 'exact-token')
  await goTo(page, 'Browse')
  await checkView(visitor, 'exact-browse')
  await page.reload()
  await expect.poll(() => choice.getAttribute('aria-pressed')).toBe('true')
  await choice.click()
  await expect.poll(() => choice.getAttribute('aria-pressed')).toBe('false')
})
