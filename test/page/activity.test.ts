import { createClient } from '@heirloom/http/client'
import type { Locator } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { developmentAccounts } from '../../packages/http/page/src/wallet/development-accounts.ts'
import { fillMarket } from './fill-market.ts'
import { openStage } from './stage.ts'
import type { Visitor } from './visitor.ts'

const { enter, server } = openStage('activity')
let visitor: Visitor

/** The account of the server, and a memory of it without a title. */
const made = { creator: '', untitled: '' }

/** Enough that the activity has a second page. */
const diaries = 21

beforeAll(async () => {
  await fillMarket(server.url())
  const client = createClient({ url: server.url() })
  for (let number = 0; number < diaries; number++) {
    const content = { data: { number }, metadata: { category: 'diaries' } }
    const { tokenId } = await client.snapshot({ ...content, card: { title: `Diary ${number}` } })
    await client.list({
      tokenId,
      price: 1n,
      rentalPricePerDay: 0n,
      forkPrice: 0n,
      forkRoyaltyBps: 0,
    })
  }
  const { tokenId } = await client.snapshot({ data: { plain: 1 }, metadata: { category: 'plain' } })
  Object.assign(made, { untitled: tokenId, creator: (await client.info(tokenId)).creator })
  visitor = await enter()
})

/** Loads a second page, opens the memory of the last row, and goes back; returns its link and the place. */
async function openLastAndReturn(region: Locator): Promise<{ last: Locator; before: Found }> {
  const { page } = visitor
  const rows = region.getByRole('row')
  await rows.nth(1).waitFor()
  const few = await rows.count()
  await region.getByRole('button', { name: 'Show earlier' }).click()
  await expect.poll(() => rows.count()).toBeGreaterThan(few)
  const last = rows.last().getByRole('link').first()
  await last.filter({ hasText: ', ' }).scrollIntoViewIfNeeded()
  const before = await find(last, rows)
  expect(before.scroll).toBeGreaterThan(1000)
  await last.click()
  await page.getByRole('tab', { name: 'History' }).waitFor()
  await page.goBack()
  await rows.nth(1).waitFor()
  return { last, before }
}

type Found = { readonly rows: number; readonly scroll: number; readonly top: number }

/** Returns how many rows there are, how far the page is scrolled, and where a link is in sight. */
async function find(last: Locator, rows: Locator): Promise<Found> {
  const top = (await last.boundingBox())?.y ?? Number.NaN
  const scroll = await visitor.page.evaluate(() => scrollY)
  return { rows: await rows.count(), scroll, top: Math.round(top) }
}

test('Back returns to the place in the activity, with the pages that were loaded', async () => {
  const { page } = visitor
  await page.goto(`${server.url()}/activity`)
  const region = page.getByRole('region', { name: 'Events' })
  const { last, before } = await openLastAndReturn(region)
  await expect.poll(() => find(last, region.getByRole('row'))).toEqual(before)
})

test('Back returns to the place in the activity of an account', async () => {
  const { page } = visitor
  await page.goto(`${server.url()}/account/${made.creator}`)
  const region = page.getByRole('region', { name: 'Activity', exact: true })
  const { last, before } = await openLastAndReturn(region)
  await expect.poll(() => find(last, region.getByRole('row'))).toEqual(before)
})

test('a row that comes while the place is shown leaves the earlier pages there', async () => {
  const { page } = visitor
  const rows = page.getByRole('region', { name: 'Activity', exact: true }).getByRole('row')
  const before = await rows.count()
  const client = createClient({ url: server.url() })
  const terms = { rentalPricePerDay: 0n, forkPrice: 0n, forkRoyaltyBps: 0 }
  await client.list({ tokenId: made.untitled, price: 2n, ...terms })
  await expect.poll(() => rows.count()).toBe(before + 1)
})

const isFocused = (it: Locator): Promise<boolean> =>
  it.evaluate((element) => element === document.activeElement)

test('Back focuses the link of the row that was opened, and no other of the same memory', async () => {
  const { page } = visitor
  await page.goto(`${server.url()}/activity`)
  const rows = page.getByRole('region', { name: 'Events' }).getByRole('row')
  const opened = rows.filter({ hasText: 'Diary 15' }).filter({ hasText: 'Created' })
  const link = opened.getByRole('link', { name: /Diary 15$/ })
  await link.click()
  await page.getByRole('heading', { level: 1, name: 'Diary 15' }).waitFor()
  await page.goBack()
  await expect.poll(() => isFocused(link)).toBe(true)
})

test('Back focuses the card that was opened, or its maker, without scrolling', async () => {
  const { page } = visitor
  await page.goto(`${server.url()}/?search=diary&sort=listedAt`)
  const card = page.getByRole('article').filter({ hasText: 'Diary 3' })
  await page.getByRole('button', { name: 'Show more' }).click()
  for (const link of [
    card.getByRole('link', { name: 'Diary 3', exact: true }),
    card.getByRole('link', { name: /^0x/ }),
  ]) {
    await link.scrollIntoViewIfNeeded()
    const place = await page.evaluate(() => scrollY)
    await link.click()
    await page.waitForURL(/(token|account)/)
    await page.goBack()
    await expect.poll(() => isFocused(link)).toBe(true)
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(place)
  }
})

test('Back focuses the content where no link of it was opened', async () => {
  const { page } = visitor
  await page.goto(`${server.url()}/activity`)
  await page.getByRole('link', { name: 'Browse', exact: true }).click()
  await page.getByRole('article').first().waitFor()
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor()
  await expect.poll(() => isFocused(page.getByRole('main'))).toBe(true)
})

/** Returns the parts of a row in their order from the top, where they end, and which are cut. */
const layOut = (row: Locator) =>
  row.evaluate((it) => {
    const cells = [...it.querySelectorAll('td')]
    const boxOf = (element: Element) => element.getBoundingClientRect()
    const inOrder = cells.toSorted(
      (one, other) => boxOf(one).top - boxOf(other).top || boxOf(one).left - boxOf(other).left,
    )
    return {
      order: inOrder.map(({ className }) => className),
      right: Math.max(...[...it.querySelectorAll('*:not(.unseen)')].map((at) => boxOf(at).right)),
      cut: cells.filter((cell) => getComputedStyle(cell).overflowX !== 'visible').length,
    }
  })

/** Returns how many elements of each role of a table a screen reader finds. */
async function countRoles(): Promise<Readonly<Record<string, number>>> {
  const session = await visitor.context.newCDPSession(visitor.page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  await session.detach()
  const roles = nodes.filter(({ ignored }) => !ignored).map(({ role }) => `${role?.value}`)
  const counts = Map.groupBy(roles, (role) => role)
  const count = (role: string) => counts.get(role)?.length ?? 0
  return { row: count('row'), cell: count('cell'), columnheader: count('columnheader') }
}

const ofMany = ['what', 'title', 'when', 'block', 'transaction']

test.each([
  ['the activity', 'Activity table', () => '/activity', ofMany],
  ['an account', 'Activity table', () => `/account/${made.creator}`, ofMany],
  [
    'a memory',
    'History table',
    () => '/token/1?tab=history',
    ofMany.filter((it) => it !== 'title'),
  ],
])(
  'a phone shows each event of %s whole, and its table to a screen reader',
  async (_, name, path, parts) => {
    const { page } = visitor
    await page.setViewportSize({ width: 375, height: 812 })
    await page.goto(`${server.url()}${path()}`)
    const table = page.getByRole('region', { name, exact: true })
    const rows = table.locator('tbody tr')
    await rows.nth(2).waitFor()
    if (parts.includes('title')) await rows.getByText(', Diary 20').first().waitFor()
    for (const row of (await rows.all()).slice(0, 12)) {
      const { order, right, cut } = await layOut(row)
      expect(order).toEqual(parts)
      expect(right).toBeLessThanOrEqual(375)
      expect(cut).toBe(0)
    }
    const wider = (it: Element) => it.scrollWidth - it.clientWidth
    expect(await table.evaluate(wider)).toBeLessThanOrEqual(0)
    expect(await page.locator('html').evaluate(wider)).toBeLessThanOrEqual(0)
    await page.setViewportSize({ width: 1280, height: 900 })
    const onDesktop = await countRoles()
    await page.setViewportSize({ width: 375, height: 812 })
    expect(await countRoles()).toEqual(onDesktop)
    expect(onDesktop.row).toBeGreaterThan(3)
    await page.setViewportSize({ width: 1280, height: 900 })
  },
)

test('the activity names a memory without a title as its card does', async () => {
  const { page } = visitor
  await page.goto(`${server.url()}/activity`)
  const name = `No. ${made.untitled}, Untitled memory`
  await page.getByRole('link', { name, exact: true }).first().waitFor()
})

test('the earnings by memory name each by its number and title', async () => {
  const { page } = visitor
  await page.goto(`${server.url()}/account/${developmentAccounts[0]?.address}`)
  await page.getByText('By month and memory').click()
  const earned = page.getByRole('region', { name: /^By memory/ })
  await earned.getByRole('link', { name: 'No. 1, What support taught me' }).waitFor()
})

test('the other memories of a maker have different links', async () => {
  const { page } = visitor
  await page.goto(`${server.url()}/token/9`)
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
  const others = page.getByRole('region', { name: 'By the same maker' })
  const name = `No. ${made.untitled}, Untitled memory`
  await others.getByRole('link', { name, exact: true }).waitFor()
})

test('a history shows what one transaction did in one row', async () => {
  const { page } = visitor
  await page.goto(`${server.url()}/token/9?tab=history`)
  const rows = page.getByRole('region', { name: 'History', exact: true }).locator('tbody tr')
  await expect.poll(() => rows.count()).toBe(2)
  const [first = '', second = ''] = await rows.allInnerTexts()
  // A mint also issues its token, and describes it: it is one act.
  expect(first).toMatch(/^Listed/)
  expect(second).toMatch(/^Created/)
  expect(second).not.toMatch(/Issued|Described/)
  expect(
    await rows
      .last()
      .getByRole('button', { name: /transaction/i })
      .count(),
  ).toBe(1)
})

test('the events of a memory name others by number and title', async () => {
  const { page } = visitor
  await page.goto(`${server.url()}/token/1?tab=history`)
  const forked = page.getByRole('row').filter({ hasText: 'Forked' }).last()
  const name = 'No. 6, What support taught me'
  await forked.getByRole('link', { name, exact: true }).waitFor()
})
