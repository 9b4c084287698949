import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { post, rpc } from '../harness/process/server.ts'
import { connectDevelopment, connectInjected, settle } from './actions.ts'
import { type BuiltServer, builtServer } from './built-server.ts'
import { startChromium } from './chromium.ts'
import { type InjectedWallet, injectedWallet, WalletRefusal } from './injected-wallet.ts'
import { picture, type Visitor, violations, visit } from './visitor.ts'

const poor = '0x0123456789012345678901234567890123456789012345678901234567890123'
const rich = '0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba'

let browser: Browser
let server: BuiltServer
let wallet: InjectedWallet
let visitor: Visitor

beforeAll(async () => {
  ;[browser, server] = await Promise.all([startChromium(), builtServer()])
})
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
})
beforeEach(async () => {
  wallet = injectedWallet(rich, server.url)
  visitor = await arrive(wallet)
})
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await picture(visitor, 'failed-adversity')
  await visitor.context.close()
  expect(visitor.complaints).toEqual([])
})

const dan = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'

/** While the server is away, the browser says so. */
const away =
  /ERR_FAILED|ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED/

const arrive = (as: InjectedWallet) =>
  visit(browser, { url: server.url(), wallet: as, walletName: 'Elsewhere', forgiven: away })

async function snapshot(card?: object): Promise<string> {
  const body = { data: { learned: [1] }, metadata: { category: 'research' }, card }
  const answer = await post(server.url(), '/api/memory/snapshot', JSON.stringify(body))
  expect(answer.status, await answer.clone().text()).toBe(201)
  return ((await answer.json()) as { tokenId: string }).tokenId
}

const terms = { rentalPricePerDay: '0', forkPrice: '0', forkRoyaltyBps: 0 }

async function offer(price: string, tokenId: string): Promise<string> {
  const body = JSON.stringify({ tokenId, price, ...terms })
  expect((await post(server.url(), '/api/marketplace/list', body)).status).toBe(201)
  return tokenId
}

/** Shows a token to a visitor, as far as the preview of its purchase. */
async function upToPreview(tokenId: string) {
  const { page } = visitor
  await page.goto(`${server.url()}/token/${tokenId}`)
  await connectInjected(page, 'Elsewhere')
  await page.getByRole('button', { name: 'Buy', exact: true }).click()
  return page.getByRole('dialog')
}

const milliether = 10n ** 15n

test('a hostile card is shown as the text it is', async () => {
  const title = '<img src=x onerror=alert(1)><script>alert(2)</script>'
  const description = `'"><svg onload=alert(3)> javascript:alert(4)\n${'W'.repeat(900)}`
  const tags = ['</bdi><b>', '{{constructor}}', 'עברית']
  const preview = `${'漢'.repeat(1500)} <iframe src="https://example.org"></iframe> שלום`
  const tokenId = await offer('1000', await snapshot({ title, description, tags, preview }))
  const { page } = visitor
  page.on('dialog', (dialog) => {
    visitor.complaints.push(`alert: ${dialog.message()}`)
    dialog.dismiss()
  })
  await page.goto(server.url())
  await page.getByText(title).waitFor()
  await page.goto(`${server.url()}/token/${tokenId}`)
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await page.getByText('the lineage in words').waitFor()
  expect(await page.locator('main img, main script, main iframe, main b').count()).toBe(0)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThan(
    1,
  )
  expect(await violations(visitor)).toEqual([])
})

test.each([
  ['that could mislead', JSON.stringify({ title: 'safe\u202Egpj.exe' }), 'card/malformed'],
  ['of 10 MB', JSON.stringify({ title: 'x', preview: 'x'.repeat(10_000_000) }), 'card/malformed'],
  ['that is no UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22]), 'json/malformed'],
])('a card %s is refused', async (_, card, code) => {
  const parts = ['{"data":{},"metadata":{"category":"x"},"card":', card, '}'].map((it) =>
    Buffer.from(it),
  )
  const answer = await fetch(`${server.url()}/api/memory/snapshot`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: Buffer.concat(parts),
  })
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([400, code])
})

test('a wallet on another chain is asked to switch', async () => {
  const tokenId = await offer('1000', await snapshot())
  wallet.chainId = 1
  const dialog = await upToPreview(tokenId)
  await dialog.getByText('Elsewhere is on another chain.').waitFor()
  await dialog.getByRole('button', { name: 'Switch to chain 31337' }).click()
  await settle(visitor.page)
  await visitor.page.getByText('It is not on offer now.').waitFor()
})

test('a wallet that was locked and opened again is on the chain it was on', async () => {
  const dialog = await upToPreview(await offer('1000', await snapshot()))
  const show = (accounts: readonly string[]) =>
    visitor.page.evaluate(
      (detail) => dispatchEvent(new CustomEvent('wallet-accounts', { detail })),
      accounts,
    )
  await show([])
  await dialog.getByText('Choose the wallet that does this.').waitFor()
  await show([wallet.account.address])
  await settle(visitor.page)
})

test('who declines in the wallet is told that nothing was paid, and may try again', async () => {
  const dialog = await upToPreview(await offer('1000', await snapshot()))
  wallet.before = (method) => {
    if (method === 'eth_sendTransaction') throw new WalletRefusal(4001, 'User rejected.')
  }
  await dialog.getByRole('button', { name: 'Confirm and pay' }).click()
  await dialog.getByText('You declined in the wallet.').waitFor()
  wallet.before = () => undefined
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await settle(visitor.page)
})

test('who cannot pay is told what is needed, before the wallet is asked', async () => {
  await visitor.context.close()
  visitor = await arrive(injectedWallet(poor, server.url))
  const dialog = await upToPreview(await offer(String(5n * milliether), await snapshot()))
  await dialog.getByText('This wallet holds 0 ETH, and 0.005 ETH is needed.').waitFor()
  await dialog.getByText('Add ether to the wallet').waitFor()
})

test('an offer that was taken down meanwhile is not paid for', async () => {
  const tokenId = await offer(String(milliether), await snapshot())
  const dialog = await upToPreview(tokenId)
  await dialog.getByText('In all').waitFor()
  await dialog.getByRole('button', { name: 'Confirm and pay' }).isEnabled()
  await offer('0', tokenId)
  await dialog.getByRole('button', { name: 'Confirm and pay' }).click()
  await dialog.getByText(`No. ${tokenId} is no longer offered for sale.`).waitFor()
  await dialog.getByText('Nothing was paid.').waitFor()
})

test('a price that changed meanwhile is told, not paid', async () => {
  const tokenId = await offer(String(milliether), await snapshot())
  const dialog = await upToPreview(tokenId)
  const confirm = dialog.getByRole('button', { name: 'Confirm and pay' })
  await confirm.waitFor()
  await offer(String(2n * milliether), tokenId)
  await confirm.click()
  await dialog.getByText(/it is 0\.002 ETH, and you agreed to 0\.001 ETH/).waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await visitor.page.getByRole('complementary').getByText('0.002 ETH').first().waitFor()
})

test('a purchase survives the death of the server between sending and hearing', async () => {
  const dialog = await upToPreview(await offer(String(milliether), await snapshot()))
  wallet.afterSend = () => server.kill()
  await dialog.getByRole('button', { name: 'Confirm and pay' }).click()
  await dialog.getByText('What you signed is not lost').waitFor()
  wallet.afterSend = () => undefined
  await server.start()
  await dialog.getByText('is yours.').waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await visitor.page.getByText('It is not on offer now.').waitFor()
})

test('and the page goes on with it after it was loaded anew', async () => {
  const dialog = await upToPreview(await offer(String(milliether), await snapshot()))
  wallet.afterSend = () => server.kill()
  await dialog.getByRole('button', { name: 'Confirm and pay' }).click()
  await dialog.getByText('What you signed is not lost').waitFor()
  wallet.afterSend = () => undefined
  await server.start()
  await visitor.page.reload()
  await visitor.page.getByRole('dialog').getByText('is yours.').waitFor()
})

test('what is on its way is not forgotten where another act is refused', async () => {
  const dear = await offer(String(10n ** 23n), await snapshot())
  const dialog = await upToPreview(await offer(String(milliether), await snapshot()))
  const { page } = visitor
  const gate = Promise.withResolvers<void>()
  wallet.afterSend = () => gate.promise
  await dialog.getByRole('button', { name: 'Confirm and pay' }).click()
  await dialog.getByText('Look at the wallet').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
  gate.resolve()
  const onItsWay = page.getByRole('complementary', { name: 'On its way' })
  await onItsWay.waitFor()
  await page.evaluate((path) => history.pushState(undefined, '', path), `/token/${dear}`)
  await page.evaluate(() => dispatchEvent(new PopStateEvent('popstate')))
  await page.getByRole('button', { name: 'Buy', exact: true }).click()
  await dialog.getByText(/is needed\./).waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await onItsWay.getByRole('button', { name: 'See what became of it' }).click()
  await dialog.getByText('is yours.').waitFor()
})

test('a server that is away when it is asked is waited for', async () => {
  const dialog = await upToPreview(await offer(String(milliether), await snapshot()))
  const confirm = dialog.getByRole('button', { name: 'Confirm and pay' })
  await confirm.waitFor()
  await server.kill()
  await confirm.click()
  await dialog.getByText('The server does not answer.').waitFor()
  await server.start()
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await settle(visitor.page)
})

test.each([
  ['did not arrive', false],
  ['arrived, but was not answered,', true],
])('what the development wallet sent and %s is paid once', async (_, arrives) => {
  const { page } = visitor
  const tokenId = await offer(String(milliether), await snapshot())
  let faults = 0
  await page.route('**/rpc', async (route) => {
    const isSending = route.request().postData()?.includes('eth_sendRawTransaction')
    if (!isSending || faults > 0) return route.continue()
    faults += 1
    if (arrives) await route.fetch()
    return route.abort()
  })
  await page.goto(`${server.url()}/token/${tokenId}`)
  await connectDevelopment(page, 'Dan')
  const balance = async () =>
    BigInt(await rpc<string>(server.url(), 'eth_getBalance', [dan, 'latest']))
  const before = await balance()
  await page.getByRole('button', { name: 'Buy', exact: true }).click()
  await settle(page)
  expect(faults).toBe(1)
  const spent = before - (await balance())
  expect(spent).toBeGreaterThan(milliether)
  expect(spent).toBeLessThan(2n * milliether)
})
