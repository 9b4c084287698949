import type { Wallet } from '@heirloom/http/wallet'
import { parseEventLogs } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { memoryRegistryAbi } from '../../packages/adapters/src/ledger/contracts.generated.ts'
import { publicAccount } from '../harness/copier.ts'
import { sharedServer } from '../harness/process/shared-server.ts'
import { type Bundler, deployBundler } from '../harness/smart-wallets/erc4337.ts'
import { deploySafes, type Safes } from '../harness/smart-wallets/safe.ts'
import type { SmartWallet } from '../harness/smart-wallets/smart-wallet.ts'
import {
  openSmartWalletHarness,
  type SmartWalletHarness,
} from '../harness/smart-wallets/smart-wallet-harness.ts'

// The code that all Safes and accounts of a chain share takes a block each.
const server = sharedServer({ RPC_GAS: '16777216', RPC_GAS_PER_DAY: '1000000000' })

const [ben, cleo, dora] = [publicAccount(1), publicAccount(2), publicAccount(3)]
const memory = { data: { mood: 'calm' }, metadata: { category: 'research' } }
const ether = 10n ** 18n
const terms = {
  price: ether / 10n,
  rentalPricePerDay: 1000n,
  forkPrice: 5000n,
  forkRoyaltyBps: 500,
}
const free = { price: 0n, rentalPricePerDay: 0n, forkPrice: 0n, forkRoyaltyBps: 500 }
const inDollars = { price: 5_000_000n, rentalPricePerDay: 1_000_000n, forkPrice: 2_000_000n }

let harness: SmartWalletHarness
let safes: Safes
let bundler: Bundler
beforeAll(async () => {
  harness = await openSmartWalletHarness(server.url)
  safes = await deploySafes(harness.chain)
  bundler = await deployBundler(harness.chain)
})

let accounts = 0n
/** Returns an account of Ben that nobody has used, and that is not deployed. */
const account = () => bundler.account(ben, accounts++)

const kinds: readonly (readonly [string, () => Promise<SmartWallet>])[] = [
  ['a Safe with one owner', () => safes.create([ben])],
  ['a Safe that needs two of its three owners', () => safes.create([ben, cleo, dora], 2)],
  ['an ERC-4337 account', () => account()],
]

describe.each(kinds)('%s', (_, make) => {
  test('makes, sells, buys, rents, forks and opens for native money', async () => {
    const { fund, smart, walletOf, infoOf, openAs, ownerOf, chain } = harness
    const it = await make()
    await fund(it.address, ether)
    const [wallet, other] = [await smart(it), await walletOf(dora)]

    const { tokenId } = await wallet.snapshot({ ...memory, card: { title: 'Calm' } })
    expect(await infoOf(tokenId)).toMatchObject({ creator: it.address, parent: '0' })
    expect(await openAs(it, tokenId)).toEqual(memory.data)

    await wallet.list({ tokenId, ...terms })
    const before = await chain.client.getBalance({ address: it.address })
    await other.rent(tokenId, { durationDays: 1 })
    const { tokenId: fork } = await other.fork(tokenId)
    await other.buy(tokenId)
    const earned = (await chain.client.getBalance({ address: it.address })) - before
    expect(earned).toBe(terms.price + terms.rentalPricePerDay + terms.forkPrice)

    await other.list({ tokenId, ...terms })
    const { expiresAt } = await wallet.rent(tokenId, { durationDays: 2 })
    expect(Number(expiresAt)).toBeGreaterThan(Date.now() / 1000 + 86_400)
    expect(await openAs(it, tokenId)).toEqual(memory.data)
    const { tokenId: child } = await wallet.fork(tokenId, { maxRoyaltyBps: 500 })
    expect(await infoOf(child)).toMatchObject({ creator: it.address, parent: tokenId })
    expect(await openAs(it, child)).toEqual(memory.data)
    await wallet.buy(tokenId, { maxPrice: terms.price })
    await wallet.royalty(fork, { amount: 7n })
    await wallet.transfer(child, { to: dora.address })
    expect([await ownerOf(tokenId), await ownerOf(child)]).toEqual([it.address, dora.address])
  })

  test('rates what it paid for, and nobody else does in its name', async () => {
    const { client, fund, smart, walletOf, clientOf } = harness
    const it = await make()
    await fund(it.address, ether)
    const seller = await walletOf(dora)
    const { tokenId } = await seller.snapshot(memory)
    await seller.list({ tokenId, ...terms })
    await (await smart(it)).rent(tokenId, { durationDays: 1 })
    const rated = await clientOf(it).rate({ tokenId, score: 4 })
    expect(rated).toMatchObject({ account: it.address, score: 4, act: 'rent' })
    const forger = { ...(await make()), address: it.address }
    await expect(clientOf(forger).rate({ tokenId, score: 1 })).rejects.toMatchObject({
      code: 'proof/not-signed',
    })
    expect((await client.ratings(tokenId)).items).toEqual([rated])
  })

  test('sells and buys for dollars', async () => {
    const { smart, walletOf, openAs, fund, giveDollars, dollarsOf, payAs, ownerOf } = harness
    const it = await make()
    await fund(it.address, ether)
    const [wallet, other] = [await smart(it), await walletOf(dora)]
    for (const { address } of [it, dora]) await giveDollars(address, 100_000_000n)
    const { tokenId } = await wallet.snapshot(memory)
    await wallet.list({ tokenId, ...free, dollars: inDollars })

    const before = await dollarsOf(it.address)
    const buy = { act: 'buy', tokenId, price: inDollars.price } as const
    expect(await payAs(dora, { ...buy, recipient: dora.address })).toMatchObject({ status: 201 })
    expect((await dollarsOf(it.address)) - before).toBe(inDollars.price)

    await other.list({ tokenId, ...free, dollars: inDollars })
    const mine = { tokenId, recipient: it.address }
    const rent = { ...mine, act: 'rent', days: 3, price: 3n * inDollars.rentalPricePerDay } as const
    const rented = await payAs(it, rent)
    expect(rented).toMatchObject({ status: 201, act: 'rent' })
    expect(await openAs(it, tokenId)).toEqual(memory.data)
    const fork = { ...mine, act: 'fork', price: inDollars.forkPrice, maxRoyaltyBps: 500 } as const
    const { status, tokenId: child = '0' } = await payAs(it, fork)
    expect([status, await ownerOf(child)]).toEqual([201, it.address])
    expect(await openAs(it, child)).toEqual(memory.data)
    expect(await payAs(it, { ...buy, recipient: it.address })).toMatchObject({ status: 201 })
    expect(await ownerOf(tokenId)).toBe(it.address)
    const spent = 3n * inDollars.rentalPricePerDay + inDollars.forkPrice
    // The wallet is the creator of the token, but no royalty is due on it.
    expect((await dollarsOf(it.address)) - before).toBe(-spent)
  })

  test('acts through the relay without native money', async () => {
    const { relayer, sealAs, infoOf, openAs, ownerOf, chain } = harness
    const it = await make()
    await it.deploy?.()
    const relay = async (call: { readonly to: `0x${string}`; readonly data: `0x${string}` }) =>
      relayer.relay(await relayer.sign(it, call))
    const sealed = await sealAs(it, 'relayed')
    const minted = await relay(sealed.transaction)
    const { tokenId = '0' } = minted
    expect(minted).toMatchObject({ status: 201, act: 'mint' })
    expect(await infoOf(tokenId)).toMatchObject({ creator: it.address })
    expect(await openAs(it, tokenId)).toEqual({ text: 'relayed' })
    const id = BigInt(tokenId)
    const list = relayer.onMarketplace('list', [id, 5n, 3n, 2n, 100n])
    expect(await relay(list)).toMatchObject({ status: 201, act: 'list' })
    const withdraw = relayer.onMarketplace('withdraw', [it.address])
    expect(await relay(withdraw)).toMatchObject({
      code: 'credit/none',
      facts: { account: it.address },
    })
    const give = relayer.onRegistry('transferFrom', [it.address, dora.address, id])
    expect(await relay(give)).toMatchObject({ status: 201, act: 'transferFrom' })
    expect(await ownerOf(tokenId)).toBe(dora.address)
    expect(await chain.client.getBalance({ address: it.address })).toBe(0n)
  })
})

describe('a Safe that needs two owners', () => {
  test('does nothing with the signature of one, or with those for another Safe', async () => {
    const { sealAs, relayer, payAs, giveDollars, smart, fund, openAs, ownerOf } = harness
    const [it, other] = [await safes.create([ben, cleo]), await safes.create([ben, cleo])]
    await fund(it.address, ether)
    await giveDollars(it.address, 100_000_000n)
    const { tokenId } = await (await smart(it)).snapshot(memory)
    const token = BigInt(await listedByDora())
    const heartbeat = relayer.onRegistry('heartbeat')
    for (const signer of [ben, other]) {
      const forged = { ...signer, address: it.address }
      await expect(openAs(forged, tokenId)).rejects.toMatchObject({ code: 'proof/not-signed' })
      expect(await sealAs(forged, 'forged')).toMatchObject({ code: 'proof/not-signed' })
      const request = await relayer.sign(forged, heartbeat)
      expect(await relayer.relay(request)).toMatchObject({ code: 'relay/not-signed' })
      const order = { act: 'buy', tokenId: `${token}`, price: inDollars.price } as const
      const paid = await payAs(forged, { ...order, recipient: ben.address })
      expect(paid).toMatchObject({ code: 'dollar/refused' })
    }
    expect(await ownerOf(`${token}`)).toBe(dora.address)
  })

  test('buys with exactly the price, since another account pays the gas', async () => {
    const { smart, fund, walletOf, ownerOf, chain } = harness
    const it = await safes.create([ben, cleo])
    const seller = await walletOf(dora)
    const { tokenId } = await seller.snapshot(memory)
    await seller.list({ tokenId, ...terms })
    await fund(it.address, terms.price)
    await (await smart(it)).buy(tokenId)
    expect(await ownerOf(tokenId)).toBe(it.address)
    expect(await chain.client.getBalance({ address: it.address })).toBe(0n)
  })
})

/** Lists a new token of Dora in dollars, and returns its id. */
async function listedByDora(): Promise<string> {
  const seller = await harness.walletOf(dora)
  const { tokenId } = await seller.snapshot(memory)
  await seller.list({ tokenId, ...free, dollars: inDollars })
  return tokenId
}

describe('an ERC-4337 account', () => {
  test('that is not deployed opens, and has memories sealed (ERC-6492)', async () => {
    const { client, chain, openAs, sealAs, fund, infoOf } = harness
    const it = await account()
    const owned = await client.snapshot({ ...memory, recipient: it.address })
    expect(await openAs(it, owned.tokenId)).toEqual(memory.data)
    const forged = { ...it, signMessage: (await account()).signMessage }
    await expect(openAs(forged, owned.tokenId)).rejects.toMatchObject({ code: 'proof/not-signed' })
    const { status, transaction } = await sealAs(it, 'first')
    expect([status, await chain.client.getCode({ address: it.address })]).toEqual([201, undefined])
    await fund(it.address, ether)
    const hash = await it.send(transaction)
    const { logs } = await chain.client.getTransactionReceipt({ hash })
    const [minted] = parseEventLogs({ abi: memoryRegistryAbi, eventName: 'Minted', logs })
    const tokenId = `${minted?.args.tokenId}`
    expect(await infoOf(tokenId)).toMatchObject({ creator: it.address })
    expect(await openAs(it, tokenId)).toEqual({ text: 'first' })
  })

  test('that is not deployed neither relays nor pays dollars: the chain asks no code', async () => {
    const { relayer, payAs, giveDollars, ownerOf } = harness
    const it = await account()
    const request = await relayer.sign(it, relayer.onRegistry('heartbeat'))
    expect(await relayer.relay(request)).toMatchObject({ code: 'relay/not-signed' })
    await giveDollars(it.address, 100_000_000n)
    const tokenId = await listedByDora()
    const order = { act: 'buy', tokenId, price: inDollars.price, recipient: it.address } as const
    expect(await payAs(it, order)).toMatchObject({ code: 'dollar/refused' })
    expect(await ownerOf(tokenId)).toBe(dora.address)
  })

  test('withdraws the credit of a payment that it refused', async () => {
    const { smart, walletOf, fund, chain } = harness
    const it = await account()
    await fund(it.address, ether)
    const wallet = await smart(it)
    const { tokenId } = await wallet.snapshot(memory)
    await wallet.list({ tokenId, ...terms })
    await it.upgrade(await bundler.deployUnpayable())
    await (await walletOf(dora)).buy(tokenId)
    expect((await wallet.balance()).credit).toBe(`${terms.price}`)
    const to = publicAccount(4).address
    const before = await chain.client.getBalance({ address: to })
    expect(await wallet.withdraw({ to })).toMatchObject({ amount: `${terms.price}` })
    expect((await chain.client.getBalance({ address: to })) - before).toBe(terms.price)
    expect((await wallet.balance()).credit).toBe('0')
  })
})

describe('in a bundle with the operations of others', () => {
  test('a snapshot returns the token that its own wallet minted', async () => {
    const { smart, fund, sealAs, infoOf } = harness
    const [it, other] = [await account(), await account()]
    for (const { address } of [it, other]) await fund(address, ether)
    const theirs = await other.operate((await sealAs(other, 'of another')).transaction)
    const bundled: SmartWallet = {
      ...it,
      send: async (call) => bundler.bundle([theirs, await it.operate(call)]),
    }
    const { tokenId } = await (await smart(bundled)).snapshot(memory)
    expect(await infoOf(tokenId)).toMatchObject({ creator: it.address })
  })

  test.each([
    [
      'a listing',
      'listing/not-owner',
      (of: Wallet, id: string) => of.list({ tokenId: id, ...terms }),
    ],
    [
      'a transfer',
      'token/not-owner',
      (of: Wallet, id: string) => of.transfer(id, { to: cleo.address }),
    ],
  ] as const)('%s that failed inside the bundle is no success', async (_, code, act) => {
    const { smart, fund, ownerOf } = harness
    const it = await account()
    await fund(it.address, ether)
    const { tokenId } = await (await smart(it)).snapshot(memory)
    // The token is given away between the simulation and the bundle.
    const late: SmartWallet = {
      ...it,
      send: async (call) => {
        await (await smart(it)).transfer(tokenId, { to: dora.address })
        return it.send(call)
      },
    }
    await expect(act(await smart(late), tokenId)).rejects.toMatchObject({ code })
    expect(await ownerOf(tokenId)).toBe(dora.address)
  })
})
