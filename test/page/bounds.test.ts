import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { post } from '../harness/process/server.ts'
import { type BuiltServer, builtServer } from './built-server.ts'
import { startChromium } from './chromium.ts'
import { picture, type Visitor, violations, visit } from './visitor.ts'

let browser: Browser
let server: BuiltServer
let visitor: Visitor

/** As many as a view needs, and few enough to be used up. */
const perMinute = 120

beforeAll(async () => {
  const environment = { REQUESTS_PER_MINUTE: String(perMinute), RPC_OPEN: 'false' }
  ;[browser, server] = await Promise.all([startChromium(), builtServer(environment)])
  const body = { data: { learned: [1] }, metadata: { category: 'research' } }
  const { status } = await post(server.url(), '/api/memory/snapshot', JSON.stringify(body))
  expect(status).toBe(201)
  visitor = await visit(browser, {
    url: server.url(),
    forgiven: /status of 4(04|29) .*\/(rpc|api\/)/,
  })
})
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
})
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await picture(visitor, 'failed-bounds')
  expect(visitor.complaints).toEqual([])
})

/** Uses up what this client has, again and again, until it is told to stop. */
function exhausting(): { readonly stop: () => Promise<void> } {
  let isWanted = true
  const run = async () => {
    while (isWanted) await (await fetch(`${server.url()}/api/deployment`)).text()
  }
  const running = run()
  return {
    stop: () => {
      isWanted = false
      return running
    },
  }
}

/** Waits until the server has this client wait. */
async function exhausted(): Promise<void> {
  for (let asked = 0; asked < 100 * perMinute; asked += 1) {
    const { status } = await fetch(`${server.url()}/api/deployment`)
    if (status === 429) return
  }
  throw new Error(`The server answered ${100 * perMinute} requests and refused none.`)
}

test('where nobody may ask the chain, the page says who can change that', async () => {
  const { page } = visitor
  await page.goto(`${server.url()}/token/1`)
  await page.getByText('hash matches the chain').waitFor()
  await page.getByRole('button', { name: 'Connect wallet' }).first().click()
  await page.getByText('Wallets cannot reach the chain of this server').waitFor()
  expect(await page.getByRole('heading', { name: 'Development wallet' }).count()).toBe(0)
  expect(await violations(visitor)).toEqual([])
  await picture(visitor, 'closed-chain')
  await page.keyboard.press('Escape')
})

test('who asks too often is told to wait, and the page goes on by itself', async () => {
  const { page } = visitor
  const others = exhausting()
  await exhausted()
  await page.getByRole('link', { name: 'Browse' }).click()
  await page.getByText(/reached its limit of 120 requests a minute; try again in/).waitFor()
  await page.getByText('answers again a little later').waitFor()
  await picture(visitor, 'too-many')
  await others.stop()
  await page.getByRole('heading', { name: 'The shelves are empty' }).waitFor()
})
