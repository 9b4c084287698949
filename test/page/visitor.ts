import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type axe from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Page as FirefoxPage } from 'puppeteer-core'
import { expect } from 'vitest'
import { longestWait, tier } from '../tier.ts'
import type { InjectedWallet } from './injected-wallet.ts'

/** A visitor of the page with a browser context of their own. */
export type Visitor = {
  readonly page: Page
  readonly context: BrowserContext
  /** Errors of the browser, and requests to other hosts. */
  readonly browserErrors: string[]
}

export declare namespace visit {
  type Options = {
    readonly url: string
    readonly wallet?: InjectedWallet
    readonly walletName?: string
    readonly viewport?: { readonly width: number; readonly height: number }
    readonly colorScheme?: 'light' | 'dark'
    /** Errors that are expected. */
    readonly expectedErrors?: RegExp
  }
}

/** A read of the catalogue that waited too long, on a busy machine; the page asks again. */
const isBusy = /status of 503 .*\/api\/(memory|marketplace|activity|ratings|profiles|accounts)/

/** Opens a fresh browser context. */
export async function visit(browser: Browser, options: visit.Options): Promise<Visitor> {
  const { url, wallet, viewport = { width: 1280, height: 900 }, colorScheme = 'light' } = options
  const context = await browser.newContext({
    viewport,
    colorScheme,
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
    locale: 'en-GB',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  // A bound on a hang, not a measure: a busy machine takes many times longer than a free one.
  context.setDefaultTimeout(longestWait)
  await wallet?.install(context, options.walletName ?? 'Injected')
  const page = await context.newPage()
  const browserErrors: string[] = []
  const report = (text: string) => {
    if (isBusy.test(text) || options.expectedErrors?.test(text) === true) return
    browserErrors.push(text)
  }
  page.on('pageerror', (error) => report(`error: ${error.stack}`))
  page.on('console', (message) => {
    if (message.type() !== 'error') return
    report(`console: ${message.text()} ${message.location().url}`)
  })
  const { host } = new URL(url)
  page.on('request', (request) => {
    const target = new URL(request.url())
    const isOwn = target.host === host || target.protocol === 'data:' || target.protocol === 'blob:'
    if (!isOwn) browserErrors.push(`request: ${request.url()}`)
  })
  return { page, context, browserErrors }
}

/** The minified file, which Chromium compiles in half the time of the other. */
const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
)

type Colours = 'light' | 'dark' | 'forced'

/** Shows a page in the colours that its visitor chose in the system; `forced` are those of the system. */
const showIn = (page: Page, colours: Colours): Promise<void> =>
  page.emulateMedia({
    colorScheme: colours === 'dark' ? 'dark' : 'light',
    forcedColors: colours === 'forced' ? 'active' : 'none',
    reducedMotion: 'reduce',
  })

/** Describes in detail what violates a rule alone: most of the time goes into what passes. */
const violating: axe.RunOptions = { resultTypes: ['violations'], selectors: false }

/** The rules for each choice of colours: what does not depend on them is checked in light. */
const optionsIn: Readonly<Record<Colours, axe.RunOptions>> = {
  light: { rules: { 'target-size': { enabled: true } } },
  dark: tier === 'long' ? {} : { runOnly: { type: 'rule', values: ['color-contrast'] } },
  // Forced colours are the system's, and axe takes those of the page for them.
  forced: { rules: { 'color-contrast': { enabled: false } } },
}

/** Returns the accessibility violations that axe finds, in each of some colours. */
export async function findViolations(
  { page }: Visitor,
  inColours: readonly Colours[] = tier === 'long' ? ['light', 'dark', 'forced'] : ['light', 'dark'],
): Promise<readonly string[]> {
  const found: string[] = []
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource)
  for (const colours of inColours) {
    await showIn(page, colours)
    const violations = await page.evaluate(
      async (options) =>
        (await (globalThis as never as { axe: typeof axe }).axe.run(document, options)).violations,
      Object.assign({}, violating, optionsIn[colours]),
    )
    found.push(...violations.map((it) => `${colours}: ${describe(it)}`))
  }
  await showIn(page, 'light')
  return found
}

const describe = ({ id, help, nodes }: axe.Result): string =>
  `${id}, ${help}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('; ')}`

/** Checks a view in Firefox with axe, and takes a screenshot, on a desktop and a phone. */
export async function checkInFirefox(page: FirefoxPage, name: string): Promise<void> {
  mkdirSync(screenshots, { recursive: true })
  for (const [suffix, viewport] of [
    ['-phone', phone],
    ['', desktop],
  ] as const) {
    await page.setViewport(viewport)
    await page.evaluate(axeSource)
    const { violations } = await page.evaluate(() =>
      (globalThis as never as { axe: typeof axe }).axe.run(document),
    )
    expect(violations.map(describe)).toEqual([])
    await page.screenshot({ path: join(screenshots, `${name}${suffix}.png`), fullPage: true })
  }
}

/** The folder of the screenshots. */
export const screenshots = process.env.SCREENSHOTS ?? join(import.meta.dirname, '../screenshots')

/** Nothing is compared with a screenshot: a person looks at them, after the long tier or on request. */
const areTaken = tier === 'long' || process.env.SCREENSHOTS !== undefined

/** Takes a screenshot of the whole page. */
export async function takeScreenshot({ page }: Visitor, name: string): Promise<void> {
  if (!areTaken) return
  mkdirSync(screenshots, { recursive: true })
  await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true })
}

const desktop = { width: 1280, height: 900 }
const phone = { width: 375, height: 812 }

/**
 * Checks a view with axe, in light, dark and forced colours, and takes screenshots, on a desktop and
 * a phone.
 */
export async function checkView(visitor: Visitor, name: string): Promise<void> {
  const { page } = visitor
  expect(await findViolations(visitor)).toEqual([])
  await takeScreenshot(visitor, name)
  await showIn(page, 'forced')
  await takeScreenshot(visitor, `${name}-forced`)
  await showIn(page, 'dark')
  await takeScreenshot(visitor, `${name}-dark`)
  await showIn(page, 'light')
  await page.setViewportSize(phone)
  const onPhone = tier === 'long' ? (['light', 'forced'] as const) : (['forced'] as const)
  // Its colours are those of the desktop, whose contrasts take most of the time of a check.
  expect(await findViolations(visitor, onPhone), 'on a phone').toEqual([])
  await takeScreenshot(visitor, `${name}-phone`)
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflow, 'nothing is wider than a phone').toBeLessThan(1)
  await showIn(page, 'dark')
  await takeScreenshot(visitor, `${name}-phone-dark`)
  await showIn(page, 'light')
  await page.setViewportSize(desktop)
}

/** Counts what a page loads from now on: each address once, the bytes on the wire, and failures. */
export async function watchLoads(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const loads = { requested: new Set<string>(), failed: new Set<string>(), bytes: 0 }
  session.on('Network.requestWillBeSent', ({ request }) => {
    if (!request.url.includes('/api/events')) loads.requested.add(request.url)
  })
  session.on('Network.responseReceived', ({ response: { status, url } }) => {
    if (status >= 400) loads.failed.add(`${status} ${url}`)
  })
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    loads.bytes += encodedDataLength
  })
  return loads
}

/** Returns the sum of the layout shifts of a view. */
export function readLayoutShift(): Promise<number> {
  return new Promise((resolve) => {
    let sum = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) sum += (entry as unknown as { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
    setTimeout(() => resolve(sum), 500)
  })
}
