import type { Provider } from '@heirloom/adapters/internal/wallet'
import { memoryStore } from '@heirloom/adapters/internal/wallet'
import { createWalletClient, type Hex, http, numberToHex, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { ada, ben, mintFor, openWalletHarness } from '../../test/wallet-harness.ts'

const noPrices = { price: 0n, rentalPricePerDay: 0n, forkPrice: 0n }
const free = { ...noPrices, forkRoyaltyBps: 0 }

type Method = (params: readonly unknown[], forward: () => Promise<unknown>) => Promise<unknown>

/** Returns a wallet of a browser (EIP-1193) for Ben, with changed methods. */
function browserWallet(url: string, changed: Readonly<Record<string, Method>> = {}): Provider {
  const node = http(`${url}/rpc`)({})
  const signer = createWalletClient({ account: ben, transport: http(`${url}/rpc`) })
  const own: Readonly<Record<string, Method>> = {
    eth_requestAccounts: async () => [ben.address.toLowerCase()],
    eth_signTypedData_v4: async ([address, data]) => {
      expect(address).toBe(ben.address)
      const { EIP712Domain: _, ...types } = JSON.parse(`${data}`).types
      return ben.signTypedData({ ...JSON.parse(`${data}`), types })
    },
    personal_sign: ([raw]) => ben.signMessage({ message: { raw: raw as Hex } }),
    eth_sendTransaction: async ([transaction]) => {
      const { to, data, value, gas } = transaction as Readonly<Record<'to' | 'data', Hex>> &
        Readonly<Record<'value' | 'gas', Hex>>
      const amounts = { value: BigInt(value), gas: BigInt(gas) }
      return signer.sendTransaction({ chain: null, to, data, ...amounts })
    },
  }
  return {
    request: ({ method, params = [] }) => {
      const list = params as readonly unknown[]
      const forward = () =>
        own[method]?.(list, forward) ?? node.request({ method, params } as never)
      return changed[method]?.(list, forward) ?? forward()
    },
  }
}

/** Opens a token of Ada that is for sale, and the number of Ben's transactions. */
async function openSale() {
  const harness = await openWalletHarness()
  const tokenId = await mintFor(harness, ada)
  await (await harness.walletOf(ada)).list({ ...free, tokenId, price: 1000n })
  const nonceOf = () => harness.node.getTransactionCount({ address: ben.address })
  return { ...harness, tokenId, nonceOf }
}

test('a wallet of a browser buys, lists and transfers', async () => {
  const { url, walletOf, tokenId, ownerOf } = await openSale()
  const wallet = await walletOf(browserWallet(url))
  expect(wallet.address).toBe(ben.address)
  await wallet.buy(tokenId, { maxPrice: 1000n })
  await wallet.list({ ...free, tokenId, price: 5n })
  expect(await wallet.listing(tokenId)).toMatchObject({ seller: ben.address, price: '5' })
  await wallet.transfer(tokenId, { to: ada.address })
  expect(await ownerOf(tokenId)).toBe(ada.address)
})

test('a wallet reads the name and the image of a token and of the collection', async () => {
  const { node, client, tokenId } = await openSale()
  const { registry } = await client.deployment()
  const abi = parseAbi([
    'function tokenURI(uint256) view returns (string)',
    'function contractURI() view returns (string)',
  ])
  const address = registry as Hex
  const token = await node.readContract({
    address,
    abi,
    functionName: 'tokenURI',
    args: [BigInt(tokenId)],
  })
  const collection = await node.readContract({ address, abi, functionName: 'contractURI' })
  const [ofToken, ofCollection] = [token, collection].map((uri) =>
    JSON.parse(atob(uri.replace('data:application/json;base64,', ''))),
  )
  expect(ofToken).toMatchObject({
    name: `Heirloom Memory #${tokenId}`,
    image: expect.stringMatching(/^data:image\/svg\+xml;base64,/),
  })
  expect(ofCollection).toMatchObject({ description: expect.any(String) })
})

test('a wallet that switches to another chain sends nothing', async () => {
  const { url, walletOf, tokenId, nonceOf } = await openSale()
  let chainId = 31337
  const provider = browserWallet(url, { eth_chainId: async () => numberToHex(chainId) })
  const wallet = await walletOf(provider)
  chainId = 1
  const wrong = { code: 'client/wrong-chain', facts: { chainId: 1, expected: 31337 } }
  await expect(wallet.buy(tokenId)).rejects.toMatchObject(wrong)
  await expect(walletOf(provider)).rejects.toMatchObject(wrong)
  expect(await nonceOf()).toBe(0)
})

test('a user who declines pays nothing, and may try again with the same key', async () => {
  const { url, walletOf, tokenId, nonceOf } = await openSale()
  let answers = 0
  const provider = browserWallet(url, {
    eth_sendTransaction: async (_, forward) => {
      answers += 1
      if (answers === 1) throw Object.assign(new Error('User rejected.'), { code: 4001 })
      return forward()
    },
  })
  const wallet = await walletOf(provider)
  const options = { idempotencyKey: 'one' }
  await expect(wallet.buy(tokenId, {}, options)).rejects.toMatchObject({ code: 'client/declined' })
  expect(await nonceOf()).toBe(0)
  await wallet.buy(tokenId, {}, options)
  expect(await nonceOf()).toBe(1)
})

/** The answers of wallets that may have sent: a lost connection, an internal error, a request that expired. */
const lostAnswers = [{}, { code: 4900 }, { code: -32603 }, { code: 8000 }]

test('an answer of the wallet that was lost is never followed by a second payment', async () => {
  const { url, walletOf, tokenId, nonceOf } = await openSale()
  await (await walletOf(ada)).list({ ...free, tokenId, rentalPricePerDay: 5n })
  const store = memoryStore()
  for (const [index, answer] of lostAnswers.entries()) {
    const provider = browserWallet(url, {
      eth_sendTransaction: async (_, forward) => {
        await forward()
        throw Object.assign(new Error('The connection was lost.'), answer)
      },
    })
    const options = { idempotencyKey: `${index}` }
    for (const _ of ['before', 'after the page was loaded again']) {
      const wallet = await walletOf(provider, { store: () => store })
      const rented = wallet.rent(tokenId, { durationDays: 1 }, options)
      await expect(rented).rejects.toMatchObject({ code: 'transaction/unknown' })
    }
    expect(await nonceOf()).toBe(index + 1)
  }
})

test('an order in dollars whose answer of the wallet was lost is paid once, without a key', async () => {
  const { url, client, walletOf, tokenId } = await openSale()
  await client.faucet(ben.address)
  const dollars = { ...noPrices, rentalPricePerDay: 5_000_000n }
  await (await walletOf(ada)).list({ ...free, tokenId, dollars })
  const provider = browserWallet(url, {
    eth_sendTransaction: async (_, forward) => {
      await forward()
      throw new Error('The connection was lost.')
    },
  })
  const wallet = await walletOf(provider)
  const rented = () => wallet.rent(tokenId, { durationDays: 1 })
  await expect(rented()).rejects.toMatchObject({ code: 'transaction/unknown' })
  expect((await rented()).txHash).toMatch(/^0x/)
  expect((await wallet.balance()).dollars).toMatchObject({
    balance: '95000000',
    spentToday: '5000000',
  })
})

test('without permission there is no wallet', async () => {
  const { url, walletOf } = await openWalletHarness()
  const provider = browserWallet(url, {
    eth_requestAccounts: async () => {
      throw Object.assign(new Error('User rejected.'), { code: 4001 })
    },
  })
  await expect(walletOf(provider)).rejects.toMatchObject({ code: 'client/declined' })
})

test('a wallet of a browser signs calls and payments that the server relays', async () => {
  const { url, client, walletOf, tokenId, ownerOf, nonceOf } = await openSale()
  let signatures = 0
  const provider = browserWallet(url, {
    eth_sendTransaction: async () => {
      throw new Error('The wallet was asked for a transaction.')
    },
    eth_signTypedData_v4: async (_, forward) => {
      signatures += 1
      if (signatures === 1) throw Object.assign(new Error('User rejected.'), { code: 4001 })
      return forward()
    },
  })
  await client.faucet(ben.address)
  const dollars = { ...noPrices, price: 5_000_000n }
  await (await walletOf(ada)).list({ ...free, tokenId, dollars })
  const wallet = await walletOf(provider, { relay: true })
  await expect(wallet.buy(tokenId)).rejects.toMatchObject({ code: 'client/declined' })
  expect((await wallet.balance()).dollars).toMatchObject({ spentToday: '0' })
  await wallet.buy(tokenId, { maxDollars: 5_000_000n })
  await wallet.list({ ...free, tokenId, price: 5n })
  expect(await ownerOf(tokenId)).toBe(ben.address)
  expect((await wallet.balance()).dollars).toMatchObject({ balance: '95000000' })
  expect([await nonceOf(), signatures]).toEqual([0, 3])
})
