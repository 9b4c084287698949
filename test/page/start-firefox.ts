import { existsSync } from 'node:fs'
import puppeteer, { type Browser } from 'puppeteer-core'
import { longestWait } from '../tier.ts'
import { installFromDebian } from './install-from-debian.ts'

const usualPaths = [
  process.env.FIREFOX,
  '/usr/bin/firefox-esr',
  '/usr/bin/firefox',
  '/Applications/Firefox.app/Contents/MacOS/firefox',
]

const findInstalled = (): string | undefined =>
  usualPaths.find((path) => path !== undefined && existsSync(path))

/**
 * Starts a headless Firefox: that of `FIREFOX`, or the installed one, which apt installs on Debian
 * as root. It is driven by WebDriver BiDi, which unlike Playwright's protocol needs no patched build.
 *
 * @throws an error with a remedy when there is none
 */
export function startFirefox(): Promise<Browser> {
  if (findInstalled() === undefined) installFromDebian('firefox-esr')
  const executablePath = findInstalled()
  if (executablePath === undefined) {
    throw new Error('A test of the page needs Firefox: install it, or name it in FIREFOX.')
  }
  return puppeteer.launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    timeout: longestWait,
  })
}
