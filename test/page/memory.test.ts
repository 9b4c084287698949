import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { developmentAccounts } from '../../packages/http/page/src/wallet/development-accounts.ts'
import { post } from '../harness/process/server.ts'
import { askAgent, confirmAndClose, connectDevelopment, create, goTo, list } from './actions.ts'
import { fillMarket } from './fill-market.ts'
import { openStage } from './stage.ts'
import { checkView, readLayoutShift, takeScreenshot, type Visitor, watchLoads } from './visitor.ts'

const { enter, server } = openStage('memory')
let visitor: Visitor

beforeAll(async () => {
  await fillMarket(server.url())
  visitor = await enter({ expectedErrors: /status of 503/ })
})

const addressOf = (tokenId: number, tab?: string) =>
  `${server.url()}/token/${tokenId}${tab === undefined ? '' : `?tab=${tab}`}`

const buy = (page: Page) => page.getByRole('button', { name: 'Buy', exact: true })
const tab = (page: Page, name: string) => page.getByRole('tab', { name })

/** The read of the token itself, and of the chain that the page is on. */
const isOwnRow = (path: string) => path === '/api/memory' || path === '/api/deployment'

test('a memory is shown and bought by its own row, whatever else fails', async () => {
  const { page } = visitor
  await page.route('**/api/**', (route) => {
    const { pathname, searchParams } = new URL(route.request().url())
    const isRow = isOwnRow(pathname) && (pathname !== '/api/memory' || searchParams.has('tokenId'))
    return isRow ? route.continue() : route.fulfill({ status: 503, body: '{}' })
  })
  await page.goto(addressOf(7))
  await page.getByRole('heading', { level: 1, name: 'What support taught me' }).waitFor()
  await buy(page).waitFor()
  for (const [name, part] of [
    ['Ratings', 'The ratings'],
    ['History', 'The history'],
    ['Lineage', 'The family'],
  ] as const) {
    await tab(page, name).click()
    await page.getByText(`${part} could not be loaded.`).waitFor()
    await page.getByRole('button', { name: 'Try again now' }).first().waitFor()
    expect(await page.getByRole('main').textContent()).not.toContain('milliseconds')
  }
  await takeScreenshot(visitor, 'memory-refused')
  await connectDevelopment(page, 'Ada')
  await buy(page).click()
  await confirmAndClose(page)
  await page.getByRole('region', { name: 'Your memory' }).waitFor()
  await page.unroute('**/api/**')
  // What failed is there once its visitor tries it again.
  await tab(page, 'Lineage').click()
  await page
    .getByRole('link', { name: /^No\. 1 / })
    .first()
    .waitFor()
})

test.each([1280, 1024, 390])(
  'a title is there before any script is, and stays where it is, on a screen of %s pixels',
  async (width) => {
    const fresh = await enter({ viewport: { width, height: 844 } })
    const { page } = fresh
    await page.emulateMedia({ colorScheme: 'dark' })
    const rows: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('tokenId=7')) rows.push(request.url())
    })
    const { promise: isSeen, resolve: showRest } = Promise.withResolvers<void>()
    await page.route('**/assets/*.js', async (route) => {
      await isSeen
      await route.continue()
    })
    await page.goto(addressOf(7), { waitUntil: 'commit' })
    const title = page.getByRole('heading', { level: 1, name: 'What support taught me' })
    await title.waitFor()
    await page.evaluate(async () => {
      await document.fonts.ready
    })
    const placeOf = async () => {
      const { x, y, height } = (await title.boundingBox()) ?? {}
      return { x, y, height }
    }
    const readPaper = () => getComputedStyle(document.documentElement).backgroundColor
    const [before, paper] = [await placeOf(), await page.evaluate(readPaper)]
    await takeScreenshot(fresh, `memory-first-${width}`)
    showRest()
    await tab(page, 'Lineage').waitFor()
    expect([await placeOf(), await page.evaluate(readPaper)]).toEqual([before, paper])
    // What the document names to be loaded early is loaded once.
    expect(rows).toHaveLength(1)
    expect(fresh.browserErrors).toEqual([])
    await page.context().close()
  },
)

test('what stands above the fold needs few requests, and few bytes', async () => {
  const fresh = await enter({ viewport: { width: 1440, height: 900 } })
  const { page } = fresh
  // One that a busy server refused is made again.
  const loads = await watchLoads(page)
  await page.goto(addressOf(1))
  await buy(page).waitFor()
  await page.getByText('In the words of its creator').or(page.getByText('Sample')).first().waitFor()
  await page.waitForLoadState('load')
  expect(loads.requested.size, [...loads.requested].join('\n')).toBeLessThanOrEqual(12)
  expect(loads.bytes).toBeLessThanOrEqual(120_000)
  expect(fresh.browserErrors).toEqual([])
  await page.context().close()
})

test.each([
  { width: 1440, height: 900 },
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
])(
  'a memory with the longest description is bought in the first screen of $width x $height',
  async (size) => {
    const { page } = visitor
    const card = {
      title: 'Everything that a night shift at the harbour ever taught us',
      description: 'It never says twice what it said once, and it says it plainly. '.repeat(30),
      tags: ['harbour', 'nights', 'radio'],
    }
    const body = { data: { notes: ['one'] }, metadata: { category: 'support' }, card }
    const minted = await post(server.url(), '/api/memory/snapshot', JSON.stringify(body))
    const { tokenId } = JSON.parse(await minted.text()) as { tokenId: string }
    const terms = { price: '50000000000000000', rentalPricePerDay: '1000000000000000' }
    const listed = { tokenId, forkPrice: '0', forkRoyaltyBps: 0, ...terms }
    await post(server.url(), '/api/marketplace/list', JSON.stringify(listed))
    await page.setViewportSize(size)
    await page.goto(addressOf(Number(tokenId)))
    const visible = buy(page).filter({ visible: true })
    await visible.last().waitFor()
    const boxes = await Promise.all((await visible.all()).map((it) => it.boundingBox()))
    expect(
      boxes.some((box) => box !== null && box.y >= 0 && box.y + box.height <= size.height),
    ).toBe(true)
    await page.getByRole('button', { name: 'Show all' }).click()
    await page.getByRole('button', { name: 'Show less' }).waitFor()
    await takeScreenshot(visitor, `memory-${size.width}`)
    await page.setViewportSize({ width: 1280, height: 900 })
  },
)

test('the page of a memory is short before a tab is opened, and says nothing that is not there', async () => {
  const { page } = visitor
  await page.goto(addressOf(1, 'overview'))
  await page.getByRole('heading', { name: 'Use this memory' }).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(2000)
  const text = await page.getByRole('main').textContent()
  expect(text).not.toMatch(/Nobody who paid has rated|No current rentals|No parent and no forks/)
  await checkView(visitor, 'memory')
})

test('a tab has an address, keys, and a way back', async () => {
  const { page } = visitor
  await page.goto(addressOf(1, 'overview'))
  await tab(page, 'History').click()
  await page
    .getByRole('row', { name: /^Rented/ })
    .first()
    .waitFor()
  expect(new URL(page.url()).search).toBe('?tab=history')
  const selected = page.getByRole('tab', { selected: true })
  await expect.poll(() => selected.textContent()).toBe('History')
  await page.goBack()
  await expect.poll(() => selected.textContent()).toBe('Overview')
  await selected.focus()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Lineage')
  await page.keyboard.press(' ')
  await expect.poll(() => selected.textContent()).toBe('Lineage')
  await page.getByRole('link', { name: /^No\. 1 .*original$/ }).waitFor()
  await checkView(visitor, 'memory-lineage')
})

test('a phone shows the chosen tab, which is the last of a row wider than its screen', async () => {
  const { page } = visitor
  const size = page.viewportSize() ?? { width: 1280, height: 900 }
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(addressOf(1, 'lineage'))
  const chosen = page.getByRole('tab', { selected: true, name: 'Lineage' })
  const rightEnd = async () => {
    const { x = 0, width = Infinity } = (await chosen.boundingBox()) ?? {}
    return x + width
  }
  await expect.poll(rightEnd).toBeLessThanOrEqual(390)
  await page.setViewportSize(size)
})

test('a history says each act once, the newest first', async () => {
  const { page } = visitor
  await page.goto(addressOf(7, 'history'))
  const acts = page.getByRole('region', { name: 'History table' }).locator('td.what')
  await acts.last().waitFor()
  const words = (await acts.allTextContents()).map((it) => it.trim().split(' ')[0])
  expect(words).toEqual(['Sold', 'Listed', 'Created'])
  await checkView(visitor, 'memory-history')
})

test('an owner sees the contents first', async () => {
  const { page } = visitor
  await page.goto(addressOf(7))
  await page.getByRole('button', { name: 'Open the memory' }).waitFor()
  expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Contents')
  await checkView(visitor, 'memory-own')
})

test('the page of a renter on a phone moves little while it is loaded', async () => {
  const viewport = { width: 390, height: 844 }
  const { page, browserErrors } = await enter({ viewport })
  await page.goto(server.url())
  await connectDevelopment(page, 'Ben')
  const row = page.waitForResponse(/memory\?tokenId=/)
  await page.route('**/rentals*', async (route) => {
    await (await row).finished()
    await route.continue()
  })
  await page.goto(addressOf(1))
  await page.getByRole('button', { name: 'Open the memory' }).waitFor()
  expect(await page.evaluate(readLayoutShift)).toBeLessThanOrEqual(0.02)
  expect(browserErrors).toEqual([])
})

/** Chooses another account of the development wallet. */
async function become(page: Page, from: string, to: string): Promise<void> {
  await page.getByRole('button', { name: `Wallet ${from}` }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: new RegExp(`^${to}`) })
    .click()
  await page.getByRole('button', { name: `Wallet ${to}` }).waitFor()
}

test('from nothing to a memory that answers in an agent of one’s own', async () => {
  const { page, browserErrors } = await enter()
  const learned = 'Say the name of the parcel first: an angry customer wants to be known.'
  const title = 'Forty parcels and their owners'
  await page.goto(server.url())
  await connectDevelopment(page, 'Ada')
  const memory = { learned: [learned, 'Weigh each parcel twice.'] }
  const card = { title, description: 'What calms an angry customer at a parcel desk.' }
  await create(page, { text: JSON.stringify(memory), category: 'support', card })
  await page.getByRole('link', { name: /^View/ }).click()
  await list(page, { price: '0.05' })

  await become(page, 'Ada', 'Dan')
  await goTo(page, 'Browse')
  await page.getByRole('searchbox', { name: 'Search' }).fill('how do I calm an angry customer')
  await page.getByRole('link', { name: title }).first().click()
  await buy(page).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /^Confirm/ }).click()
  await dialog.getByRole('button', { name: 'Use it in my agent' }).click()
  const use = page.getByRole('region', { name: 'Use this memory' })
  await use.getByText('MCP', { exact: true }).click()
  await use.getByRole('button', { name: /^Copy/ }).click()
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(clipboard).toContain('mcpServers')
  const copied = await clipboard()
  const dan = developmentAccounts[3]?.key
  expect(await askAgent(copied, { key: dan, text: 'an angry customer' })).toContain(learned)

  await tab(page, 'Contents').click()
  await page.getByRole('button', { name: 'Open the memory' }).click()
  await page.getByLabel('Ask the whole memory').fill('What does an angry customer want?')
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await page.getByRole('list').getByText(learned).first().waitFor()
  expect(browserErrors).toEqual([])
})
