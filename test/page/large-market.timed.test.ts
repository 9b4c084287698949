import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import type { Hex } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Child, startChild } from '../../bench/parts/child.ts'
import type { MarketRequest, MarketResponse } from '../../bench/parts/market-server.ts'
import { serverProgram } from '../harness/process/server.ts'
import { chooseFile, connectInjected, fillCard, goTo } from './actions.ts'
import { leave, startChromium } from './chromium.ts'
import { injectedWallet } from './injected-wallet.ts'
import { goodResponse, longestTask } from './longest-task.ts'
import { checkView, type Visitor, visit, watchLoads } from './visitor.ts'

/** All of them are listed. */
const tokens = 10_000

/** So many of them are one family. */
const family = 5_000

const folder = mkdtempSync(join(tmpdir(), 'large-market-'))
let browser: Browser
let market: Child<MarketRequest, MarketResponse>
let visitor: Visitor
beforeAll(async () => {
  ;[browser, market] = await Promise.all([
    startChromium(),
    startChild<MarketRequest, MarketResponse>('market-server.ts'),
  ])
  const page = join(dirname(serverProgram), 'page')
  const opened = await market.ask({ kind: 'open', folder, tokens, family, page })
  if (!('url' in opened)) throw new Error('The market did not open.')
  visitor = await visit(browser, { url: opened.url })
  await visitor.page.goto(opened.url)
})
afterAll(async () => {
  await leave(browser)
  await market?.stop()
  rmSync(folder, { recursive: true })
})

/** Returns how many memories show their title and a price in the first screen. */
const countInFirstScreen = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const isSeen = (it: Element | null) => {
      const { bottom = Infinity, right = Infinity } = it?.getBoundingClientRect() ?? {}
      return bottom <= innerHeight && right <= innerWidth
    }
    const cards = [...document.querySelectorAll('.memory')].filter(
      (it) => isSeen(it.querySelector('h3')) && isSeen(it.querySelector('.offers dd')),
    )
    return cards.length + [...document.querySelectorAll('.tile')].filter(isSeen).length
  })

test('the first screen shows six memories on a laptop, and one on a phone', async () => {
  const { page } = visitor
  for (const [width, height, least] of [
    [1280, 800, 6],
    [390, 844, 1],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.locator('.memory .offers').first().waitFor()
    await expect.poll(() => countInFirstScreen(page)).toBeGreaterThanOrEqual(least)
  }
  await page.setViewportSize({ width: 1280, height: 900 })
})

/** Marks when a page has its title first, and whether it has Buy as soon as it has tabs. */
function markPaints(): void {
  const observer = new MutationObserver(() => {
    const [title, tab] = document.querySelectorAll('h1, [role=tab]')
    if (title !== undefined) performance.mark('title')
    if (tab === undefined) return
    observer.disconnect()
    const buttons = [...document.querySelectorAll('button')]
    performance.mark(buttons.some((it) => it.textContent === 'Buy') ? 'with Buy' : 'without')
  })
  observer.observe(document, { subtree: true, childList: true })
}

test('a memory with 5,000 children has its title first, all else in one paint with Buy, and loads little for that', async () => {
  const { origin } = new URL(visitor.page.url())
  const { page, browserErrors } = await visit(browser, { url: origin })
  const loads = await watchLoads(page)
  await page.addInitScript(markPaints)
  await page.goto(new URL('/token/1', origin).href)
  await page.getByRole('heading', { name: 'Use this memory' }).waitFor()
  const marks = await page.evaluate(() => performance.getEntriesByType('mark').map((it) => it.name))
  expect([marks[0], marks.at(-1)]).toEqual(['title', 'with Buy'])
  // The server of this test has no profiles.
  const withoutProfiles = (said: Iterable<string>) =>
    [...said].filter((it) => !it.includes('/api/profiles'))
  expect(withoutProfiles(loads.failed)).toEqual([])
  expect(loads.requested.size, [...loads.requested].join('\n')).toBeLessThanOrEqual(12)
  expect(loads.bytes).toBeLessThanOrEqual(120_000)
  expect(withoutProfiles(browserErrors)).toEqual([])
})

/** Expects that no step of what a visitor does holds up the page. */
async function expectNoHoldUp(page: Page, act: () => Promise<void>): Promise<void> {
  const longest = await longestTask(browser, page, act)
  expect(longest).toBeLessThan(await goodResponse())
}

/** Waits until a frame is drawn, and another one begins. */
const nextFrame = (page: Page): Promise<unknown> =>
  page.evaluate(async () => {
    await new Promise(requestAnimationFrame)
    await new Promise(requestAnimationFrame)
  })

/** Clicks, and waits for the next frame, without the work that Playwright does in the page for a click. */
async function click(locator: Locator): Promise<void> {
  await locator.scrollIntoViewIfNeeded()
  const page = locator.page()
  const box = await settledBox(locator)
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  await nextFrame(page)
}

/** Returns the box of an element once it is in the same place in two frames: a press hits what is there. */
async function settledBox(locator: Locator, before?: Box): Promise<Box> {
  const box = await locator.boundingBox()
  if (box === null) throw new Error('It is not shown.')
  if (before?.x === box.x && before.y === box.y) return box
  await nextFrame(locator.page())
  return settledBox(locator, box)
}

type Box = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>

/** Has a list show more memories, so many times. */
async function showMore(list: Locator, times: number): Promise<void> {
  for (let more = 0; more < times; more++) {
    const shown = await list.getByRole('article').count()
    await click(list.getByRole('button', { name: 'Show more' }))
    const refusal = list.getByRole('alert')
    await expect
      .poll(
        async () => (await list.getByRole('article').count()) > shown || (await refusal.count()),
      )
      .toBeTruthy()
    expect(await refusal.allTextContents()).toEqual([])
  }
}

test('the list holds up no visitor, with 10,000 listed memories', async () => {
  const { page } = visitor
  await page.getByText('10,000 memories are on offer').waitFor()
  await expectNoHoldUp(page, async () => {
    await page.getByRole('searchbox', { name: 'Search' }).pressSequentially('memory notes')
    await page.waitForURL(/search=memory/)
    await page.getByRole('searchbox', { name: 'Search' }).fill('')
    await page.getByText('10,000 memories are on offer').waitFor()
    await click(page.getByRole('link', { name: 'Forkable' }))
    await page.getByLabel('Order').selectOption('cheapest-fork')
    await page.waitForURL(/sort=cheapest-fork/)
    // Until the list of this order is there, that of the order before stays.
    await page.getByText('Loading…').waitFor({ state: 'detached' })
    await showMore(page.getByRole('main'), 5)
  })
})

test('a family of 5,000 is folded, and is walked, opened and zoomed with the keyboard', async () => {
  const { page } = visitor
  await page.goto(new URL('/token/1?tab=lineage', page.url()).href)
  await page.getByRole('button', { name: 'Load the whole family' }).click()
  const here = page.getByRole('link', { name: /^No\. 1 / })
  const more = page.locator('svg').getByRole('button', { name: /^Show [\d,]+ more$/ })
  await page.locator('svg').getByRole('button', { name: 'Show 4,994 more' }).waitFor()
  await expect.poll(() => page.locator('[data-item]').count()).toBe(7)
  await expectNoHoldUp(page, async () => {
    await here.focus()
    await page.keyboard.press('ArrowRight')
    for (let child = 0; child < 5; child++) await page.keyboard.press('ArrowDown')
    await expect.poll(() => more.evaluate((it) => it === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('[data-item]').count()).toBe(37)
    // The sixth child, which was the first of those that were hidden.
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-item'))
    const sixth = await page.locator('[data-item]').nth(6).getAttribute('data-item')
    await expect.poll(focused).toBe(sixth)
    await page.keyboard.press('0')
    await page.getByRole('button', { name: 'Zoom in' }).waitFor()
    const frame = page.getByRole('region', { name: /^Lineage graph/ })
    expect(await frame.evaluate((it) => it.scrollWidth - it.clientWidth)).toBeLessThan(2)
    await click(page.getByText('The lineage as text'))
    await click(page.getByRole('list').getByRole('button', { name: /^Show [\d,]+ more$/ }))
    await expect.poll(() => page.locator('[data-item]').count()).toBe(67)
    await click(page.getByRole('button', { name: 'Show fewer' }))
    await expect.poll(() => page.locator('[data-item]').count()).toBe(37)
  })
  await checkView(visitor, 'large-family')
})

test('a memory with 5,000 children and 5,000 renters, its maker and the activity hold up no visitor', async () => {
  const { page } = visitor
  await page.goto(new URL('/token/1?tab=lineage', page.url()).href)
  await page.getByText('The lineage as text').waitFor()
  await expectNoHoldUp(page, async () => {
    const tab = (name: string) => page.getByRole('tab', { name })
    await click(page.getByText('The lineage as text', { exact: true }))
    await click(tab('History'))
    for (const name of ['As a table', '☆ Watch', '★ Stop watching']) {
      await click(page.getByText(name, { exact: true }).first())
    }
    await click(page.getByRole('link', { name: 'Activity', exact: true }))
    await page.getByRole('heading', { name: 'Activity' }).waitFor()
    await click(page.getByRole('row').nth(2).getByRole('link').first())
    await page.getByRole('tab', { name: 'History' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Activity' }).waitFor()
  })
})

test('the account of a maker of thousands of memories holds up no visitor', async () => {
  const { page } = visitor
  const rounds: number[] = []
  const walk = async () => {
    await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
    await click(page.getByRole('link', { name: 'All of this account' }))
    await page.getByRole('button', { name: 'Made' }).click()
    const made = page.getByRole('region', { name: 'Made' })
    await made.getByRole('article').first().waitFor()
    await showMore(made, 5)
    const activity = page.getByRole('region', { name: 'Activity' })
    await click(activity.getByRole('button', { name: 'Show earlier' }))
    await click(page.getByText('By month and memory'))
    await page.getByRole('table').first().waitFor()
    await page.goBack()
    await page.getByRole('tab', { name: 'History' }).waitFor()
    await page.goForward()
    await expect.poll(() => made.getByRole('article').count()).toBeGreaterThan(100)
  }
  // A collection of garbage may be in the longest step of a round.
  for (let round = 0; round < 3; round++) {
    await page.goto(new URL('/token/1', page.url()).href)
    rounds.push(await longestTask(browser, page, walk))
  }
  expect(Math.min(...rounds)).toBeLessThan(await goodResponse())
})

test('the memories of a maker of thousands, the form, the guides and the view of the operator hold up no visitor', async () => {
  const { origin } = new URL(visitor.page.url())
  const { page } = await visit(browser, { url: origin, wallet: await walletOfMaker(origin) })
  await page.goto(`${origin}/mine?list=created`)
  await connectInjected(page, 'Injected')
  const created = page.getByRole('region', { name: 'Created' })
  await created.getByRole('article').first().waitFor()
  await expectNoHoldUp(page, async () => {
    await showMore(created, 3)

    await goTo(page, 'Create')
    await chooseFile(page, JSON.stringify({ notes: Array(20_000).fill('prefers short answers') }))
    await page.getByLabel('Category').pressSequentially('research')
    await fillCard(page, { title: 'Notes' })
    await page.getByRole('textbox', { name: 'Description' }).pressSequentially('What it learned.')
    await page.getByRole('button', { name: 'Seal and mint' }).waitFor()
    await page.getByText('[{"what":"members","count":1}]', { exact: true }).waitFor()
    // The chain of this market estimates no fee, and the form shows that.
    await page.getByText('nothing was paid').waitFor()

    await click(page.getByRole('link', { name: 'Reference and guides' }))
    await page.getByLabel('Search routes and guides').pressSequentially('restore')
    await click(page.getByRole('link', { name: 'Sell a memory, and let the buyer restore it' }))
    await page.getByRole('heading', { level: 1, name: /^Sell a memory/ }).waitFor()
    await click(page.getByRole('link', { name: 'Operate' }))
    await page.getByRole('heading', { level: 1, name: 'Operate' }).waitFor()
  })
})

/** Returns a wallet with the address of the account that made most memories. */
async function walletOfMaker(url: string) {
  const { token } = (await (await fetch(`${url}/api/memory/1/lineage`)).json()) as Lineage
  const wallet = injectedWallet(generatePrivateKey(), () => url)
  const account = { ...wallet.account, address: token.creator }
  return Object.assign(wallet, { account, chainId: 1, chains: new Set([1]) })
}

type Lineage = { readonly token: { readonly creator: Hex } }
