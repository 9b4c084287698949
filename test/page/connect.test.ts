import type { BrowserContextOptions } from 'playwright-core'
import { expect, test } from 'vitest'
import { longestWait } from '../tier.ts'
import { closeContext } from './chromium.ts'
import { openStage } from './stage.ts'
import { findViolations, takeScreenshot, type Visitor } from './visitor.ts'

const { browser, enter, server } = openStage('connect')

/** Opens a page behind https, by what ends TLS before the server. */
async function openOverTls(options: BrowserContextOptions): Promise<Visitor> {
  const address = 'https://memories.example'
  const context = await browser().newContext({ ...options, reducedMotion: 'reduce' })
  context.setDefaultTimeout(longestWait)
  await context.route(`${address}/**`, async (route) => {
    const { pathname, search } = new URL(route.request().url())
    if (pathname === '/api/events') return route.abort()
    return route.fulfill({
      response: await route.fetch({ url: `${server.url()}${pathname}${search}` }),
    })
  })
  const page = await context.newPage()
  await page.goto(`${address}/token/1`)
  await page.getByRole('button', { name: 'Connect wallet' }).first().click()
  return { page, context, browserErrors: [] }
}

test('a phone without a wallet is led to the browser of a wallet app', async () => {
  const viewport = { width: 375, height: 812 }
  const phone = await openOverTls({ viewport, hasTouch: true, isMobile: true })
  const apps = phone.page.getByRole('list', { name: 'Wallet apps' })
  await apps.waitFor()
  const links = await apps
    .getByRole('link')
    .evaluateAll((all) => all.map((link) => [link.textContent, link.getAttribute('href')]))
  expect(links).toEqual([
    ['MetaMask', 'https://link.metamask.io/dapp/memories.example/token/1'],
    [
      'Coinbase Wallet',
      'https://go.cb-w.com/dapp?cb_url=https%3A%2F%2Fmemories.example%2Ftoken%2F1',
    ],
  ])
  await takeScreenshot(phone, 'wallet-apps')
  await closeContext(phone.context)
})

test.each([
  { colorScheme: 'light' },
  { colorScheme: 'dark' },
  { colorScheme: 'dark', forcedColors: 'active' },
] as const)('a desktop shows codes for the camera of a phone in %j', async (look) => {
  const desktop = await openOverTls({ viewport: { width: 1280, height: 900 }, ...look })
  const { page } = desktop
  const codes = page.getByRole('dialog').getByRole('img', { name: /^Code of a link/ })
  await page.getByText('Continue on your phone').click()
  await codes.first().waitFor()
  const labels = await codes.evaluateAll((all) =>
    all.map((code) => code.getAttribute('aria-label')),
  )
  expect(labels.map((label) => label?.split(': ')[1])).toEqual([
    'This page',
    'MetaMask',
    'Coinbase Wallet',
  ])
  // Dark on light in any colours, as a camera needs it.
  const drawn = await codes.first().evaluate((it) => {
    const { backgroundColor, fill } = getComputedStyle(it)
    return [backgroundColor, fill]
  })
  expect(drawn).toEqual(['rgb(255, 255, 255)', 'rgb(0, 0, 0)'])
  await takeScreenshot(desktop, `phone-codes-${Object.values(look).join('-')}`)
  expect(await findViolations(desktop)).toEqual([])
  await closeContext(desktop.context)
})

test('a page of this machine offers no code: a phone cannot reach it', async () => {
  const { page } = await enter()
  await page.goto(server.url())
  await page.getByRole('button', { name: 'Connect wallet' }).first().click()
  await page.getByText('What is a wallet?').waitFor()
  expect(await page.getByText('Continue on your phone').count()).toBe(0)
})
