import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { startChromium } from '../test/page/chromium.ts'
import { resultOf } from './figure.ts'
import { addressOf, end, spawnCommand } from './parts/server-process.ts'

// Prints how long a slow phone waits for the landing of this checkout, against that of another
// commit: until something is painted, and until the memories are shown; and for the title of a memory,
// against the largest paint of that page then. Both servers list the same memories; each visit is one
// after the other, with an empty cache.

/** The commit to compare with; the market of 22 November 2026 unless it is named. */
const commit = process.argv[2] ?? 'e01881518bef'
const rounds = Number(process.argv[3] ?? 15)
const listed = 40
/** The memories that are made from the first one. */
const family = 60
const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'heirloom-bench-paint-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

/** Builds the other commit in the folder; returns the path of its program. */
function buildOther(): string {
  const checkout = join(folder, 'other')
  const run = (program: string, words: readonly string[], cwd: string) =>
    execFileSync(program, words, { cwd, stdio: 'pipe' })
  run('git', ['clone', '--quiet', '--no-checkout', root, checkout], folder)
  run('git', ['checkout', '--quiet', commit], checkout)
  run('pnpm', ['install', '--frozen-lockfile', '--ignore-scripts'], checkout)
  run('pnpm', ['build'], checkout)
  return join(checkout, 'packages/http/dist/cli.js')
}

async function post(url: string, body: object): Promise<{ tokenId: string }> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' } }
  const response = await fetch(url, { ...init, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as { tokenId: string }
}

/** Starts a server and lists the memories on it. */
async function startMarket(name: string, from?: string) {
  const environment = { DATA_DIR: join(folder, name) }
  const child = spawnCommand({ environment, words: ['serve'], ...(from && { from }) })
  const url = await addressOf(child)
  for (let number = 1; number <= listed; number += 1) {
    const card = {
      title: `What an agent learned about harbour ${number}`,
      description: 'Tides, berths and the people who answer the radio, from a year of visits.',
      tags: ['harbours', 'sailing'],
    }
    const metadata = { category: 'research', agentId: 'ada', version: '1' }
    const memory = { data: { notes: [`Harbour ${number}`] }, metadata, card }
    const { tokenId } = await post(`${url}/api/memory/snapshot`, memory)
    const prices = { price: '50000000000000000', rentalPricePerDay: '1000000000000000' }
    const forks = { forkPrice: '2000000000000000', forkRoyaltyBps: 500 }
    await post(`${url}/api/marketplace/list`, { tokenId, ...prices, ...forks })
  }
  for (let child = 0; child < family; child += 1) {
    const metadata = { category: 'research' }
    await post(`${url}/api/memory/snapshot`, { data: { child }, metadata, parentTokenId: '1' })
  }
  return { child, url }
}

/** The phone and its network: four times slower than this machine, and a slow 4G. */
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, isMobile: true }
const network = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
}

type Visit = { readonly painted: number; readonly shown: number; readonly largest: number }

/** A script of a page that keeps when its heading of the first rank was there first. */
const watchTitle = `
  const observer = new MutationObserver(() => {
    if (!document.querySelector('h1')?.textContent.includes('learned about')) return
    observer.disconnect()
    requestAnimationFrame(() => performance.mark('titled'))
  })
  observer.observe(document, { subtree: true, childList: true })
`

/** A script of a page that reads when something was painted first, and when what is largest was. */
const readPaints = `new Promise((resolve) => {
  const painted = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN
  new PerformanceObserver((list) => {
    resolve({ painted, largest: list.getEntries().at(-1)?.startTime ?? NaN })
  }).observe({ type: 'largest-contentful-paint', buffered: true })
})`

/** Visits a page; returns the milliseconds until its first and largest paint, and until a text of it is shown. */
async function visit(browser: Browser, url: string, selector: string): Promise<Visit> {
  const context = await browser.newContext(phone)
  const page = await context.newPage()
  await page.addInitScript({ content: watchTitle })
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', network)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.goto(url)
  await page.locator(selector).filter({ hasText: 'learned about harbour' }).first().waitFor()
  const shown = await page.evaluate(
    () => performance.getEntriesByName('titled')[0]?.startTime ?? performance.now(),
  )
  // What is largest may be painted a moment later; the page keeps a stream open, so it is never idle.
  await page.waitForTimeout(1500)
  const paints = await page.evaluate<Pick<Visit, 'painted' | 'largest'>>(readPaints)
  await context.close()
  // A heading of the document itself is there before anything is painted.
  return { ...paints, shown: Math.max(shown, paints.painted) }
}

function print(what: string, pairs: readonly { value: number; yardstick: number }[], must: number) {
  const terms = {
    id: '',
    what,
    against: commit,
    unit: 'ms',
    better: 'lower',
    must,
    aim: 1,
  } as const
  const { value, yardstick, ratio, band } = resultOf(terms, pairs)
  const [low, high] = band.map((bound) => bound.toFixed(2))
  process.stdout.write(
    `${what}: ${value.toFixed(0)} ms, at ${commit} ${yardstick.toFixed(0)} ms, ` +
      `ratio ${ratio.toFixed(2)} (${low} to ${high}), must ${must}\n`,
  )
  return ratio <= must
}

const here = await startMarket('here')
const other = await startMarket('other-data', buildOther())
const browser = await startChromium()
type Pair = { readonly here: Visit; readonly other: Visit }
const landings: Pair[] = []
const memories: Pair[] = []
/** Visits a page of both servers, one after the other. */
const visitBoth = async (path: string, selector: string): Promise<Pair> => ({
  here: await visit(browser, `${here.url}${path}`, selector),
  other: await visit(browser, `${other.url}${path}`, selector),
})
for (let round = 0; round <= rounds; round += 1) {
  const [landing, memory] = [await visitBoth('/', 'article'), await visitBoth('/token/1', 'h1')]
  // The first visit compiles and fills the caches of both servers.
  if (round > 0) landings.push(landing)
  if (round > 0) memories.push(memory)
}
await browser.close()
await Promise.all([end(here.child), end(other.child)])

const pairs = (all: readonly Pair[], kind: keyof Visit, yardstick: keyof Visit = kind) =>
  all.map((pair) => ({ value: pair.here[kind], yardstick: pair.other[yardstick] }))
const met = [
  print('first paint on a slow phone', pairs(landings, 'painted'), 1.1),
  print(
    'title of a memory on a slow phone, of the largest paint',
    pairs(memories, 'shown', 'largest'),
    0.6,
  ),
]
print('memories shown on a slow phone', pairs(landings, 'shown'), 1.2)
process.exitCode = met.every(Boolean) ? 0 : 1
