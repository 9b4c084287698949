import { createClient } from '@heirloom/http/client'
import { openWallet, type Provider } from '@heirloom/http/wallet'
import type { Browser, Page } from 'playwright-core'
import { createPublicClient, type Hex, http, type TypedDataDefinition, toHex } from 'viem'
import { toCoinbaseSmartAccount, toWebAuthnAccount } from 'viem/account-abstraction'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { publicAccount } from '../harness/copier.ts'
import { sharedServer } from '../harness/process/shared-server.ts'
import { deployPasskeyFactory } from '../harness/smart-wallets/passkey.ts'
import { walletChainAt } from '../harness/smart-wallets/wallet-chain.ts'
import { leave, startChromium } from './chromium.ts'

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

/** Opens a page with an authenticator that confirms all that it is asked for. */
async function openPage(): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('WebAuthn.enable')
  await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
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
