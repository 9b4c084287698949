import type { Locator } from 'playwright-core'
import { decodeFunctionData, encodeFunctionData, erc20Abi, type Hex, hexToBigInt } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { publicAccount } from '../harness/copier.ts'
import { post, rpc } from '../harness/process/server.ts'
import {
  type AbstractAccount,
  type Bundler,
  deployBundler,
} from '../harness/smart-wallets/erc4337.ts'
import {
  type WalletCall,
  type WalletChain,
  walletChainAt,
} from '../harness/smart-wallets/wallet-chain.ts'
import { connectInjected, escapeDialog } from './actions.ts'
import { closeContext } from './chromium.ts'
import {
  embeddedNode,
  type InjectedWallet,
  injectedWallet,
  WalletRefusal,
} from './injected-wallet.ts'
import { openStage } from './stage.ts'
import { findViolations, takeScreenshot, type Visitor, visit } from './visitor.ts'

const fundedKey = '0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba'

// The contract accounts of a chain, and what they do, take more than strangers may use.
const { browser, server } = openStage('relay-attacks', {
  FAUCET_PER_DAY: '0',
  RPC_GAS: '16777216',
  RPC_GAS_PER_DAY: '1000000000',
})
let wallet: InjectedWallet
let visitor: Visitor
let dollar: Hex

beforeAll(async () => {
  const deployment = (await (await fetch(`${server.url()}/api/deployment`)).json()) as {
    readonly dollar: { readonly address: Hex }
  }
  dollar = deployment.dollar.address
})
beforeEach(() => open(generatePrivateKey()))
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await takeScreenshot(visitor, 'failed-relay')
  await close()
})

/** The errors of the browser when a request is cut off or refused. */
const expectedErrors = /ERR_FAILED|status of 40[0-9] .*\/api\/relay/

/** Opens a visitor whose wallet has test dollars. */
async function open(key: Hex): Promise<void> {
  wallet = injectedWallet(key, embeddedNode(server.url))
  const options = { url: server.url(), wallet, walletName: 'Purse', expectedErrors }
  visitor = await visit(browser(), options)
  await giveDollars(wallet.account.address)
}

async function giveDollars(address: Hex): Promise<void> {
  const body = JSON.stringify({ address })
  expect((await post(server.url(), '/api/faucet', body)).status).toBe(201)
}

async function close(): Promise<void> {
  await closeContext(visitor.context)
  expect(visitor.browserErrors).toEqual([])
}

type Minted = { readonly tokenId: string; readonly txHash: Hex }

async function snapshot(): Promise<Minted> {
  const body = { data: { learned: [1] }, metadata: { category: 'research' } }
  return (await (
    await post(server.url(), '/api/memory/snapshot', JSON.stringify(body))
  ).json()) as Minted
}

const none = { price: '0', rentalPricePerDay: '0', forkPrice: '0' }

/** Lists a token of the server's wallet for sale and for rent, in dollars unless it says wei. */
async function list(tokenId: string, price: string, unit: 'dollars' | 'wei' = 'dollars') {
  const prices = { price, rentalPricePerDay: price, forkPrice: '0' }
  const terms = unit === 'wei' ? prices : { ...none, dollars: prices }
  const body = JSON.stringify({ tokenId, ...terms, forkRoyaltyBps: 0 })
  expect((await post(server.url(), '/api/marketplace/list', body)).status).toBe(201)
}

const oneDollar = '1000000'

/** Opens the dialog of a rental for a day, of a new token at a price. */
async function openRental(price = oneDollar): Promise<Minted & { readonly dialog: Locator }> {
  const minted = await snapshot()
  await list(minted.tokenId, price)
  const { page } = visitor
  await page.goto(`${server.url()}/token/${minted.tokenId}`)
  await connectInjected(page, 'Purse')
  await page.getByLabel('Days').fill('1')
  await page.getByRole('button', { name: 'Rent', exact: true }).click()
  return { ...minted, dialog: page.getByRole('dialog') }
}

/** Returns the dollars that the wallet has paid. */
async function paid(by: Hex = wallet.account.address): Promise<bigint> {
  const args = [by] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args })
  const held = await rpc<Hex>(server.url(), 'eth_call', [{ to: dollar, data }, 'latest'])
  return 100_000_000n - hexToBigInt(held)
}

const sign = (dialog: Locator) => dialog.getByRole('button', { name: 'Sign and pay' }).click()

/** Has the page hear of no change, which it would show at once, and would ask again. */
const withoutEvents = () => visitor.page.route('**/api/events*', (route) => route.abort())

test('a currency that changes under a buyer is refused, and nothing is signed', async () => {
  await withoutEvents()
  const { tokenId, dialog } = await openRental()
  await dialog.getByRole('button', { name: 'Sign and pay' }).waitFor()
  await list(tokenId, oneDollar, 'wei')
  await sign(dialog)
  await dialog.getByText('is now priced in another currency than you agreed to').waitFor()
  await dialog.getByText('Nothing was signed or paid').waitFor()
  expect([wallet.signed.length, await paid()]).toEqual([0, 0n])
  expect(await findViolations(visitor)).toEqual([])
  await takeScreenshot(visitor, 'currency-changed')
  // Trying again shows the price in the new currency, which this wallet does not have.
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await dialog.getByText('This wallet holds 0 ETH').waitFor()
})

test('a price that rises under a buyer is refused, and nothing is signed', async () => {
  await withoutEvents()
  const { tokenId, dialog } = await openRental()
  await dialog.getByRole('button', { name: 'Sign and pay' }).waitFor()
  await list(tokenId, '2000000')
  await sign(dialog)
  await dialog.getByText('it is 2 TUSD, and you agreed to 1 TUSD').waitFor()
  expect([wallet.signed.length, await paid()]).toEqual([0, 0n])
})

test('a server that names another transaction is not believed, and the order is paid once', async () => {
  const { dialog, txHash } = await openRental()
  const { page } = visitor
  await page.route('**/api/relay', (route) =>
    route.fulfill({ status: 201, json: { txHash, act: 'rent' } }),
  )
  await sign(dialog)
  await dialog.getByText('does not carry out what you signed').waitFor()
  expect(await paid()).toBe(0n)
  await takeScreenshot(visitor, 'another-transaction')
  await page.unroute('**/api/relay')
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await sign(dialog)
  await dialog.getByRole('button', { name: 'Open it now' }).waitFor()
  expect([wallet.signed.length, await paid()]).toEqual([1, 1_000_000n])
})

test('an order that was refused is the same order after a reload of the page', async () => {
  const { dialog } = await openRental()
  const { page } = visitor
  await page.route('**/api/relay', (route) =>
    route.fulfill({ status: 409, json: { code: 'x/y', detail: 'No.', retryable: false } }),
  )
  await sign(dialog)
  await dialog.getByText('Reference: x/y').waitFor()
  await page.unroute('**/api/relay')
  await page.reload()
  await page.getByRole('button', { name: 'Wallet Purse' }).waitFor()
  await page.getByLabel('Days').fill('1')
  await page.getByRole('button', { name: 'Rent', exact: true }).click()
  await sign(dialog)
  await dialog.getByRole('button', { name: 'Open it now' }).waitFor()
  const nonces = wallet.signed.map(({ message }) => (message as { nonce: Hex }).nonce)
  expect(new Set(nonces).size).toBe(1)
})

test('an order that was refused is the same order in another tab', async () => {
  const { tokenId, dialog } = await openRental()
  await visitor.page.route('**/api/relay', (route) =>
    route.fulfill({ status: 409, json: { code: 'x/y', detail: 'No.', retryable: false } }),
  )
  await sign(dialog)
  await dialog.getByText('Reference: x/y').waitFor()
  const tab = await visitor.context.newPage()
  await tab.goto(`${server.url()}/token/${tokenId}`)
  await tab.getByRole('button', { name: 'Wallet Purse' }).waitFor()
  await tab.getByLabel('Days').fill('1')
  await tab.getByRole('button', { name: 'Rent', exact: true }).click()
  await sign(tab.getByRole('dialog'))
  await tab.getByRole('button', { name: 'Open it now' }).waitFor()
  const nonces = wallet.signed.map(({ message }) => (message as { nonce: Hex }).nonce)
  expect([nonces.length, new Set(nonces).size, await paid()]).toEqual([2, 1, 1_000_000n])
})

test('an order that was refused is signed at no other price while it is good', async () => {
  const { tokenId, dialog } = await openRental()
  const { page } = visitor
  await page.route('**/api/relay', (route) =>
    route.fulfill({ status: 409, json: { code: 'x/y', detail: 'No.', retryable: false } }),
  )
  await sign(dialog)
  await dialog.getByText('Reference: x/y').waitFor()
  await list(tokenId, '2000000')
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await sign(dialog)
  await dialog.getByText('An earlier payment for the same may still be carried out').waitFor()
  expect([wallet.signed.length, await paid()]).toEqual([1, 0n])
})

test('a server that keeps what it says it refused cannot be paid twice', async () => {
  const { dialog } = await openRental()
  const { page } = visitor
  await page.route('**/api/relay', async (route) => {
    await route.fetch()
    const json = { code: 'relay/failed', detail: 'It failed.', retryable: false }
    await route.fulfill({ status: 409, json })
  })
  await sign(dialog)
  await dialog.getByText('The chain shows that what you signed was used').waitFor()
  await page.unroute('**/api/relay')
  expect(await paid()).toBe(1_000_000n)
})

test('a lost answer is asked for again, and the order is paid once', async () => {
  const { dialog } = await openRental()
  const { page } = visitor
  await page.route(
    '**/api/relay',
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await sign(dialog)
  await dialog.getByRole('button', { name: 'Open it now' }).waitFor()
  expect([wallet.signed.length, await paid()]).toEqual([1, 1_000_000n])
})

test('a reload of the page continues what was signed', async () => {
  const { dialog } = await openRental()
  const { page } = visitor
  await page.route('**/api/relay', (route) => route.abort())
  await sign(dialog)
  await dialog.getByText('The server does not answer.').waitFor()
  await takeScreenshot(visitor, 'relay-unreachable')
  await page.unroute('**/api/relay')
  await page.reload()
  await dialog.getByRole('button', { name: 'Open it now' }).waitFor()
  expect([wallet.signed.length, await paid()]).toEqual([1, 1_000_000n])
})

test('what is signed after its dialog was closed is sent all the same', async () => {
  const { dialog } = await openRental()
  wallet.before = async (method) => {
    if (method !== 'eth_signTypedData_v4') return
    await escapeDialog(visitor.page)
  }
  await sign(dialog)
  await dialog.getByRole('button', { name: 'Open it now' }).waitFor()
  expect([wallet.signed.length, await paid()]).toEqual([1, 1_000_000n])
})

/** Changes what the server says of its deployment. */
async function describeAs(change: (deployment: Record<string, unknown>) => object): Promise<void> {
  await visitor.page.route('**/api/deployment', async (route) => {
    const response = await route.fetch()
    const json = (await response.json()) as Record<string, unknown>
    return route.fulfill({ response, json: { ...json, ...change(json) } })
  })
}

test('a dollar that the server calls by another name is not signed for', async () => {
  await describeAs(({ dollar }) => ({ dollar: { ...(dollar as object), symbol: 'USDC' } }))
  const { dialog } = await openRental()
  await dialog.getByText('The server names another dollar than its contracts have.').waitFor()
  expect(wallet.signed).toEqual([])
})

test('the domain of what is signed comes from the chain, not from the server', async () => {
  await describeAs(({ dollar }) => ({
    dollar: { ...(dollar as object), name: 'Gold', version: '9' },
  }))
  const { dialog } = await openRental()
  await sign(dialog)
  await dialog.getByRole('button', { name: 'Open it now' }).waitFor()
  expect(wallet.signed[0]?.domain).toMatchObject({ name: 'Heirloom Test Dollar', version: '1' })
})

test('without a relay the wallet needs native money, and says so', async () => {
  await describeAs(() => ({ openActs: ['snapshot', 'seal'] }))
  const { dialog } = await openRental()
  await dialog.getByText(/^This wallet holds 0 ETH, and/).waitFor()
  expect(wallet.signed).toEqual([])
})

test('without a relay the wallet signs the payment and sends the order itself', async () => {
  await close()
  await open(fundedKey)
  await describeAs(() => ({ openActs: ['snapshot', 'seal'] }))
  const { dialog } = await openRental()
  await dialog.getByText('Then you confirm the transaction that carries it out.').waitFor()
  await takeScreenshot(visitor, 'own-order')
  await sign(dialog)
  await dialog.getByRole('button', { name: 'Open it now' }).waitFor()
  expect(await dialog.getByText('paid by this server').count()).toBe(0)
  expect([wallet.signed.length, await paid()]).toEqual([1, 1_000_000n])
})

test('an order that the relay finds too small is sent by the wallet, under the same signature', async () => {
  await close()
  await open(fundedKey)
  const before = await paid()
  const { dialog } = await openRental('5000')
  await sign(dialog)
  await dialog.getByText('Try again to send it with your own wallet').waitFor()
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await dialog.getByText('Then you confirm the transaction that carries it out.').waitFor()
  await sign(dialog)
  await dialog.getByRole('button', { name: 'Open it now' }).waitFor()
  expect([wallet.signed.length, (await paid()) - before]).toEqual([1, 5_000n])
})

test('two rentals alike are two orders', async () => {
  const { dialog } = await openRental()
  await sign(dialog)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await visitor.page.getByRole('button', { name: 'Rent more days' }).click()
  await sign(dialog)
  await dialog.getByRole('button', { name: 'Open it now' }).waitFor()
  expect([wallet.signed.length, await paid()]).toEqual([2, 2_000_000n])
})

type Batch = {
  readonly atomicRequired: boolean
  readonly calls: readonly { readonly to: Hex; readonly data: Hex; readonly value: Hex }[]
}

describe('a wallet that makes calls happen together', () => {
  let chain: WalletChain
  let bundler: Bundler
  let purse: AbstractAccount
  let batches: Batch[]
  let accounts = 0n

  beforeAll(async () => {
    chain = walletChainAt(server.url(), publicAccount(9))
    bundler = await deployBundler(chain)
  })
  beforeEach(async () => {
    purse = await bundler.account(publicAccount(1), accounts++)
    batches = []
    await chain.send({ to: purse.address, value: 10n ** 18n })
    await giveDollars(purse.address)
    wallet.own = honest()
    await describeAs(() => ({ openActs: ['snapshot', 'seal'] }))
  })

  const callsOf = ({ calls }: Batch): readonly WalletCall[] =>
    calls.map(({ to, data, value }) => ({ to, data, value: hexToBigInt(value) }))

  /** Carries out calls of a batch in one user operation, and returns the hash of the transaction. */
  const operate = async (...calls: readonly WalletCall[]) =>
    bundler.bundle([await purse.operate(...calls)])

  /** The answers of an ERC-4337 account that offers batches (EIP-5792); the id of a batch is its transaction. */
  const honest = (): InjectedWallet['own'] => ({
    eth_accounts: async () => [purse.address],
    eth_requestAccounts: async () => [purse.address],
    eth_sendTransaction: async () => Promise.reject(new Error('not asked for')),
    wallet_getCapabilities: async () => ({ '0x7a69': { atomic: { status: 'supported' } } }),
    wallet_sendCalls: async ([batch]) => {
      batches.push(batch as unknown as Batch)
      return { id: await operate(...callsOf(batch as unknown as Batch)) }
    },
    wallet_getCallsStatus: async ([id]) => ({ status: 200, receipts: [{ transactionHash: id }] }),
  })

  const withLies = (lies: InjectedWallet['own']) => {
    wallet.own = { ...honest(), ...lies }
  }

  async function confirm(dialog: Locator): Promise<void> {
    await dialog.getByText('in one step: both happen, or neither').waitFor()
    await dialog.getByRole('button', { name: 'Confirm and pay' }).click()
  }

  const isOpened = (dialog: Locator) =>
    dialog.getByRole('button', { name: 'Open it now' }).waitFor()

  /** Tries again with an honest wallet; the price leaves the account once, whatever it did before. */
  async function expectPaidOnce(dialog: Locator): Promise<void> {
    wallet.own = honest()
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await confirm(dialog)
    await isOpened(dialog)
    expect([wallet.signed.length, await paid(purse.address)]).toEqual([0, 1_000_000n])
  }

  test('pays and rents in one confirmation, of exactly the price that is shown', async () => {
    const { dialog } = await openRental()
    await dialog.getByText('pays exactly 1 TUSD').waitFor()
    await takeScreenshot(visitor, 'one-confirmation')
    expect(await findViolations(visitor)).toEqual([])
    await confirm(dialog)
    await isOpened(dialog)
    expect([wallet.signed.length, await paid(purse.address)]).toEqual([0, 1_000_000n])
    expect(batches).toMatchObject([{ version: '2.0.0', chainId: '0x7a69', atomicRequired: true }])
    const [pay, settle, ...others] = batches[0]?.calls ?? []
    const { args } = decodeFunctionData({ abi: erc20Abi, data: pay?.data ?? '0x' })
    expect([pay?.to, pay?.value, args?.[1]]).toEqual([dollar, '0x0', 1_000_000n])
    expect([settle?.value, others]).toEqual(['0x0', []])
  })

  test.each([
    [
      'would first become another kind of account',
      async () => ({ '0x7a69': { atomic: { status: 'ready' } } }),
    ],
    ['offers it on another chain', async () => ({ '0x1': { atomic: { status: 'supported' } } })],
    ['never says what it offers', () => new Promise<never>(() => undefined)],
    ['knows no batches', async () => Promise.reject(new WalletRefusal(4200, 'Unsupported.'))],
  ])('is asked for two steps where it %s', async (_, wallet_getCapabilities) => {
    withLies({ wallet_getCapabilities })
    const { dialog } = await openRental()
    await dialog.getByText('Then you confirm the transaction that carries it out.').waitFor()
    expect(batches).toEqual([])
  })

  test('is not believed when it names the transaction of another act', async () => {
    const { dialog, txHash } = await openRental()
    withLies({
      wallet_sendCalls: async () => ({ id: 'nothing' }),
      wallet_getCallsStatus: async () => ({ status: 200, receipts: [{ transactionHash: txHash }] }),
    })
    await confirm(dialog)
    await dialog.getByText('does not carry out what you confirmed').waitFor()
    expect(await paid(purse.address)).toBe(0n)
    await expectPaidOnce(dialog)
  })

  test('loses nothing when it pays alone, and says that it did a part', async () => {
    const { dialog } = await openRental()
    withLies({
      wallet_sendCalls: async ([batch]) => {
        await operate(...callsOf(batch as unknown as Batch).slice(0, 1))
        return { id: 'partial' }
      },
      wallet_getCallsStatus: async () => ({ status: 600 }),
    })
    await confirm(dialog)
    await dialog.getByText('The wallet did not carry out what you confirmed').waitFor()
    expect(await paid(purse.address)).toBe(1_000_000n)
    await expectPaidOnce(dialog)
  })

  test.each([
    ['never says what became of it', () => new Promise<never>(() => undefined)],
    ['says that it failed', async () => ({ status: 500 })],
    ['says something else', async () => 'done'],
  ])('is not needed to see what the chain shows, when it %s', async (_, wallet_getCallsStatus) => {
    withLies({ wallet_getCallsStatus })
    const { dialog } = await openRental()
    await confirm(dialog)
    await isOpened(dialog)
    expect(await paid(purse.address)).toBe(1_000_000n)
  })

  test('is not asked to pay again when it says that it failed after it paid', async () => {
    const { dialog } = await openRental()
    withLies({
      wallet_sendCalls: async ([batch]) => {
        await operate(...callsOf(batch as unknown as Batch))
        throw new WalletRefusal(4001, 'Declined.')
      },
    })
    await confirm(dialog)
    await dialog.getByText('You declined in the wallet.').waitFor()
    wallet.own = honest()
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await confirm(dialog)
    await dialog.getByText('what you confirmed before was carried out').waitFor()
    expect([batches.length, await paid(purse.address)]).toEqual([0, 1_000_000n])
  })

  test('is asked for no second way of paying what it may still pay', async () => {
    const { dialog } = await openRental()
    withLies({
      wallet_sendCalls: async () => ({ id: 'kept' }),
      wallet_getCallsStatus: async () => ({ status: 400 }),
    })
    await confirm(dialog)
    await dialog.getByText('The wallet did not carry out what you confirmed').waitFor()
    withLies({ wallet_getCapabilities: async () => ({}) })
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await sign(dialog)
    await dialog.getByText('An earlier payment for the same may still be carried out').waitFor()
    expect([wallet.signed.length, await paid(purse.address)]).toEqual([0, 0n])
  })
})
