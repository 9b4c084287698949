import fc from 'fast-check'
import { createPublicClient, type Hex, http, serializeErc6492Signature, size } from 'viem'
import { toCoinbaseSmartAccount } from 'viem/account-abstraction'
import { foundry } from 'viem/chains'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  accountFactory,
  creationIn,
  encodeCreation,
  hasPasskeyAccounts,
} from '../../packages/adapters/src/ledger/relay/passkey-account.ts'
import { publicAccount } from '../harness/copier.ts'
import { sharedServer } from '../harness/process/shared-server.ts'
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

const clientOn = (chainId = foundry.id as number) =>
  createPublicClient({ chain: { ...foundry, id: chainId }, transport: http(`${server.url}/rpc`) })

/** Returns the account of a new passkey, which is not on the chain yet. */
async function passkeyAccount(chainId?: number): Promise<Signing> {
  const owners = [webAuthnOwner(authenticator())]
  const it = await toCoinbaseSmartAccount({ client: clientOn(chainId), owners, version: '1' })
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
