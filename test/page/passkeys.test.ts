import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@heirloom/http/client'
import { openWallet, type Provider, type Wallet } from '@heirloom/http/wallet'
import type { Browser, Locator, Page } from 'playwright-core'
import { createPublicClient, type Hex, http, type TypedDataDefinition, toHex } from 'viem'
import { toCoinbaseSmartAccount, toWebAuthnAccount } from 'viem/account-abstraction'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { accountFactory } from '../../packages/adapters/src/ledger/relay/passkey-account.ts'
import { startAnvil, testClient } from '../harness/chain/anvil.ts'
import { publicAccount } from '../harness/copier.ts'
import { startDeploy } from '../harness/process/deployer.ts'
import { sharedServer } from '../harness/process/shared-server.ts'
import { deployPasskeyFactory } from '../harness/smart-wallets/passkey.ts'
import { walletChainAt } from '../harness/smart-wallets/wallet-chain.ts'
import { chooseFile, confirmAndClose, create, escapeDialog, fillTerms, goTo } from './actions.ts'
import { startBuiltServer } from './built-server.ts'
import { leave, startChromium } from './chromium.ts'
import { checkView, takeScreenshot, type Visitor, visit } from './visitor.ts'

const server = sharedServer({ RPC_GAS: '16777216', RPC_GAS_PER_DAY: '1000000000' })

let browser: Browser
beforeAll(async () => {
  ;[browser] = await Promise.all([
    startChromium(),
    deployPasskeyFactory(walletChainAt(server.url, publicAccount(9))),
  ])
})
afterAll(() => leave(browser))

/** A passkey belongs to a name, and never to an address such as 127.0.0.1. */
const [rpId, site] = ['localhost', 'https://localhost/page']

/** A passkey in an authenticator, with its private key. */
type HeldPasskey = {
  readonly credentialId: string
  readonly isResidentCredential: boolean
  readonly privateKey: string
  readonly rpId?: string
  readonly userHandle?: string
  readonly signCount: number
}

/** The authenticator of a device. */
type Device = {
  /** Lets its user confirm from now on, or not. */
  readonly confirms: (isConfirmed: boolean) => Promise<void>
  readonly passkeys: () => Promise<readonly HeldPasskey[]>
  /** Adds a passkey, as a user's other devices have it. */
  readonly add: (passkey: HeldPasskey) => Promise<void>
}

/** Gives a page an authenticator that confirms all that it is asked for. */
async function addAuthenticator(page: Page): Promise<Device> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('WebAuthn.enable')
  const { authenticatorId } = await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    confirms: async (isUserVerified) => {
      await devTools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
    passkeys: async () =>
      (await devTools.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    add: async (credential) => {
      await devTools.send('WebAuthn.addCredential', { authenticatorId, credential })
    },
  }
}

/** Opens a page of a site with an authenticator. */
async function openPage(): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await addAuthenticator(page)
  await page.route('**/page', (route) => route.fulfill({ contentType: 'text/html', body: '<p>' }))
  await page.goto(site)
  return page
}

type Credential = { readonly id: string; readonly publicKey: Hex }

/** Makes a passkey of the page, whose public key is to be had only now. */
async function createPasskey(page: Page): Promise<Credential> {
  const { id, key } = await page.evaluate(async (rpId) => {
    const publicKey = {
      challenge: new Uint8Array(32),
      rp: { id: rpId, name: 'Heirloom' },
      user: { id: new Uint8Array(16), name: 'Ada', displayName: 'Ada' },
      pubKeyCredParams: [{ type: 'public-key', alg: -7 } as const],
    }
    const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
    const response = made.response as AuthenticatorAttestationResponse
    return { id: made.id, key: [...new Uint8Array(response.getPublicKey() ?? [])] }
  }, rpId)
  // Its DER form ends with the two coordinates.
  return { id, publicKey: toHex(Uint8Array.from(key.slice(-64))) }
}

/** Lets a page ask for the signature of a passkey, of whatever site. */
const assertIn = (page: Page, request: { id: string; challenge: number[]; rpId: string }) =>
  page.evaluate(async ({ id, challenge, rpId }) => {
    const bytes = Uint8Array.from(atob(id.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
      character.charCodeAt(0),
    )
    const publicKey = {
      challenge: Uint8Array.from(challenge),
      rpId,
      timeout: 1000,
      allowCredentials: [{ type: 'public-key', id: bytes } as const],
    }
    const found = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential
    const { clientDataJSON, authenticatorData, signature } =
      found.response as AuthenticatorAssertionResponse
    const list = (of: ArrayBuffer) => [...new Uint8Array(of)]
    return [list(clientDataJSON), list(authenticatorData), list(signature)] as const
  }, request)

/** Returns the account of a passkey as a wallet (EIP-1193), which signs by the page. */
async function passkeyWallet(page: Page, credential: Credential) {
  const client = createPublicClient({ chain: foundry, transport: http(`${server.url}/rpc`) })
  const getFn = async (options: unknown) => {
    const { challenge } = (options as { publicKey: { challenge: Uint8Array } }).publicKey
    const request = { id: credential.id, challenge: [...challenge], rpId }
    const [clientDataJSON, authenticatorData, signature] = (await assertIn(page, request)).map(
      (it) => Uint8Array.from(it),
    )
    return {
      id: credential.id,
      response: { clientDataJSON, authenticatorData, signature },
    } as never
  }
  const owners = [toWebAuthnAccount({ credential, getFn, rpId })]
  const account = await toCoinbaseSmartAccount({ client, owners, version: '1' })
  const own: Readonly<Record<string, (params: readonly unknown[]) => Promise<unknown>>> = {
    eth_requestAccounts: async () => [account.address],
    personal_sign: ([raw]) => account.signMessage({ message: { raw: raw as Hex } }),
    eth_signTypedData_v4: ([, typed]) =>
      account.signTypedData(JSON.parse(String(typed)) as TypedDataDefinition),
  }
  const provider: Provider = {
    request: ({ method, params = [] }) =>
      own[method]?.(params as readonly unknown[]) ??
      client.request({ method, params } as unknown as Parameters<typeof client.request>[0]),
  }
  const { address } = account
  const signMessage = (of: { readonly message: string }) => account.signMessage(of)
  return { account: { address, signMessage }, client, provider }
}

test('a passkey of Chromium makes, lists and opens a memory, and the server pays for all', async () => {
  const page = await openPage()
  const { account, client, provider } = await passkeyWallet(page, await createPasskey(page))
  const { registry } = (await (await fetch(`${server.url}/api/deployment`)).json()) as {
    readonly registry: Hex
  }
  const options = { url: server.url, account: provider, relay: true, registry }
  const wallet = await openWallet(options)
  const content = { data: { mood: 'calm' }, metadata: { category: 'research' } }
  const { tokenId } = await wallet.snapshot(content)
  const none = { price: 0n, rentalPricePerDay: 0n, forkPrice: 0n }
  await wallet.list({ tokenId, ...none, price: 5n, forkRoyaltyBps: 0 })
  const opened = await createClient({ url: server.url, account }).download(tokenId)
  expect(opened.data).toEqual(content.data)
  const { address } = account
  expect(await client.getBalance({ address })).toBe(0n)
  expect(await client.getTransactionCount({ address })).toBe(1)
})

test('a page of another site gets no signature, by whichever name and with the id of the passkey', async () => {
  const page = await openPage()
  const { id } = await createPasskey(page)
  const challenge = [...new Uint8Array(32)]
  expect(await assertIn(page, { id, challenge, rpId })).toHaveLength(3)
  await page.goto('https://elsewhere.example/page')
  const refused = (of: string) => assertIn(page, { id, challenge, rpId: of })
  await expect(refused(rpId)).rejects.toThrow('SecurityError')
  await expect(refused('elsewhere.example')).rejects.toThrow('NotAllowedError')
})

/** A visitor of the page with a device. */
type Holder = Visitor & { readonly device: Device; readonly dialog: Locator }

/** Opens the page by its name, with a device and nothing else. */
async function visitPage(url = server.url, expectedErrors = /^$/): Promise<Holder> {
  const visitor = await visit(browser, { url: url.replace('127.0.0.1', rpId), expectedErrors })
  const { page } = visitor
  const device = await addAuthenticator(page)
  await page.goto(url.replace('127.0.0.1', rpId))
  return { ...visitor, device, dialog: page.getByRole('dialog') }
}

const openDialog = ({ page }: Holder): Promise<void> =>
  page.getByRole('button', { name: 'Connect wallet' }).first().click()

const connected = ({ page }: Holder) => page.getByRole('button', { name: 'Wallet Passkey' })

/** Connects the account of a passkey, and returns its address. */
async function continueWith(holder: Holder, way = 'Continue with a passkey'): Promise<Hex> {
  await openDialog(holder)
  await holder.dialog.getByRole('button', { name: way }).click()
  return accountOf(holder)
}

/** Returns the address of the connected passkey, as its dialog has it. */
async function accountOf(holder: Holder): Promise<Hex> {
  await connected(holder).click()
  const address = holder.dialog.getByRole('button', { name: /^address 0x/ })
  const text = /0x\w{40}/.exec((await address.getAttribute('title')) ?? '')?.[0]
  await escapeDialog(holder.page)
  return text as Hex
}

const free = { price: 0n, rentalPricePerDay: 0n, forkPrice: 0n }

/** Lists a memory of somebody else, and returns its token. */
async function listMemory(terms: Partial<Parameters<Wallet['list']>[0]>): Promise<string> {
  const { registry } = (await (await fetch(`${server.url}/api/deployment`)).json()) as {
    readonly registry: Hex
  }
  const wallet = await openWallet({ url: server.url, account: publicAccount(3), registry })
  const content = { data: { quiet: 'hours' }, metadata: { category: 'research' } }
  const { tokenId } = await wallet.snapshot(content)
  await wallet.list({ tokenId, ...free, forkRoyaltyBps: 0, ...terms })
  return tokenId
}

test('with nothing but a passkey a visitor makes a memory, buys one, and is known the next time', async () => {
  const it = await visitPage()
  const { page, dialog } = it
  await openDialog(it)
  await dialog.getByRole('button', { name: 'Continue with a passkey' }).waitFor()
  await checkView(it, 'passkey-choice')
  await escapeDialog(page)
  const address = await continueWith(it)
  const text = '{"learned":["the tide"]}'
  await create(page, { text, category: 'research', card: { title: 'Tides' } })
  await page.getByRole('link', { name: /^View No\. \d+$/ }).click()
  await fillTerms(page, { currency: 'TUSD', price: '3' })
  await dialog.getByRole('row', { name: 'Network fee, estimated Paid by this server' }).waitFor()
  await checkView(it, 'passkey-list')
  await confirmAndClose(page)

  await page.reload()
  await page.getByRole('button', { name: 'Open the memory' }).click()
  await page.getByText('the tide').first().waitFor()
  expect(await accountOf(it)).toBe(address)

  const tokenId = await listMemory({ dollars: { ...free, price: 5_000_000n } })
  await page.goto(`${new URL(page.url()).origin}/token/${tokenId}`)
  await page.getByRole('button', { name: 'Buy', exact: true }).click()
  await dialog.getByRole('button', { name: 'Get test dollars (play money)' }).click()
  await dialog.getByRole('button', { name: 'Sign and pay' }).click()
  await dialog.getByText(`No. ${tokenId} is yours.`).waitFor()
  await takeScreenshot(it, 'passkey-bought')
  const { client } = walletChainAt(server.url, publicAccount(9))
  expect(await client.getBalance({ address })).toBe(0n)
  expect(await client.getTransactionCount({ address })).toBe(1)
  expect(it.browserErrors).toEqual([])
})

test('a passkey that the device has is found again by two signatures, also on another device', async () => {
  const it = await visitPage()
  const { page, dialog } = it
  const address = await continueWith(it)
  await connected(it).click()
  await dialog.getByRole('button', { name: 'Disconnect' }).click()
  await escapeDialog(page)
  // The device is asked for nothing.
  await it.device.confirms(false)
  expect(await continueWith(it)).toBe(address)

  const phone = await visitPage()
  for (const passkey of await it.device.passkeys()) await phone.device.add(passkey)
  expect(await continueWith(phone, 'Use one that I have')).toBe(address)
  expect([...it.browserErrors, ...phone.browserErrors]).toEqual([])
})

test('who declines stays in the dialog, and reads why', async () => {
  const it = await visitPage()
  const { dialog, device, page } = it
  await device.confirms(false)
  await openDialog(it)
  const declined = dialog.getByText('No passkey has confirmed that: you declined')
  for (const name of ['Continue with a passkey', 'Use one that I have']) {
    await dialog.getByRole('button', { name }).click()
    await declined.waitFor()
  }
  await checkView(it, 'passkey-declined')
  expect(await page.evaluate(() => localStorage.getItem('heirloom.passkey'))).toBe(null)

  await device.confirms(true)
  await dialog.getByRole('button', { name: 'Continue with a passkey' }).click()
  const address = await accountOf(it)
  const tokenId = await listMemory({ dollars: { ...free, rentalPricePerDay: 1n } })
  await page.goto(`${new URL(page.url()).origin}/token/${tokenId}`)
  await page.getByRole('button', { name: 'Rent', exact: true }).click()
  await dialog.getByRole('button', { name: 'Get test dollars (play money)' }).click()
  await dialog.getByRole('button', { name: 'Sign and pay' }).waitFor()
  await device.confirms(false)
  await dialog.getByRole('button', { name: 'Sign and pay' }).click()
  await declined.waitFor()
  const { client } = walletChainAt(server.url, publicAccount(9))
  expect(await client.getCode({ address })).toBe(undefined)
  expect(it.browserErrors).toEqual([])
})

test('a passkey that signs once only has no account that is known', async () => {
  const maker = await visitPage()
  await continueWith(maker)
  const it = await visitPage()
  for (const passkey of await maker.device.passkeys()) await it.device.add(passkey)
  // The visitor closes the second prompt.
  await it.page.evaluate(() => {
    const get = navigator.credentials.get.bind(navigator.credentials)
    let prompts = 0
    navigator.credentials.get = async (of) => {
      prompts += 1
      if (prompts > 1) throw new DOMException('', 'NotAllowedError')
      return get(of)
    }
  })
  await openDialog(it)
  await it.dialog.getByRole('button', { name: 'Use one that I have' }).click()
  await it.dialog.getByText('only two signatures show which account it is of').waitFor()
  await takeScreenshot(it, 'passkey-unknown')
})

test('the passkey of another site signs nothing for an account here', async () => {
  const maker = await visitPage()
  await continueWith(maker)
  const known = await maker.page.evaluate(() => localStorage.getItem('heirloom.passkey'))
  const it = await visitPage()
  for (const passkey of await maker.device.passkeys()) {
    await it.device.add({ ...passkey, rpId: 'elsewhere.example' })
  }
  await it.page.evaluate((text) => localStorage.setItem('heirloom.passkey', `${text}`), known)
  await continueWith(it)
  const file = '{"learned":[]}'
  await goTo(it.page, 'Create')
  await chooseFile(it.page, file)
  await it.page.getByLabel('Category').fill('research')
  await it.page.getByRole('button', { name: 'Seal and mint' }).click()
  await it.page.getByText('No passkey has confirmed that').waitFor()
})

test('no passkey pays in native money, or lists for it: its account could not spend that', async () => {
  const tokenId = await listMemory({ price: 5n })
  const it = await visitPage()
  const { page, dialog } = it
  await continueWith(it)
  await page.goto(`${new URL(page.url()).origin}/token/${tokenId}`)
  await page.getByRole('button', { name: 'Buy', exact: true }).click()
  await dialog.getByText('The account of a passkey deals in dollars').waitFor()
  await takeScreenshot(it, 'passkey-native')
  await escapeDialog(page)
  const text = '{"learned":["native"]}'
  await create(page, { text, category: 'research' })
  await page.getByRole('link', { name: /^View No\. \d+$/ }).click()
  await fillTerms(page, { price: '1' })
  await dialog.getByText('The account of a passkey deals in dollars').waitFor()
  expect(it.browserErrors).toEqual([])
})

test('a server that sends something else than a passkey signed is not believed', async () => {
  const tokenId = await listMemory({ dollars: { ...free, price: 1n } })
  const it = await visitPage()
  const { page, dialog } = it
  await continueWith(it)
  const { items } = (await (await fetch(`${server.url}/api/activity?limit=1`)).json()) as {
    readonly items: readonly { readonly txHash: Hex }[]
  }
  const txHash = items[0]?.txHash
  expect(txHash).toMatch(/^0x/)
  await page.route('**/api/relay', (route) =>
    route.fulfill({ status: 201, json: { txHash, act: 'buy' } }),
  )
  await page.goto(`${new URL(page.url()).origin}/token/${tokenId}`)
  await page.getByRole('button', { name: 'Buy', exact: true }).click()
  await dialog.getByRole('button', { name: 'Get test dollars (play money)' }).click()
  await dialog.getByRole('button', { name: 'Sign and pay' }).click()
  await dialog.getByText('does not carry out what you signed').waitFor()
})

test('no passkey is offered at an address without a name, nor where the server relays for nobody', async () => {
  const byAddress = await visit(browser, { url: server.url })
  await byAddress.page.goto(server.url)
  const closed = await visitPage()
  await closed.page.route('**/api/deployment', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ json: { ...(await response.json()), openActs: ['seal'] } })
  })
  await closed.page.reload()
  for (const { page } of [byAddress, closed]) {
    await page.getByRole('button', { name: 'Connect wallet' }).first().click()
    await page.getByText('What is a wallet?').waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.getByRole('button', { name: 'Continue with a passkey' }).count()).toBe(0)
  }
})

test('on a public chain the page reads the node that the server names, and no other', async () => {
  const chainId = 84_532
  const anvil = await startAnvil({ chainId })
  const folder = mkdtempSync(join(tmpdir(), 'passkeys-'))
  const key = generatePrivateKey()
  const { address } = privateKeyToAccount(key)
  await testClient(anvil).setBalance({ address, value: 10n ** 19n })
  const settings = { RPC_URL: anvil.url.href, AGENT_PRIVATE_KEY: key, MASTER_KEYS: '5'.repeat(64) }
  const { pair } = await startDeploy({ ...settings, DATA_DIR: folder }).done
  const [REGISTRY_ADDRESS = '', MARKETPLACE_ADDRESS = ''] = pair
  // The factory has one address and one code on all chains.
  const { client } = walletChainAt(server.url, publicAccount(9))
  for (const contract of Object.values(accountFactory)) {
    const bytecode = (await client.getCode({ address: contract })) ?? '0x'
    await testClient(anvil).setCode({ address: contract, bytecode })
  }
  const contracts = { REGISTRY_ADDRESS, MARKETPLACE_ADDRESS }
  const named = { PUBLIC_RPC_URL: anvil.url.href, CHAIN_NAME: 'Passkey chain' }
  const publicServer = await startBuiltServer({ ...settings, ...contracts, ...named })
  onTestFinished(async () => {
    await publicServer.dispose()
    await anvil.stop()
    rmSync(folder, { recursive: true })
  })
  const it = await visitPage(publicServer.url(), /^$/)
  const { page, browserErrors } = it
  const account = await continueWith(it)
  const tokenId = await create(page, { text: '{"learned":["afar"]}', category: 'research' })
  await page.reload()
  await page.goto(`${new URL(page.url()).origin}/token/${tokenId}`)
  await page.getByRole('button', { name: 'Open the memory' }).click()
  await page.getByText('afar').first().waitFor()
  expect(await accountOf(it)).toBe(account)
  expect(
    await testClient(anvil).request({
      method: 'eth_getBalance',
      params: [account, 'latest'],
    } as never),
  ).toBe('0x0')
  // All that the page asked of others is of the node.
  expect(browserErrors.filter((it) => it !== `request: ${anvil.url.href}`)).toEqual([])
  expect(browserErrors).not.toEqual([])
})
