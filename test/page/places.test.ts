import { createClient } from '@heirloom/http/client'
import { beforeAll, expect, test } from 'vitest'
import { developmentAccounts } from '../../packages/http/page/src/wallet/development-accounts.ts'
import { showTab } from './actions.ts'
import { closeContext } from './chromium.ts'
import { fillMarket } from './fill-market.ts'
import { openStage } from './stage.ts'
import { checkView, type Visitor } from './visitor.ts'

const explorer = 'https://explorer.example/base'

const { enter, server } = openStage('places', { EXPLORER_URL: explorer })
let visitor: Visitor

/** More than a page of the list. */
const listed = 21

beforeAll(async () => {
  await fillMarket(server.url())
  const client = createClient({ url: server.url() })
  const make = async (number: number) => {
    const card = { title: `Diary ${number}`, tags: ['diary'] }
    const content = { data: { number }, metadata: { category: 'diaries' } }
    const { tokenId } = await client.snapshot({ ...content, card })
    const price = BigInt(number + 1) * 10n ** 15n
    await client.list({ tokenId, price, rentalPricePerDay: 0n, forkPrice: 0n, forkRoyaltyBps: 0 })
  }
  await Promise.all(Array.from({ length: listed }, (_, number) => make(number)))
  visitor = await enter()
})

test('Back returns to the place in the list, with the pages that were loaded', async () => {
  const { page } = visitor
  await page.goto(`${server.url()}/?tag=diary&sort=cheapest`)
  await page.getByText(`${listed} memories are on offer`).waitFor()
  await page.getByRole('button', { name: 'Show more' }).click()
  const last = page.getByRole('link', { name: `Diary ${listed - 1}`, exact: true })
  await last.scrollIntoViewIfNeeded()
  const place = await page.evaluate(() => scrollY)
  expect(place).toBeGreaterThan(1000)
  await last.click()
  await page.getByRole('heading', { level: 1, name: `Diary ${listed - 1}` }).waitFor()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
  await page.goBack()
  await last.waitFor()
  await page.waitForFunction((at) => Math.abs(scrollY - at) < 2, place)
  await expect.poll(() => page.getByRole('article').count()).toBe(listed)
})

test('a visitor who scrolls first is left there', async () => {
  const { page } = visitor
  await page.goForward()
  await page.getByRole('heading', { level: 1, name: `Diary ${listed - 1}` }).waitFor()
  await page.getByRole('link', { name: 'Browse', exact: true }).click()
  await page.getByText(/ offers$|are on offer/).waitFor()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
})

test('a focus that is moved after Back stays, while the page grows to the place', async () => {
  const { page } = visitor
  await page.goto(`${server.url()}/token/1?tab=overview`)
  const tab = (name: string) => page.getByRole('tab', { name })
  const stretch = (height: string) =>
    page.evaluate((minHeight) => Object.assign(document.body.style, { minHeight }), height)
  await tab('History').waitFor()
  await stretch('9000px')
  await page.evaluate(() => scrollTo(0, 4000))
  await tab('History').evaluate((link) => (link as HTMLElement).click())
  await page.waitForURL(/tab=history$/)
  await stretch('')
  await page.goBack()
  await expect.poll(() => tab('Overview').getAttribute('aria-selected')).toBe('true')
  await tab('Overview').focus()
  await stretch('9000px')
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(4000)
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Overview')
})

test('a list and its choices stay in their places until the next is loaded', async () => {
  const { page } = visitor
  await page.goto(`${server.url()}/?tag=diary`)
  await page.getByText(`${listed} memories are on offer`).waitFor()
  const card = page.getByRole('article').first()
  const choice = page.getByRole('search').getByRole('link', { name: /^0x/ })
  const before = await page.evaluateHandle(() => [...document.querySelectorAll('.cards article')])
  const { promise: isHeld, resolve: release } = Promise.withResolvers<void>()
  await page.route(/marketplace\/(listings|facets)\?.*search=diary/, async (route) => {
    await isHeld
    await route.continue()
  })
  await page.getByRole('searchbox', { name: 'Search' }).fill('diary')
  await page.waitForURL(/search=diary/)
  await page.getByRole('status').filter({ hasText: 'Loading…' }).waitFor()
  await expect.poll(() => choice.isVisible()).toBe(true)
  await expect.poll(() => card.isVisible()).toBe(true)
  release()
  await page.getByText(`${listed} memories are on offer`).waitFor()
  const staying = await before.evaluate((cards) => cards.filter((it) => it.isConnected).length)
  // Each list shows all but one.
  expect(staying).toBeGreaterThanOrEqual(listed - 2)
})

test('an account has a page of what it made, owns, offers, earned and did', async () => {
  const { page } = visitor
  const [ada, ben] = developmentAccounts
  await page.goto(`${server.url()}/token/6?tab=lineage`)
  await page
    .getByRole('region', { name: 'Provenance' })
    .getByRole('link', { name: /^0x/ })
    .first()
    .click()
  await page.waitForURL(new RegExp(`/account/${ben?.address}`, 'i'))
  await page.getByText('This account offers no memory.').waitFor()
  await page.getByRole('button', { name: 'Owned' }).click()
  const owned = page.getByRole('region', { name: 'Owned' })
  await owned.getByText(/^Original by\s+0x/).waitFor()
  await expect.poll(() => owned.getByRole('article').count()).toBe(1)
  // A fork of another's memory is not made by who forked it.
  await page.getByRole('button', { name: 'Made' }).click()
  await page.getByText('This account has made no memory.').waitFor()
  const activity = page.getByRole('region', { name: 'Activity', exact: true })
  await activity.getByRole('row', { name: /^No\. 1, What support taught me Rented/ }).waitFor()
  expect(await page.getByRole('button', { name: 'Withdraw' }).count()).toBe(0)
  const link = activity.getByRole('link', { name: 'explorer' }).first()
  await expect
    .poll(() => link.getAttribute('href'))
    .toMatch(/^https:\/\/explorer\.example\/base\/tx\/0x/)
  await checkView(visitor, 'account')
  await page.goto(`${server.url()}/account/${ada?.address}`)
  await page
    .getByRole('region', { name: 'On offer' })
    .getByRole('link', { name: 'What support taught me' })
    .waitFor()
  await page.goto(`${server.url()}/account/0x00000000000000000000000000000000000000ff`)
  await page.getByText('No activity yet.').waitFor()
  await page.getByText('Nothing earned yet.').waitFor()
})

test('the activity shows the newest event first, and goes back to the first', async () => {
  const { page } = visitor
  await page.goto(server.url())
  await page.getByRole('link', { name: 'Activity' }).click()
  await page
    .getByRole('row', { name: /Listed for sale/ })
    .first()
    .waitFor()
  await checkView(visitor, 'activity')
  const more = page.getByRole('button', { name: 'Show earlier' })
  const first = page.getByRole('row', { name: /^No\. 1, What support taught me Created/ })
  const readRows = () => page.locator('tbody').textContent()
  // The rows are read first: a page that arrives after that takes the button away, and changes them.
  for (let shown = await readRows(); (await more.count()) > 0; shown = await readRows()) {
    if ((await first.count()) > 0) break
    await more.evaluateAll((all) => {
      for (const it of all) (it as HTMLButtonElement).click()
    })
    await page.waitForFunction(
      (before) => document.querySelector('tbody')?.textContent !== before,
      shown,
    )
  }
  await first.waitFor()
})

test('the activity shows the kind of event in its address, and Back the one before', async () => {
  const { page } = visitor
  await page.goto(`${server.url()}/activity`)
  const rows = page.getByRole('row')
  const kind = page.getByLabel('Kind of event')
  await rows.filter({ hasText: 'Listed' }).first().waitFor()
  await kind.selectOption('Rented')
  await page.waitForURL(/\/activity\?kind=rental$/)
  await rows.filter({ hasText: 'Rented by' }).first().waitFor()
  // Until the rows of this kind are there, those of all kinds stay.
  await expect.poll(() => rows.filter({ hasText: /Listed|Created|Forked/ }).count()).toBe(0)
  await kind.selectOption('Heirs')
  await page.getByText('No such event yet.').waitFor()
  await page.goBack()
  await rows.filter({ hasText: 'Rented by' }).first().waitFor()
  await expect.poll(() => kind.inputValue()).toBe('rental')
  await page.reload()
  await rows.filter({ hasText: 'Rented by' }).first().waitFor()
  await checkView(visitor, 'activity-of-a-kind')
  const account = developmentAccounts[1]?.address
  await page.goto(`${server.url()}/account/${account}?kind=rental`)
  await rows.filter({ hasText: 'Rented by' }).first().waitFor()
  expect(await rows.filter({ hasText: /Created|Forked/ }).count()).toBe(0)
})

test('a memory shows what it cost, who rented it lately, and what is like it', async () => {
  const { page } = visitor
  await page.goto(`${server.url()}/token/1?tab=history`)
  const prices = page.getByRole('region', { name: 'Price history' })
  await prices.getByText(/^Asking price: 0\.25 ETH, unchanged since .*\.$/).waitFor()
  await prices.getByText(/^Asking price: 0\.004 ETH per day, .*; 2 rentals\.$/).waitFor()
  await prices.getByText('As a table').click()
  await prices.getByRole('row', { name: /Asked 0\.25/ }).waitFor()
  // One for 7 days, and one for 30.
  const perDay = prices.getByRole('row', { name: /Rented, per day 0\.004 Ether/ })
  await expect.poll(() => perDay.count()).toBe(2)
  const rented = page.getByRole('region', { name: 'Rented now' })
  await expect.poll(() => rented.getByRole('listitem').count()).toBe(2)
  await showTab(page, 'Overview')
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
  const others = page.getByRole('region', { name: 'By the same maker' })
  await expect.poll(() => others.getByRole('listitem').count()).toBe(4)
  await checkView(visitor, 'decide')
  await page.goto(`${server.url()}/token/9`)
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
  const similar = page.getByRole('region', { name: 'Similar, on offer' })
  await similar.getByRole('link', { name: 'Diary' }).first().waitFor()
})

test('prices that changed are a chart with values and times at its axes', async () => {
  const { page } = visitor
  const client = createClient({ url: server.url() })
  const content = { data: { prices: 2 }, metadata: { category: 'diaries' } }
  const { tokenId } = await client.snapshot({ ...content, card: { title: 'Two prices' } })
  for (const price of [10n ** 15n, 4n * 10n ** 15n]) {
    const terms = { price, rentalPricePerDay: 10n ** 14n, forkPrice: 0n, forkRoyaltyBps: 0 }
    await client.list({ tokenId, ...terms })
  }
  await page.goto(`${server.url()}/token/${tokenId}?tab=history`)
  const prices = page.getByRole('region', { name: 'Price history' })
  await prices.getByText('Line: asking price.', { exact: true }).waitFor()
  await prices.getByText('0.004 ETH', { exact: true }).first().waitFor()
  await prices.getByText('0 ETH', { exact: true }).waitFor()
  const year = /^\d+ \w+ 20\d\d, \d\d:\d\d$/
  await expect.poll(() => prices.getByText(year).count()).toBe(2)
  await prices.getByText(/^Asking price: 0\.0001 ETH per day, .*\.$/).waitFor()
  await checkView(visitor, 'prices')
})

const partOf = (part: number) => `Dungeon master notes of the long winter, part ${part}`

/** Makes a series of memories, each the child of the one before, and children of the last; returns their ids. */
async function makeSeries(parts: number, children: number): Promise<readonly string[]> {
  const client = createClient({ url: server.url() })
  const make = async (part: number, parentTokenId: string | undefined) => {
    const content = { data: { part }, metadata: { category: 'games' } }
    const card = { title: partOf(part) }
    const link = parentTokenId === undefined ? {} : { parentTokenId }
    return (await client.snapshot({ ...content, card, ...link })).tokenId
  }
  const made: string[] = []
  for (let part = 1; part <= parts; part++) made.push(await make(part, made.at(-1)))
  const numbers = Array.from({ length: children }, (_, child) => parts + 1 + child)
  await Promise.all(numbers.map((part) => make(part, made.at(-1))))
  return made
}

test('a graph shows the ends of long titles inside their boxes, and names the whole titles', async () => {
  const { page } = visitor
  const last = (await makeSeries(5, 8)).at(-1)
  await page.goto(`${server.url()}/token/${last}?tab=lineage`)
  const node = page.getByRole('link', { name: `No. ${last} ${partOf(5)} declared` })
  await node.waitFor()
  await expect
    .poll(() => node.locator('.title').textContent())
    .toMatch(/^\W*Dungeon.*….*part 5\W*$/)
  const spaces = await page.locator('.node').evaluateAll((nodes) =>
    nodes.map((it) => {
      const [box, title] = ['rect', '.title'].map((at) => it.querySelector(at))
      const [outer, inner] = [box, title].map((at) => at?.getBoundingClientRect())
      return (outer?.right ?? 0) - (inner?.right ?? 1)
    }),
  )
  expect(spaces.length).toBeGreaterThan(9)
  expect(Math.min(...spaces)).toBeGreaterThan(0)
})

test('a graph folds again what it showed, and has the memory of the page in sight', async () => {
  const { page } = visitor
  const nodes = page.locator('[data-item]')
  const before = await nodes.count()
  await page.getByRole('button', { name: 'Show 3 more' }).click()
  await expect.poll(() => nodes.count()).toBe(before + 2)
  const fewer = page.getByRole('button', { name: 'Show fewer' })
  await fewer.click()
  await expect.poll(() => nodes.count()).toBe(before)
  const here = page.locator('.node.here')
  await expect.poll(() => here.evaluate((it) => it === document.activeElement)).toBe(true)
  expect(await fewer.count()).toBe(0)
})

test('a graph fits its frame, or is readable around the memory of the page', async () => {
  const { page } = visitor
  const frame = page.getByRole('region', { name: /^Lineage graph/ })
  const fit = page.getByRole('button', { name: 'Fit' })
  await page.setViewportSize({ width: 990, height: 900 })
  await fit.click()
  const root = page.locator('.node').first()
  await expect
    .poll(() => frame.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))
    .toBe(0)
  const leftOf = async (it: typeof root) => (await it.boundingBox())?.x ?? 0
  expect(await leftOf(root)).toBeGreaterThan(await leftOf(frame))

  await page.setViewportSize({ width: 375, height: 812 })
  await fit.click()
  const smallest = () =>
    frame.locator('svg').evaluate((svg: SVGSVGElement) => {
      const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width
      const sizes = [...svg.querySelectorAll('text')].map((it) => getComputedStyle(it).fontSize)
      return scale * Math.min(...sizes.map(Number.parseFloat))
    })
  await expect.poll(smallest).toBeGreaterThanOrEqual(8)
  const [inner, outer] = await Promise.all(
    [page.locator('.node.here'), frame].map((it) => it.boundingBox()),
  )
  if (!inner || !outer) throw new Error('The graph is not shown.')
  expect(inner.x).toBeGreaterThan(outer.x)
  expect(inner.x + inner.width).toBeLessThan(outer.x + outer.width)
  expect((await page.locator('.minimap').boundingBox())?.height).toBeGreaterThanOrEqual(24)
  await page.setViewportSize({ width: 1280, height: 900 })
  await checkView(visitor, 'series')
})

test('a watched memory stays on the list of this browser, which notifies of it', async () => {
  const { page, context } = visitor
  await context.grantPermissions(['notifications'])
  await page.addInitScript(() => {
    const shown: string[] = []
    class Recorded extends Notification {
      // The shell without windows says that it denies what it was granted.
      static override readonly permission = 'granted'

      constructor(title: string, options?: NotificationOptions) {
        super(title, options)
        shown.push(`${title}: ${options?.body}`)
      }
    }
    Object.assign(globalThis, { Notification: Recorded, shown })
  })
  await page.goto(`${server.url()}/token/9`)
  await page.getByRole('button', { name: 'Watch', exact: false }).click()
  await page.getByRole('button', { name: 'Stop watching' }).waitFor()
  await page.goto(`${server.url()}/mine`)
  const list = page.getByRole('region', { name: 'Watched' })
  await list.getByRole('link', { name: /^No\. 9, Diary/ }).waitFor()
  const notify = list.getByRole('button', { name: 'Notify me' })
  await notify.click()
  await page.waitForFunction(() => localStorage.getItem('heirloom.alerts') === 'on')
  await page.reload()
  await list.getByRole('button', { name: 'Stop notifying me' }).waitFor()
  await list.getByRole('link', { name: /^No\. 9, Diary/ }).waitFor()
  await checkView(visitor, 'watched')
  const client = createClient({ url: server.url() })
  const terms = { rentalPricePerDay: 0n, forkPrice: 0n, forkRoyaltyBps: 0 }
  await client.list({ tokenId: 9, price: 1n, ...terms })
  await page.waitForFunction(() => (globalThis as never as { shown: string[] }).shown.length > 0)
  const shown = await page.evaluate(() => (globalThis as never as { shown: string[] }).shown)
  expect(shown).toEqual(['Memory No. 9: Its terms have changed.'])
  await list.getByRole('button', { name: 'Stop watching No. 9' }).click()
  await list.getByText('Nothing is watched.').waitFor()
})

test('the titles of all watched memories are read in one request', async () => {
  const { page } = visitor
  const reads: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/titles')) reads.push(request.url())
  })
  const ids = Array.from({ length: listed }, (_, at) => `${at + 9}`)
  await page.evaluate((all) => localStorage.setItem('heirloom.watched', JSON.stringify(all)), ids)
  await page.reload()
  const list = page.getByRole('region', { name: 'Watched' })
  for (const id of ids) await list.getByRole('link', { name: `No. ${id}, Diary` }).waitFor()
  expect(reads).toHaveLength(1)
  await page.evaluate(() => localStorage.removeItem('heirloom.watched'))
})

test('a list is read once, and what happens before the stream opens is seen', async () => {
  const own = await enter()
  const { page } = own
  const reads: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/marketplace/listings')) reads.push(request.url())
  })
  const opening = Promise.withResolvers<void>()
  const mayOpen = Promise.withResolvers<void>()
  await page.route('**/api/events*', async (route) => {
    opening.resolve()
    await mayOpen.promise
    await route.continue()
  })
  const client = createClient({ url: server.url() })
  const content = {
    data: {},
    metadata: { category: 'notes' },
    card: { title: 'In between', tags: ['between'] },
  }
  const { tokenId } = await client.snapshot(content)
  const later = await client.snapshot({ ...content, card: { ...content.card, title: 'Later' } })
  await page.goto(`${server.url()}/?tag=between`)
  await page.getByRole('heading', { name: 'No listing matches' }).waitFor()
  await opening.promise
  await client.list({ tokenId, price: 1n, rentalPricePerDay: 0n, forkPrice: 0n, forkRoyaltyBps: 0 })
  expect(reads).toHaveLength(1)
  mayOpen.resolve()
  await page.getByRole('link', { name: 'In between' }).waitFor()
  await page.unroute('**/api/events*')
  reads.length = 0
  const opened = page.waitForResponse(/\/api\/events/)
  await page.reload()
  await Promise.all([opened, page.getByRole('link', { name: 'In between' }).waitFor()])
  const free = { rentalPricePerDay: 0n, forkPrice: 0n, forkRoyaltyBps: 0 }
  await client.list({ tokenId: later.tokenId, price: 1n, ...free })
  await page.getByRole('link', { name: 'Later' }).waitFor()
  // The first read, and that of the event: that the stream opened is no reason for one.
  expect(reads).toHaveLength(2)
  expect(own.browserErrors).toEqual([])
  await closeContext(own.context)
})

test('the terms come before the lineage of a memory of forty generations', async () => {
  const { page } = visitor
  const client = createClient({ url: server.url() })
  let parentTokenId: string | undefined
  for (let generation = 0; generation < 40; generation++) {
    const content = { data: { generation }, metadata: { category: 'generations' } }
    parentTokenId = (await client.snapshot({ ...content, parentTokenId })).tokenId
  }
  const terms = { price: 10n ** 15n, rentalPricePerDay: 0n, forkPrice: 0n, forkRoyaltyBps: 0 }
  await client.list({ tokenId: parentTokenId as string, ...terms })
  await page.goto(`${server.url()}/token/${parentTokenId}?tab=lineage`)
  const buy = page.getByRole('button', { name: 'Buy', exact: true })
  await buy.waitFor()
  await page.locator('svg').getByRole('link').first().waitFor()
  let presses = 0
  while (!(await buy.evaluate((it) => it === document.activeElement)) && presses < 100) {
    await page.keyboard.press('Tab')
    presses += 1
  }
  expect(presses).toBeLessThanOrEqual(25)
})
