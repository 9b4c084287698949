import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { post } from '../harness/process/server.ts'
import { escapeDialog } from './actions.ts'
import { openStage } from './stage.ts'
import { findViolations, takeScreenshot, type Visitor } from './visitor.ts'

/** Enough for a view, and few enough to use up. */
const perMinute = 120

const environment = { REQUESTS_PER_MINUTE: String(perMinute), RPC_OPEN: 'false' }
const { enter, server } = openStage('bounds', environment)
let visitor: Visitor

beforeAll(async () => {
  const body = { data: { learned: [1] }, metadata: { category: 'research' } }
  const { status } = await post(server.url(), '/api/memory/snapshot', JSON.stringify(body))
  expect(status).toBe(201)
  visitor = await enter({ expectedErrors: /status of 4(04|29) .*\/(rpc|api\/)/ })
})

/** Uses up the request rate of this client until it is stopped. */
function useUpRate(): { readonly stop: () => Promise<void> } {
  let isRunning = true
  const run = async () => {
    while (isRunning) await (await fetch(`${server.url()}/api/deployment`)).text()
  }
  const running = run()
  return {
    stop: () => {
      isRunning = false
      return running
    },
  }
}

/** Waits until the server limits this client. */
async function waitForLimit(): Promise<void> {
  for (let count = 0; count < 100 * perMinute; count += 1) {
    const { status } = await fetch(`${server.url()}/api/deployment`)
    if (status === 429) return
  }
  throw new Error(`The server answered ${100 * perMinute} requests and refused none.`)
}

test('says who can open a closed chain', async () => {
  const { page } = visitor
  await page.goto(`${server.url()}/token/1?tab=lineage`)
  await page.getByText('hash matches the chain').waitFor()
  await page.getByRole('button', { name: 'Connect wallet' }).first().click()
  await page.getByText('Wallets cannot reach the chain of this server').waitFor()
  expect(await page.getByRole('heading', { name: 'Try it with play money' }).count()).toBe(0)
  expect(await findViolations(visitor)).toEqual([])
  await takeScreenshot(visitor, 'closed-chain')
  await escapeDialog(page)
  await page.goto(server.url())
  await page.getByText('Only the operator lists memories here').waitFor()
})

test('shows the limit of requests, and continues on its own', async () => {
  const { page } = visitor
  await page.goto(`${server.url()}/create`)
  // The links are there before the scripts are.
  await page.getByRole('heading', { level: 1 }).waitFor()
  const others = useUpRate()
  onTestFinished(others.stop)
  await waitForLimit()
  const limit = /reached its limit of 120 requests a minute; try again in/
  const isShown = page.getByRole('heading', { name: 'Nothing is on offer now' })
  const browse = async () => {
    await page.getByRole('link', { name: 'Browse', exact: true }).click()
    await page.getByText(limit).or(isShown).first().waitFor()
    // All is read at once, because the page tries again on its own.
    return page.locator('main').textContent()
  }
  // The server lets two requests a second through, and one of them may be the page's.
  let text = await browse()
  while (!limit.test(text ?? '')) {
    await page.goBack()
    text = await browse()
  }
  expect(text).toContain('limits the requests of each visitor')
  await takeScreenshot(visitor, 'too-many')
  await others.stop()
  await isShown.waitFor()
})
