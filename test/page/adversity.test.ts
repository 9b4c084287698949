import { afterEach, beforeEach, expect, test } from 'vitest'
import { post, rpc } from '../harness/process/server.ts'
import { confirmAndClose, connectDevelopment, connectInjected, escapeDialog } from './actions.ts'
import { closeContext } from './chromium.ts'
import {
  embeddedNode,
  type InjectedWallet,
  injectedWallet,
  WalletRefusal,
} from './injected-wallet.ts'
import { openStage } from './stage.ts'
import { findViolations, takeScreenshot, type Visitor, visit } from './visitor.ts'

const emptyKey = '0x0123456789012345678901234567890123456789012345678901234567890123'
const fundedKey = '0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba'

const { browser, server } = openStage('adversity')
let wallet: InjectedWallet
let visitor: Visitor

beforeEach(async () => {
  wallet = injectedWallet(fundedKey, embeddedNode(server.url))
  visitor = await openVisitor(wallet)
})
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await takeScreenshot(visitor, 'failed-adversity')
  await closeContext(visitor.context)
  expect(visitor.browserErrors).toEqual([])
})

const dan = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'

/** The errors of the browser while the server is down. */
const disconnected =
  /ERR_FAILED|ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|ERR_INTERNET_DISCONNECTED|ERR_INCOMPLETE_CHUNKED/

const openVisitor = (as: InjectedWallet) =>
  visit(browser(), {
    url: server.url(),
    wallet: as,
    walletName: 'Elsewhere',
    expectedErrors: disconnected,
  })

async function snapshot(card?: object): Promise<string> {
  const body = { data: { learned: [1] }, metadata: { category: 'research' }, card }
  const answer = await post(server.url(), '/api/memory/snapshot', JSON.stringify(body))
  expect(answer.status, await answer.clone().text()).toBe(201)
  return ((await answer.json()) as { tokenId: string }).tokenId
}

const terms = { rentalPricePerDay: '0', forkPrice: '0', forkRoyaltyBps: 0 }

async function listToken(price: string, tokenId: string): Promise<string> {
  const body = JSON.stringify({ tokenId, price, ...terms })
  expect((await post(server.url(), '/api/marketplace/list', body)).status).toBe(201)
  return tokenId
}

/** Opens the dialog of a purchase. */
async function openPurchase(tokenId: string) {
  const { page } = visitor
  await page.goto(`${server.url()}/token/${tokenId}`)
  await connectInjected(page, 'Elsewhere')
  await page.getByRole('button', { name: 'Buy', exact: true }).click()
  return page.getByRole('dialog')
}

const milliether = 10n ** 15n

test('shows a hostile card as plain text', async () => {
  const title = '<img src=x onerror=alert(1)><script>alert(2)</script>'
  const description = `'"><svg onload=alert(3)> javascript:alert(4)\n${'W'.repeat(900)}`
  const tags = ['</bdi><b>', '{{constructor}}', 'עברית']
  const preview = `${'漢'.repeat(1500)} <iframe src="https://example.org"></iframe> שלום`
  const tokenId = await listToken('1000', await snapshot({ title, description, tags, preview }))
  const { page } = visitor
  page.on('dialog', (dialog) => {
    visitor.browserErrors.push(`alert: ${dialog.message()}`)
    dialog.dismiss()
  })
  await page.goto(server.url())
  await page.getByText(title).waitFor()
  await page.goto(`${server.url()}/token/${tokenId}`)
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await page.getByRole('heading', { name: 'Use this memory' }).waitFor()
  expect(await page.locator('main img, main script, main iframe, main b').count()).toBe(0)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThan(
    1,
  )
  expect(await findViolations(visitor)).toEqual([])
})

test.each([
  ['that could mislead', JSON.stringify({ title: 'safe\u202Egpj.exe' }), 'card/malformed'],
  [
    'of 10 MB',
    JSON.stringify({ title: 'x', preview: 'x'.repeat(10_000_000) }),
    'request/malformed',
  ],
  ['that is not UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22]), 'json/malformed'],
])('refuses a card %s', async (_, card, code) => {
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

test('asks a wallet on another chain to switch', async () => {
  const tokenId = await listToken('1000', await snapshot())
  wallet.chainId = 1
  const dialog = await openPurchase(tokenId)
  await dialog.getByText('Elsewhere is on another chain.').waitFor()
  await dialog.getByRole('button', { name: 'Switch to Heirloom embedded chain' }).click()
  await confirmAndClose(visitor.page)
  await visitor.page.getByText('It is not for sale, for rent or for fork now.').waitFor()
})

test('the menu of a wallet says that it is on another chain, and what it holds on this one', async () => {
  const { page } = visitor
  await page.goto(`${server.url()}/docs`)
  wallet.chainId = 1
  await connectInjected(page, 'Elsewhere')
  const menu = page.getByRole('banner').getByRole('button', { name: /Elsewhere/ })
  await menu.getByText('other chain').waitFor()
  await menu.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Switch to Heirloom embedded chain' }).click()
  await dialog.getByText(/^It holds .* ETH/).waitFor()
  expect(await menu.getByText('other chain').count()).toBe(0)
})

/** Changes what the server says about its chain. */
async function describeChainAs(settings: object): Promise<void> {
  await visitor.page.route('**/api/deployment', async (route) => {
    const response = await route.fetch()
    return route.fulfill({ response, json: { ...(await response.json()), ...settings } })
  })
}

test('adds the chain to a wallet with the settings of the server', async () => {
  const tokenId = await listToken('1000', await snapshot())
  const explorerUrl = 'https://explorer.example'
  const rpcUrl = 'https://node.example/rpc'
  await describeChainAs({ rpcUrl, chainName: 'Test Chain', explorerUrl })
  wallet.chainId = 1
  wallet.chains.clear()
  const dialog = await openPurchase(tokenId)
  await dialog.getByText('are on Test Chain, chain 31337').waitFor()
  expect(await findViolations(visitor)).toEqual([])
  await takeScreenshot(visitor, 'wrong-chain')
  await dialog.getByRole('button', { name: 'Switch to Test Chain' }).click()
  await dialog.getByRole('button', { name: 'Confirm and pay' }).click()
  const link = dialog.getByRole('link', { name: 'explorer' })
  expect(await link.getAttribute('href')).toMatch(
    /^https:\/\/explorer\.example\/tx\/0x[0-9a-f]{64}$/,
  )
  expect(wallet.added).toEqual([
    {
      chainId: '0x7a69',
      chainName: 'Test Chain',
      rpcUrls: [rpcUrl],
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      blockExplorerUrls: [explorerUrl],
    },
  ])
})

test('says beside a price what it is about in money, where the operator says what a coin is worth', async () => {
  const tokenId = await listToken(`${100n * milliether}`, await snapshot())
  const { page } = visitor
  await page.goto(`${server.url()}/token/${tokenId}`)
  const terms = page.getByRole('region', { name: 'Terms' })
  await terms.getByText('0.1 ETH').first().waitFor()
  expect(await page.getByText(/about [€0-9]/).count()).toBe(0)
  await describeChainAs({ nativePrice: { price: '3000', currency: 'EUR' } })
  const dialog = await openPurchase(tokenId)
  await dialog.getByText('about €300', { exact: true }).first().waitFor()
  await dialog.getByText('0.1 ETH', { exact: true }).first().waitFor()
  await terms.getByText('about €300', { exact: true }).first().waitFor()
  const price = terms.locator('.price data').first()
  const [coins, money] = await Promise.all(
    ['[aria-hidden]', 'small'].map((part) => price.locator(part).boundingBox()),
  )
  expect(money?.x).toBeGreaterThan((coins?.x ?? 0) + (coins?.width ?? 0) + 2)
  expect(await findViolations(visitor)).toEqual([])
})

test('adds no chain without a public node, and says what helps', async () => {
  const tokenId = await listToken('1000', await snapshot())
  // A chain elsewhere: this server has no node of it for wallets.
  await describeChainAs({ chainId: 8453, chainName: null, rpcUrl: null })
  wallet.chainId = 1
  const dialog = await openPurchase(tokenId)
  await dialog.getByRole('button', { name: 'Switch to chain 8453' }).click()
  await dialog.getByText('The wallet does not know chain 8453').waitFor()
  await dialog.getByText('Add that chain in the wallet').waitFor()
  await takeScreenshot(visitor, 'unknown-chain')
  expect(wallet.added).toEqual([])
  wallet.chainId = 10
  await visitor.page.evaluate(() =>
    dispatchEvent(new CustomEvent('wallet-chain', { detail: '0xa' })),
  )
  await dialog.getByText('It is on chain 10').waitFor()
  expect(await dialog.getByText('The wallet does not know chain').count()).toBe(0)
})

test('keeps the chain of a wallet that was locked and unlocked', async () => {
  const dialog = await openPurchase(await listToken('1000', await snapshot()))
  const show = (accounts: readonly string[]) =>
    visitor.page.evaluate(
      (detail) => dispatchEvent(new CustomEvent('wallet-accounts', { detail })),
      accounts,
    )
  await show([])
  await dialog.getByText('Choose a wallet.').waitFor()
  await show([wallet.account.address])
  await confirmAndClose(visitor.page)
})

test('shows that nothing was paid after a refusal in the wallet, and allows a retry', async () => {
  const dialog = await openPurchase(await listToken('1000', await snapshot()))
  wallet.before = (method) => {
    if (method === 'eth_sendTransaction') throw new WalletRefusal(4001, 'User rejected.')
  }
  await dialog.getByRole('button', { name: 'Confirm and pay' }).click()
  await dialog.getByText('You declined in the wallet.').waitFor()
  wallet.before = () => undefined
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await confirmAndClose(visitor.page)
})

test('forgets that opening was declined when its visitor turns to something else', async () => {
  const dialog = await openPurchase(await listToken('1000', await snapshot()))
  wallet.before = (method) => {
    if (method === 'personal_sign') throw new WalletRefusal(4001, 'User rejected.')
  }
  await dialog.getByRole('button', { name: 'Confirm and pay' }).click()
  await dialog.getByRole('button', { name: 'Open it now' }).click()
  const contents = visitor.page.getByRole('region', { name: 'Contents' })
  const declined = contents.getByText('You declined in the wallet.')
  await declined.waitFor()
  await visitor.page.getByText('List this memory').click()
  await visitor.page
    .getByRole('region', { name: 'Your memory' })
    .getByLabel(/^Price/)
    .fill('1')
  await visitor.page.getByRole('button', { name: 'List', exact: true }).click()
  await declined.waitFor({ state: 'detached' })
})

test('shows the missing amount before the wallet is used', async () => {
  await closeContext(visitor.context)
  visitor = await openVisitor(injectedWallet(emptyKey, embeddedNode(server.url)))
  const dialog = await openPurchase(await listToken(String(5n * milliether), await snapshot()))
  await dialog.getByText('This wallet holds 0 ETH, and 0.005 ETH is needed.').waitFor()
  await dialog.getByText('Add ETH to the wallet').waitFor()
})

/** Lets the page know nothing of what happens on the chain. */
const withoutEvents = () => visitor.page.route('**/api/events*', (route) => route.abort())

test('follows the terms while the dialog is open, and says that they changed', async () => {
  const tokenId = await listToken(String(milliether), await snapshot())
  const dialog = await openPurchase(tokenId)
  await dialog.getByRole('button', { name: 'Confirm and pay' }).waitFor()
  await listToken(String(2n * milliether), tokenId)
  await dialog.getByText(/The terms have changed\. Before, it was 0\.001 ETH/).waitFor()
  await dialog.getByRole('row', { name: /^Price 0\.002/ }).waitFor()
  await dialog.getByRole('button', { name: 'Confirm and pay' }).waitFor()
  await listToken('0', tokenId)
  await dialog.getByText(`No. ${tokenId} is no longer listed for sale.`).waitFor()
  expect(await dialog.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  await dialog.getByRole('link', { name: 'Look at other offers' }).click()
  await visitor.page.getByRole('heading', { level: 1 }).first().waitFor()
  expect(new URL(visitor.page.url()).pathname).toBe('/')
})

test('has the focus in the dialog at every step', async () => {
  const dialog = await openPurchase(await listToken(String(milliether), await snapshot()))
  const focused = () =>
    visitor.page.evaluate(
      'document.activeElement.closest("dialog[open]") && document.activeElement.textContent.trim()',
    )
  await dialog.getByRole('button', { name: 'Confirm and pay' }).waitFor()
  expect(await focused()).toMatch(/^Buy No\. \d+$/)
  await dialog.getByRole('button', { name: 'Confirm and pay' }).click()
  await dialog.getByRole('button', { name: 'Open it now' }).waitFor()
  await expect.poll(focused).toBe('Done')
})

test('does not pay for a listing that was taken down', async () => {
  await withoutEvents()
  const tokenId = await listToken(String(milliether), await snapshot())
  const dialog = await openPurchase(tokenId)
  await dialog.getByText('Total').waitFor()
  await dialog.getByRole('button', { name: 'Confirm and pay' }).isEnabled()
  await listToken('0', tokenId)
  await dialog.getByRole('button', { name: 'Confirm and pay' }).click()
  await dialog.getByText(`No. ${tokenId} is no longer listed for sale.`).waitFor()
  await dialog.getByText('Nothing was paid.').waitFor()
})

test('shows a price that changed, and does not pay it', async () => {
  await withoutEvents()
  const tokenId = await listToken(String(milliether), await snapshot())
  const dialog = await openPurchase(tokenId)
  const confirm = dialog.getByRole('button', { name: 'Confirm and pay' })
  await confirm.waitFor()
  await listToken(String(2n * milliether), tokenId)
  await confirm.click()
  await dialog.getByText(/it is 0\.002 ETH, and you agreed to 0\.001 ETH/).waitFor()
  await visitor.page.getByRole('complementary').getByText('0.002 ETH').first().waitFor()
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await dialog.getByRole('row', { name: /^Price 0\.002/ }).waitFor()
  await confirmAndClose(visitor.page)
  await visitor.page.getByText('It is not for sale, for rent or for fork now.').waitFor()
})

test('says why a purchase failed whose terms changed while the wallet asked', async () => {
  const tokenId = await listToken(String(milliether), await snapshot())
  const dialog = await openPurchase(tokenId)
  const list = (price: bigint) => async (method: string) => {
    if (method === 'eth_sendTransaction') await listToken(String(price), tokenId)
  }
  wallet.before = list(2n * milliether)
  await dialog.getByRole('button', { name: 'Confirm and pay' }).click()
  await dialog.getByText(/it is 0\.002 ETH, and you agreed to 0\.001 ETH/).waitFor()
  await dialog.getByText(/The price was not paid; the network fee was/).waitFor()
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await dialog.getByText(/The terms have changed\. Before, it was 0\.001 ETH/).waitFor()
  wallet.before = list(0n)
  await dialog.getByRole('button', { name: 'Confirm and pay' }).click()
  await dialog.getByText(`No. ${tokenId} is no longer listed for sale.`).waitFor()
  await dialog.getByRole('link', { name: 'Look at other offers' }).waitFor()
})

test('offers another wallet nothing that it owns, in a dialog that is open', async () => {
  const tokenId = await listToken(String(milliether), await snapshot())
  const dialog = await openPurchase(tokenId)
  await confirmAndClose(visitor.page)
  const { page } = visitor
  await page.getByText('List this memory').click()
  await page
    .getByRole('region', { name: 'Your memory' })
    .getByLabel(/^Price/)
    .fill('0.5')
  await page.getByRole('button', { name: 'List', exact: true }).click()
  await confirmAndClose(page)
  await page.getByRole('button', { name: 'Wallet Elsewhere' }).click()
  await dialog.getByRole('button', { name: 'Disconnect' }).click()
  await escapeDialog(page)
  for (const [act, reason] of [['Buy', 'Buying it would change nothing']] as const) {
    await page.getByRole('button', { name: act, exact: true }).click()
    await dialog.getByRole('button', { name: 'Elsewhere', exact: true }).click()
    await dialog.getByText('This token is already yours.').waitFor()
    await dialog.getByText(reason).waitFor()
    expect(await dialog.getByRole('button', { name: /^Confirm/ }).count()).toBe(0)
    expect(await findViolations(visitor)).toEqual([])
    await takeScreenshot(visitor, 'own-buy')
  }
})

test('starts again with another wallet after a refusal', async () => {
  const dialog = await openPurchase(await listToken(String(10n ** 23n), await snapshot()))
  await dialog.getByText(/is needed\./).waitFor()
  await visitor.page.evaluate(
    (detail) => dispatchEvent(new CustomEvent('wallet-accounts', { detail })),
    [dan],
  )
  await dialog.getByText(/This wallet holds .*10,000 ETH|This wallet holds .*9,999/).waitFor()
})

test('finishes a purchase when the server dies after sending', async () => {
  const dialog = await openPurchase(await listToken(String(milliether), await snapshot()))
  wallet.afterSend = () => server.stop()
  await dialog.getByRole('button', { name: 'Confirm and pay' }).click()
  await dialog.getByText('What you sent is not lost').waitFor()
  wallet.afterSend = () => undefined
  await server.start()
  await dialog.getByText('is yours.').waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await visitor.page.getByText('It is not for sale, for rent or for fork now.').waitFor()
})

test('finishes a purchase after the page was reloaded', async () => {
  const dialog = await openPurchase(await listToken(String(milliether), await snapshot()))
  wallet.afterSend = () => server.stop()
  await dialog.getByRole('button', { name: 'Confirm and pay' }).click()
  await dialog.getByText('What you sent is not lost').waitFor()
  wallet.afterSend = () => undefined
  // Else the page may finish between the start and the reload.
  const toServer = /\/(rpc|api)\b/
  await visitor.page.route(toServer, (route) => route.abort('connectionrefused'))
  await server.start()
  await visitor.page.reload({ waitUntil: 'commit' })
  await visitor.page.unroute(toServer)
  await visitor.page.getByRole('dialog').getByText('is yours.').waitFor()
})

/** Lets the page see no receipt of a transaction until the returned function is called. */
async function holdReceipts(): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await visitor.page.route('**/rpc', async (route) => {
    if (route.request().postData()?.includes('eth_getTransactionReceipt')) await promise
    return route.continue()
  })
  return resolve
}

/** Returns the notice of a transaction whose dialog was closed. */
const pendingNotice = () => visitor.page.getByRole('complementary', { name: 'Pending transaction' })

test('keeps a pending transaction when another act is refused', async () => {
  const dear = await listToken(String(10n ** 23n), await snapshot())
  const dialog = await openPurchase(await listToken(String(milliether), await snapshot()))
  const { page } = visitor
  const mine = await holdReceipts()
  const gate = Promise.withResolvers<void>()
  wallet.afterSend = () => gate.promise
  await dialog.getByRole('button', { name: 'Confirm and pay' }).click()
  await dialog.getByText('Confirm the transaction in your wallet.').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
  gate.resolve()
  const pending = pendingNotice()
  await pending.waitFor()
  await page.evaluate((path) => history.pushState(undefined, '', path), `/token/${dear}`)
  await page.evaluate(() => dispatchEvent(new PopStateEvent('popstate')))
  await page.getByRole('button', { name: 'Buy', exact: true }).click()
  await dialog.getByText(/is needed\./).waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await pending.getByRole('button', { name: 'Check status' }).click()
  mine()
  await dialog.getByText('is yours.').waitFor()
})

test('follows a transaction whose dialog was closed, says its result, and covers no focus', async () => {
  const tokenId = await listToken(String(milliether), await snapshot())
  await visitor.page.clock.install()
  const dialog = await openPurchase(tokenId)
  const { page } = visitor
  const mine = await holdReceipts()
  await dialog.getByRole('button', { name: 'Confirm and pay' }).click()
  await dialog.getByText('Waiting for confirmation…').waitFor()
  await escapeDialog(page)
  const pending = pendingNotice()
  await pending.getByText('A transaction is pending.').waitFor()
  const box = await pending.boundingBox()
  const links = page.getByRole('contentinfo').getByRole('link')
  await links.last().focus()
  const focused = await links.last().boundingBox()
  expect((focused?.y ?? 0) + (focused?.height ?? 0)).toBeLessThanOrEqual(box?.y ?? 0)
  mine()
  const result = `No. ${tokenId} is yours.`
  await pending.getByText(result).waitFor()
  await page.getByRole('status').getByText(result).waitFor({ state: 'attached' })
  expect(await findViolations(visitor, ['light'])).toEqual([])
  await takeScreenshot(visitor, 'closed-result')
  await page.clock.fastForward(10_000)
  await pending.waitFor({ state: 'detached' })
})

test('Back closes a dialog, and what was sent is followed', async () => {
  const { page } = visitor
  const tokenId = await listToken(String(milliether), await snapshot())
  await page.goto(server.url())
  await connectInjected(page, 'Elsewhere')
  await page.getByRole('link', { name: 'Activity' }).click()
  await page.locator(`a[href="/token/${tokenId}"]`).first().click()
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Buy', exact: true }).click()
  await dialog.getByRole('button', { name: 'Confirm and pay' }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor()
  await dialog.waitFor({ state: 'detached' })
  await page.goForward()
  await page.getByRole('button', { name: 'Buy', exact: true }).click()
  const mine = await holdReceipts()
  await dialog.getByRole('button', { name: 'Confirm and pay' }).click()
  await dialog.getByText('Waiting for confirmation…').waitFor()
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor()
  mine()
  await pendingNotice().getByText(`No. ${tokenId} is yours.`).waitFor()
})

test('says in the dialog that the connection is lost, and goes on when it is back', async () => {
  const { page, context } = visitor
  const tokenId = await listToken(String(milliether), await snapshot())
  await page.goto(`${server.url()}/token/${tokenId}`)
  const buy = page.getByRole('button', { name: 'Buy', exact: true })
  await buy.waitFor()
  await context.setOffline(true)
  await buy.click()
  const dialog = page.getByRole('dialog', { name: `Buy No. ${tokenId}` })
  await dialog.getByText('A part of this page could not be loaded.').waitFor()
  await takeScreenshot(visitor, 'offline-buy')
  await context.setOffline(false)
  await dialog.getByRole('button', { name: 'Elsewhere', exact: true }).waitFor()
})

test('the dialog of the wallets goes on when the connection is back', async () => {
  const { page, context } = visitor
  // Its event stream is first opened while the connection is lost.
  await page.route('**/api/events*', (route) => route.abort())
  await page.goto(server.url())
  await page.getByRole('button', { name: 'Connect wallet' }).waitFor()
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Connect wallet' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('A part of this page could not be loaded.').waitFor()
  await context.setOffline(false)
  await dialog.getByRole('button', { name: 'Elsewhere', exact: true }).waitFor()
})

test.each([320, 375])(
  'the costs of an act fit in the dialog of a phone of %i px',
  async (width) => {
    const dialog = await openPurchase(await listToken('123456789012345678', await snapshot()))
    await visitor.page.setViewportSize({ width, height: 700 })
    await dialog.getByRole('button', { name: 'Confirm and pay' }).waitFor()
    await takeScreenshot(visitor, `costs-${width}`)
    const overflow = await dialog.evaluate((it) => it.scrollWidth - it.clientWidth)
    expect(overflow).toBeLessThan(1)
    const name = dialog.getByRole('rowheader', { name: 'Network fee, estimated' })
    const lines = await name.evaluate((it) => {
      const range = document.createRange()
      range.selectNodeContents(it)
      return new Set([...range.getClientRects()].map(({ top }) => top)).size
    })
    expect(lines).toBeLessThanOrEqual(2)
  },
)

test('waits for a server that is down', async () => {
  const dialog = await openPurchase(await listToken(String(milliether), await snapshot()))
  const confirm = dialog.getByRole('button', { name: 'Confirm and pay' })
  await confirm.waitFor()
  await server.stop()
  await confirm.click()
  await dialog.getByText('The server does not answer.').waitFor()
  await server.start()
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await confirmAndClose(visitor.page)
})

test('a view that could not be loaded is shown when the server is back', async () => {
  const { page } = visitor
  await page.goto(server.url())
  await page.getByText(/ offers$|are on offer/).waitFor()
  await server.stop()
  await page.getByRole('link', { name: 'Create', exact: true }).click()
  await page.getByText('A part of this page could not be loaded.').waitFor()
  await server.start()
  await page.getByLabel(/Drop a file here/).waitFor()
  expect(await page.getByText('A part of this page could not be loaded.').count()).toBe(0)
})

test.each([
  ['does not arrive', false],
  ['arrives without a response', true],
])('pays once when a transaction of the development wallet %s', async (_, arrives) => {
  const { page } = visitor
  const tokenId = await listToken(String(milliether), await snapshot())
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
  await confirmAndClose(page)
  expect(faults).toBe(1)
  const spent = before - (await balance())
  expect(spent).toBeGreaterThan(milliether)
  expect(spent).toBeLessThan(2n * milliether)
})
