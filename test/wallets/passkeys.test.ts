import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { concat, createPublicClient, type Hex, http, serializeErc6492Signature, size } from 'viem'
import { toCoinbaseSmartAccount } from 'viem/account-abstraction'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  accountFactory,
  creationIn,
  encodeCreation,
  hasPasskeyAccounts,
} from '../../packages/adapters/src/ledger/relay/passkey-account.ts'
import { publicAccount } from '../harness/copier.ts'
import { hostServer } from '../harness/process/server.ts'
import { sharedServer } from '../harness/process/shared-server.ts'
import type { SignedRequest } from '../harness/relayer.ts'
import {
  authenticator,
  deployPasskeyFactory,
  webAuthnOwner,
} from '../harness/smart-wallets/passkey.ts'
import {
  openSmartWalletHarness,
  type Signing,
  type SmartWalletHarness,
} from '../harness/smart-wallets/smart-wallet-harness.ts'

const server = sharedServer({ RPC_GAS: '16777216', RPC_GAS_PER_DAY: '1000000000' })

let harness: SmartWalletHarness
beforeAll(async () => {
  harness = await openSmartWalletHarness(server.url)
})

const clientOn = (chainId = foundry.id as number, url = server.url) =>
  createPublicClient({ chain: { ...foundry, id: chainId }, transport: http(`${url}/rpc`) })

/** Returns the account of a new passkey, which is not on the chain yet. */
async function passkeyAccount(chainId?: number, url?: string): Promise<Signing> {
  const owners = [webAuthnOwner(authenticator())]
  const client = clientOn(chainId, url)
  const it = await toCoinbaseSmartAccount({ client, owners, version: '1' })
  return {
    address: it.address,
    signMessage: (input) => it.signMessage(input),
    signTypedData: (data) => it.signTypedData(data as never),
  }
}

const codeOf = (address: Hex) => harness.chain.client.getCode({ address })

test('a chain without the factory, or with other code there, has no passkey accounts', async () => {
  const client = clientOn()
  expect(await hasPasskeyAccounts(client)).toBe(false)
  const withCode = (code: Hex) => ({ call: client.call, getCode: async () => code })
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 64 }), async (bytes) => {
      const code: Hex = `0x${Buffer.from(bytes).toString('hex')}`
      expect(await hasPasskeyAccounts(withCode(code))).toBe(false)
    }),
    { numRuns: 20 },
  )
})

/** The requests that would use up the tries of a day, if each counted. */
const many = 200

/** Has a request relayed often, and returns the codes of the answers. */
async function relayOften(request: SignedRequest) {
  const codes = new Set<string | undefined>()
  for (let sent = 0; sent < many; sent++) codes.add((await harness.relayer.relay(request)).code)
  return [...codes]
}

test('requests on a chain without the factory take no tries of a contract wallet', async () => {
  const { relayer } = harness
  const from = privateKeyToAccount(generatePrivateKey()).address
  const data = encodeCreation(`0x${'07'.repeat(64)}`)
  const { address } = accountFactory
  const signature = serializeErc6492Signature({ address, data, signature: '0x07' })
  const request = await relayer.sign(publicAccount(3), relayer.onRegistry('heartbeat'), { from })
  expect(await relayOften({ ...request, signature })).toEqual(['relay/not-allowed'])
})

describe('on a chain with the factory, which proves by its address what it is', () => {
  beforeAll(() => deployPasskeyFactory(harness.chain))

  test('are accounts', async () => {
    const client = clientOn()
    expect(await hasPasskeyAccounts(client)).toBe(true)
    const withoutCurve = { getCode: client.getCode, call: async () => ({ data: undefined }) }
    expect(await hasPasskeyAccounts(withoutCurve)).toBe(false)
  })

  test('one that is not there yet mints through the relay, which deploys it and pays', async () => {
    const { relayer, sealAs, openAs, infoOf, chain } = harness
    const it = await passkeyAccount()
    const sealed = await sealAs(it, 'hers')
    const request = await relayer.sign(it, sealed.transaction, { gas: 130_000n })
    expect(await codeOf(it.address)).toBe(undefined)
    const minted = await relayer.relay(request)
    expect(minted).toMatchObject({ status: 201, act: 'mint' })
    const { tokenId = '' } = minted
    expect(await infoOf(tokenId)).toMatchObject({ creator: it.address })
    expect(await openAs(it, tokenId)).toEqual({ text: 'hers' })
    expect(await chain.client.getBalance({ address: it.address })).toBe(0n)
    expect(await relayer.relay(request)).toMatchObject({ status: 201, txHash: minted.txHash })

    const list = relayer.onMarketplace('list', [BigInt(tokenId), 5n, 3n, 2n, 100n])
    const later = await relayer.sign(it, list, { gas: 100_000n })
    expect(size(later.signature)).toBeLessThan(700)
    expect(await relayer.relay(later)).toMatchObject({ status: 201, act: 'list' })
  })

  test('one that is not there yet buys for dollars', async () => {
    const { walletOf, giveDollars, payAs, ownerOf, openAs } = harness
    const [it, seller] = [await passkeyAccount(), await walletOf(publicAccount(3))]
    const content = { data: { mood: 'calm' }, metadata: { category: 'research' } }
    const { tokenId } = await seller.snapshot(content)
    const none = { price: 0n, rentalPricePerDay: 0n, forkPrice: 0n }
    const inDollars = { ...none, price: 5_000_000n }
    await seller.list({ tokenId, ...none, forkRoyaltyBps: 0, dollars: inDollars })
    const order = { act: 'buy', tokenId, price: 5_000_000n, recipient: it.address } as const
    expect(await payAs(it, order)).toMatchObject({ code: 'relay/failed' })
    expect(await codeOf(it.address)).toBe(undefined)
    await giveDollars(it.address, 5_000_000n)
    expect(await payAs(it, order)).toMatchObject({ status: 201, act: 'buy' })
    expect(await ownerOf(tokenId)).toBe(it.address)
    expect(await openAs(it, tokenId)).toEqual(content.data)
  })

  test('nothing is deployed for a signature of another passkey, chain, nonce or forwarder', async () => {
    const { relayer, openAs, client } = harness
    const [it, other, elsewhere] = [
      await passkeyAccount(),
      await passkeyAccount(),
      await passkeyAccount(8453),
    ]
    const heartbeat = relayer.onRegistry('heartbeat')
    const requests = [
      await relayer.sign({ ...other, address: it.address }, heartbeat),
      await relayer.sign(elsewhere, heartbeat),
      await relayer.sign(it, heartbeat, { nonce: 1n }),
      await relayer.sign(it, heartbeat, { chainId: 8453 }),
      await relayer.sign(it, heartbeat, { forwarder: relayer.deployment.registry }),
    ]
    for (const request of requests) {
      expect(await relayer.relay(request)).toMatchObject({ code: 'relay/not-signed' })
      expect(await codeOf(request.from)).toBe(undefined)
    }
    const { tokenId } = await client.snapshot({
      data: {},
      metadata: { category: 'c' },
      recipient: it.address,
    })
    for (const forger of [{ ...other, address: it.address }, elsewhere]) {
      await expect(openAs(forger, tokenId)).rejects.toMatchObject({ status: 403 })
    }
    expect(await openAs(it, tokenId)).toEqual({})
  })

  test('requests that no passkey signed take no tries of one that did', async () => {
    const { relayer } = harness
    const [it, other] = [await passkeyAccount(), await passkeyAccount()]
    const heartbeat = relayer.onRegistry('heartbeat')
    const ofOther = await relayer.sign(other, heartbeat)
    expect(await relayOften({ ...ofOther, from: it.address })).toEqual(['relay/not-signed'])
    const forNext = await relayer.sign(it, heartbeat, { nonce: 1n })
    expect(await relayOften(forNext)).toEqual(['relay/not-signed'])
    const signed = await relayer.sign(it, heartbeat)
    expect(await relayer.relay(signed)).toMatchObject({ status: 201, act: 'heartbeat' })
  })

  test('nothing is deployed for an act without the gas that it takes', async () => {
    const { relayer } = harness
    const it = await passkeyAccount()
    const { to, data } = relayer.onRegistry('heartbeat')
    const padded = { to, data: concat([data, `0x${'00'.repeat(8_000)}`]) }
    for (const call of [{ to, data }, padded]) {
      for (const gas of [1n, 2_000n]) {
        const request = await relayer.sign(it, call, { gas })
        expect(await relayer.relay(request)).toMatchObject({ code: 'relay/failed' })
        expect(await codeOf(it.address)).toBe(undefined)
      }
    }
    // It takes more than what a contract signed may use on this chain.
    const pairs = Array.from({ length: 3 }, (_, index) => {
      const hash: Hex = `0x${`${index + 1}`.repeat(64)}`
      return { recipient: it.address, contentHash: hash, digest: hash, parent: 0n }
    })
    const batch = await relayer.sign(it, relayer.onRegistry('mintBatch', [pairs]), {
      gas: 500_000n,
    })
    expect(await relayer.relay(batch)).toMatchObject({ code: 'relay/failed' })
    expect(await codeOf(it.address)).toBe(undefined)
  })

  test('nothing is deployed for an order of no token, or at another price than its own', async () => {
    const { walletOf, giveDollars, payAs } = harness
    const [it, seller] = [await passkeyAccount(), await walletOf(publicAccount(3))]
    const { tokenId } = await seller.snapshot({ data: {}, metadata: { category: 'research' } })
    const none = { price: 0n, rentalPricePerDay: 0n, forkPrice: 0n }
    const inDollars = { ...none, price: 5_000_000n }
    await seller.list({ tokenId, ...none, forkRoyaltyBps: 0, dollars: inDollars })
    await giveDollars(it.address, 5_000_000n)
    const order = { act: 'buy', price: 5_000_000n, recipient: it.address } as const
    const missing = await payAs(it, { ...order, tokenId: '999999' })
    expect(missing).toMatchObject({ code: 'token/not-found' })
    const cheap = await payAs(it, { ...order, tokenId, price: 4_000_000n })
    expect(cheap.status).not.toBe(201)
    expect(await codeOf(it.address)).toBe(undefined)
  })

  test('nothing is deployed for an act that fails', async () => {
    const { relayer } = harness
    const it = await passkeyAccount()
    const withdraw = relayer.onMarketplace('withdraw', [it.address])
    const request = await relayer.sign(it, withdraw)
    expect(await relayer.relay(request)).toMatchObject({ code: 'credit/none' })
    const late = await relayer.sign(it, relayer.onRegistry('heartbeat'), { seconds: -60 })
    expect(await relayer.relay(late)).toMatchObject({ code: 'relay/bad-deadline' })
    expect(await codeOf(it.address)).toBe(undefined)
  })
})

test('a signature deploys the account of one passkey by the known factory, or none', () => {
  const bytes = (size: number) =>
    fc
      .uint8Array({ minLength: size, maxLength: size })
      .map((it): Hex => `0x${Buffer.from(it).toString('hex')}`)
  const { address } = accountFactory
  fc.assert(
    fc.property(bytes(64), bytes(20), bytes(99), (publicKey, stranger, signature) => {
      const data = encodeCreation(publicKey)
      const wrap = (flaws: { readonly address?: Hex; readonly data?: Hex }) =>
        creationIn(serializeErc6492Signature({ address, data, signature, ...flaws }))
      expect(wrap({})).toEqual({ publicKey, signature })
      expect(wrap({ address: stranger })).toBe(undefined)
      expect(wrap({ data: encodeCreation(stranger) })).toBe(undefined)
      expect(wrap({ data: `${data}00` })).toBe(undefined)
      expect(creationIn(signature)).toBe(undefined)
    }),
  )
})

test('nothing is deployed where the limits have no room for the act after it', async () => {
  const home = mkdtempSync(join(tmpdir(), 'passkeys-'))
  const limits = { RELAY_SPEND_PER_ACCOUNT: `${52n * 10n ** 13n}`, RPC_GAS: '16777216' }
  const bounded = await hostServer({ DATA_DIR: home, RPC_GAS_PER_DAY: '1000000000', ...limits })
  onTestFinished(async () => {
    await bounded.end()
    rmSync(home, { recursive: true })
  })
  const { chain, relayer } = await openSmartWalletHarness(bounded.url)
  await deployPasskeyFactory(chain)
  const it = await passkeyAccount(undefined, bounded.url)
  const reply = await relayer.relay(await relayer.sign(it, relayer.mint(it.address)))
  expect(reply).toMatchObject({ status: 402, code: 'relay/day-limit' })
  expect(await chain.client.getCode({ address: it.address })).toBe(undefined)
})
