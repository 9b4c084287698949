import { createClient } from '@heirloom/http/client'
import { openWallet } from '@heirloom/http/wallet'
import { beforeAll, expect, test } from 'vitest'
import { publicAccount } from '../harness/copier.ts'
import { connectDevelopment } from './actions.ts'
import { openStage } from './stage.ts'
import { checkView, type Visitor } from './visitor.ts'

const [ada, ben] = [publicAccount(0), publicAccount(1)]
const script = '<img src=x onerror=alert(1)> I answer for a small web shop.'

const { enter, server } = openStage('people')
let visitor: Visitor

/** Makes a memory, offers it, and returns its number. */
async function make(by: typeof ada, title: string): Promise<string> {
  const wallet = await openWallet({ url: server.url(), account: by })
  const content = { data: { learned: [title] }, metadata: { category: 'support' } }
  const { tokenId } = await wallet.snapshot({ ...content, card: { title } })
  await wallet.list({ tokenId, price: 7n, rentalPricePerDay: 1n, forkPrice: 0n, forkRoyaltyBps: 0 })
  return tokenId
}

beforeAll(async () => {
  await make(ada, 'Calm answers')
  await make(ben, 'Refunds without tears')
  // A name that is refused.
  const expectedErrors = /status of 400 .*\/profile/
  visitor = await enter({ expectedErrors })
})

test('an account describes itself on its page, and one with a name that looks the same is marked', async () => {
  const { page } = visitor
  await page.goto(`${server.url()}/account/${ada.address}`)
  await page.getByText('Made 1 memory · Not rated yet · earned nothing').waitFor()
  expect(await page.getByText('Describe yourself').count()).toBe(0)
  await connectDevelopment(page, 'Ada')
  await page.getByText('Describe yourself').click()
  await page.getByLabel('Name').fill('0x7099')
  await page.getByRole('button', { name: 'Sign and publish' }).click()
  await page.getByText('its name looks like an address').waitFor()
  await page.getByLabel('Name').fill('Ada’s shop')
  await page.getByLabel(/^One sentence/).fill(script)
  await page.getByLabel(/^Link/).fill('https://ada.example')
  await page.getByRole('button', { name: 'Sign and publish' }).click()
  await page.getByRole('heading', { name: /^Ada’s shop 0xf39F…2266$/ }).waitFor()
  await page.getByRole('paragraph').getByText(script, { exact: true }).waitFor()
  await checkView(visitor, 'people-maker')
  await createClient({ url: server.url(), account: ben }).setProfile({ name: 'АDAS SHOP' })
  await page.goto(`${server.url()}/account/${ben.address}`)
  await page.getByRole('heading', { name: /similar name 0x7099…79C8$/ }).waitFor()
  await page.getByText('compare the addresses').waitFor()
  await checkView(visitor, 'people-similar')
})

test('a name stands beside its address in cards and on the page of a memory, and finds its maker', async () => {
  const { page } = visitor
  await page.goto(server.url())
  const card = page.getByRole('article').filter({ hasText: 'Calm answers' })
  await card.getByRole('link', { name: 'Ada’s shop 0xf39F…2266' }).waitFor()
  await checkView(visitor, 'people-cards')
  await page.getByRole('link', { name: 'Calm answers' }).click()
  await page
    .locator('header.head')
    .getByRole('link', { name: /^Ada’s shop/ })
    .waitFor()
  await checkView(visitor, 'people-memory')
  await page.goto(`${server.url()}/?search=adas`)
  await page
    .locator('.makers')
    .getByRole('link', { name: /^Ada’s shop/ })
    .waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /^A view/ }).fill('ada’s sh')
  await page.getByRole('option', { name: /^Ada’s shop, 0xf39F…2266/ }).click()
  await page.waitForURL(`${server.url()}/account/${ada.address}`)
})
