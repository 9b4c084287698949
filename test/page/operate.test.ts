import { expect, onTestFinished, test } from 'vitest'
import { closeContext } from './chromium.ts'
import { openStage } from './stage.ts'
import { checkView, type Visitor, visit } from './visitor.ts'

const key = 'a-key-of-the-operator-0123456789abcd'

const { browser, server } = openStage('operate', { API_KEYS: key })

async function visitOperator(): Promise<Visitor> {
  const expectedErrors = /status of 401 .*\/(api\/(wallet|webhooks|operator)|metrics)/
  const visitor = await visit(browser(), { url: server.url(), expectedErrors })
  onTestFinished(async () => {
    await closeContext(visitor.context)
    expect(visitor.browserErrors).toEqual([])
  })
  await visitor.page.goto(`${server.url()}/`)
  await visitor.page.getByRole('link', { name: 'Operate' }).click()
  await visitor.page.getByRole('heading', { level: 1, name: 'Operate' }).waitFor()
  return visitor
}

const panel = ({ page }: Visitor, name: string) => page.getByRole('region', { name, exact: true })

test('shows a visitor without a key the health, and nothing of the operator', async () => {
  const visitor = await visitOperator()
  await panel(visitor, 'Health').getByText('OK', { exact: true }).first().waitFor()
  await visitor.page.getByText(/^The wallet, figures, .* need a key of the operator/).waitFor()
  expect(await visitor.page.getByRole('alert').count()).toBe(0)
  for (const name of ['Server', 'Wallet', 'Figures', 'Tenants', 'Webhooks', 'Last failures']) {
    expect(await panel(visitor, name).count()).toBe(0)
  }
  await checkView(visitor, 'operate-closed')
})

test('shows the operator wallet, figures, tenants, webhooks and failures', async () => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const post = async (path: string, body: object) => {
    const reply = await fetch(`${server.url()}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    expect(reply.status).toBe(201)
  }
  await post('/api/webhooks', { url: 'https://receiver.example/events' })
  await post('/api/memory/snapshot', { data: {}, metadata: { category: 'research' } })

  const visitor = await visitOperator()
  const { page } = visitor
  await panel(visitor, 'Access key').getByLabel('Access key').fill(key)
  await page.getByRole('button', { name: 'Use this key' }).click()
  await panel(visitor, 'Wallet').getByText('Spent today (UTC)').waitFor()
  await panel(visitor, 'Server')
    .getByText(/^\d+\.\d+\.\d+/)
    .waitFor()
  await panel(visitor, 'Figures').getByText('Writes since the start · settled').waitFor()
  const zero = panel(visitor, 'Figures').getByText(/^\d+ figures are 0$/)
  await zero.click()
  await panel(visitor, 'Figures').getByText('Memories with lost bytes · missing').waitFor()
  await panel(visitor, 'Tenants').getByText('This server has no tenants.').waitFor()
  await panel(visitor, 'Webhooks').getByText('https://receiver.example/events').waitFor()
  await panel(visitor, 'Last failures')
    .getByText(/warn|No warning/)
    .first()
    .waitFor()
  await checkView(visitor, 'operate')
  await page.getByRole('button', { name: 'Forget it' }).click()
  await page.getByText(/^The wallet, figures, .* need a key of the operator/).waitFor()
  expect(await panel(visitor, 'Wallet').count()).toBe(0)
})
