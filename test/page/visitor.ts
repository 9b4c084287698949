import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import axe from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { InjectedWallet } from './injected-wallet.ts'

/** Somebody who looks at the page in a browser of their own. */
export type Visitor = {
  readonly page: Page
  readonly context: BrowserContext
  /** What the browser complained of, and requests that left the server. */
  readonly complaints: string[]
}

export declare namespace visit {
  type Options = {
    readonly url: string
    readonly wallet?: InjectedWallet
    readonly walletName?: string
    readonly viewport?: { readonly width: number; readonly height: number }
    readonly colorScheme?: 'light' | 'dark'
    /** What is expected to be complained of. */
    readonly forgiven?: RegExp
  }
}

/** Opens a browser for somebody who was never here. */
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
  context.setDefaultTimeout(8_000)
  await wallet?.install(context, options.walletName ?? 'Injected')
  const page = await context.newPage()
  const complaints: string[] = []
  const complain = (text: string) => {
    if (options.forgiven?.test(text) !== true) complaints.push(text)
  }
  page.on('pageerror', (error) => complain(`error: ${error.stack}`))
  page.on('console', (message) => {
    if (message.type() !== 'error') return
    complain(`console: ${message.text()} ${message.location().url}`)
  })
  const { host } = new URL(url)
  page.on('request', (request) => {
    const asked = new URL(request.url())
    const isOwn = asked.host === host || asked.protocol === 'data:' || asked.protocol === 'blob:'
    if (!isOwn) complaints.push(`request: ${request.url()}`)
  })
  return { page, context, complaints }
}

/** Returns what axe finds wrong with what a visitor sees, in light and in dark. */
export async function violations({ page }: Visitor): Promise<readonly string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.evaluate(axe.source)
    const { violations: told } = await page.evaluate(() =>
      (globalThis as never as { axe: typeof axe }).axe.run(document),
    )
    found.push(
      ...told.map(
        ({ id, help, nodes }) =>
          `${colorScheme}: ${id}, ${help}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('; ')}`,
      ),
    )
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  return found
}

/** Where pictures of the page are put, to be looked at. */
export const screenshots = process.env.SCREENSHOTS ?? join(import.meta.dirname, '../screenshots')

/** Takes a picture of all that a visitor sees. */
export async function picture({ page }: Visitor, name: string): Promise<void> {
  mkdirSync(screenshots, { recursive: true })
  await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true })
}

const desktop = { width: 1280, height: 900 }
const phone = { width: 390, height: 844 }

/** Looks at a view as a person with axe would, and takes its picture on a desk, a phone, and at night. */
export async function examine(visitor: Visitor, name: string): Promise<void> {
  const { page } = visitor
  expect(await violations(visitor)).toEqual([])
  await picture(visitor, name)
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await picture(visitor, `${name}-dark`)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.setViewportSize(phone)
  await picture(visitor, `${name}-phone`)
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflow, 'nothing is wider than a phone').toBeLessThan(1)
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await picture(visitor, `${name}-phone-dark`)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.setViewportSize(desktop)
}
