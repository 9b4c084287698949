import { beforeAll, expect, test } from 'vitest'
import { copierAt, pairOf, publicAccount } from '../harness/copier.ts'
import { connectDevelopment, showTab } from './actions.ts'
import { fillMarket } from './fill-market.ts'
import { openStage } from './stage.ts'
import { checkView, type Visitor } from './visitor.ts'

const { enter, server } = openStage('copies')
let visitor: Visitor
let copy: string
let child: string

/** Mints the public pair of No. 1 with Dan's account, as a root and as a child of No. 1. */
async function copyTheFirst(): Promise<void> {
  const copier = await copierAt(server.url(), publicAccount(3))
  const pair = await pairOf(server.url(), '1')
  ;[copy = ''] = await copier.mint(pair)
  await copier.offer(copy)
  ;[child = ''] = await copier.mint(pair, publicAccount(3).address, 1n)
}

beforeAll(async () => {
  await fillMarket(server.url())
  await copyTheFirst()
  visitor = await enter()
})

const badge = { exact: true } as const
const warning = /^This token copies the hashes of a memory/

test('marks only the copy in the listings', async () => {
  const { page } = visitor
  await page.goto(server.url())
  await page.getByText(/^\d memories, 7 offers/).waitFor()
  const marked = page.getByRole('article').filter({ has: page.getByText('copy', badge) })
  await expect.poll(() => marked.count()).toBe(1)
  await marked.getByText(`No. ${copy}`).waitFor()
  await checkView(visitor, 'browse-copy')
})

test('says on the page of a copy that it opens nothing', async () => {
  const { page } = visitor
  await page.goto(`${server.url()}/token/${copy}`)
  await showTab(page, 'Lineage')
  await page.getByText('but they belong to another memory').waitFor()
  await page.locator('header.head').getByText('copy', badge).waitFor()
  const terms = page.getByRole('complementary', { name: 'Terms' })
  await terms.getByText(warning).waitFor()
  await terms.getByText('The token, which opens nothing').waitFor()
  await showTab(page, 'Contents')
  await page
    .getByRole('region', { name: 'Contents' })
    .getByText('Nobody can open this token')
    .waitFor()
  expect(await page.getByText('its memory to open').count()).toBe(0)
  expect(await page.getByText('hash matches the chain').count()).toBe(0)
  const original = terms.getByRole('link', { name: 'No. 1', exact: true })
  await original.waitFor()
  await expect.poll(() => original.getAttribute('href')).toBe('/token/1')
  await checkView(visitor, 'copy')
})

test('says so again in the dialog of a purchase', async () => {
  const { page } = visitor
  await connectDevelopment(page, 'Ada')
  await page.getByRole('button', { name: 'Buy', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(warning).waitFor()
  await dialog.getByText('You become the owner of the token, but it opens nothing.').waitFor()
  await dialog.getByRole('button', { name: 'Confirm and pay' }).waitFor()
  await checkView(visitor, 'copy-buy')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
})

test('marks the copy in the lineage of the original, as a graph and as text', async () => {
  const { page } = visitor
  await page.goto(`${server.url()}/token/1?tab=lineage`)
  await page.getByRole('link', { name: new RegExp(`^No\\. ${child} · copy `) }).waitFor()
  await page.getByText('The lineage as text').click()
  const line = page
    .getByRole('listitem')
    .filter({ hasText: `No. ${child}` })
    .last()
  await line.getByText('copy', badge).waitFor()
  expect(await page.locator('header.head').getByText('copy', badge).count()).toBe(0)
  expect(await page.getByText(warning).count()).toBe(0)
  await checkView(visitor, 'copied')
})
