import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { longestWait } from '../tier.ts'
import { installFromDebian } from './install-from-debian.ts'

/** The shell comes first: it is the same browser without the windows, which no test looks at. */
const usualPaths = [
  process.env.CHROMIUM,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Installs the browser of the distribution, where that is allowed, and finds it. */
const installed = () => (installFromDebian('chromium-headless-shell') ? findInstalled() : undefined)

const findInstalled = (): string | undefined =>
  usualPaths.find((path) => path !== undefined && existsSync(path))

let running: Promise<Browser> | undefined

/**
 * Returns the Chromium of this process, which its test files use one after another; it ends with the
 * process. Each test opens a context of its own, and `leave` closes those of a file.
 */
export function startChromium(): Promise<Browser> {
  running ??= launch()
  return running
}

/** Closes what the tests of a file have open in the browser. */
export async function leave(browser: Browser | undefined): Promise<void> {
  await Promise.all(browser?.contexts().map(closeContext) ?? [])
}

/** Closes a context; what answers its requests may still be at it, and then fails unheard. */
export async function closeContext(context: BrowserContext): Promise<void> {
  const routed = [context, ...context.pages()]
  await Promise.all(routed.map((it) => it.unrouteAll({ behavior: 'ignoreErrors' })))
  await context.close()
}

/**
 * Starts a headless Chromium: that of `CHROMIUM`, or the installed one. Without one it is installed
 * by apt on Debian as root, and by npm on other Linux machines.
 *
 * @throws an error with a remedy when there is none
 */
async function launch(): Promise<Browser> {
  const executablePath = findInstalled() ?? installed() ?? (await installFromNpm())
  if (executablePath === undefined) {
    throw new Error('The tests of the page need Chromium: install it, or name it in CHROMIUM.')
  }
  // A signal ends this process, and with it the browser; Playwright would hold the process for longer.
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false }
  const options = { executablePath, args: ['--disable-dev-shm-usage'], timeout: longestWait }
  return chromium.launch({ ...options, ...signals })
}

const distribution = '@sparticuz/chromium'
const version = '153.0.0'

/** Not in the lock file, because only machines without another Chromium need these 75 MB. */
async function installFromNpm(): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined
  const folder = join(import.meta.dirname, '../../node_modules/.cache/chromium')
  const manifest = join(folder, 'package.json')
  if (!existsSync(join(folder, 'node_modules', distribution))) {
    const what = `${distribution}@${version}`
    execFileSync('npm', ['install', '--prefix', folder, '--save-exact', what], { stdio: 'ignore' })
  }
  const entrance = createRequire(manifest).resolve(distribution)
  const { default: packed } = await import(pathToFileURL(entrance).href)
  return packed.executablePath()
}
