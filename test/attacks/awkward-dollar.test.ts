import { openWallet } from '@heirloom/http/wallet'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AwkwardServer, startAwkwardServer } from '../harness/payments/awkward-server.ts'

let anvil: AwkwardServer['anvil']
let dollar: AwkwardServer['dollar']
let server: AwkwardServer['server']
let close: (() => Promise<void>) | undefined
beforeAll(async () => {
  ;({ anvil, dollar, server, close } = await startAwkwardServer({
    API_KEYS: 'a-key-of-some-length',
    OPEN_ACTS: 'seal,relay',
  }))
})
afterAll(() => close?.())

/** Opens the wallet of a new account with dollars and no native money. */
async function newWallet() {
  const account = privateKeyToAccount(generatePrivateKey())
  await dollar.send('faucet', [account.address, 10_000_000n])
  return openWallet({ url: server.url, rpcUrl: anvil.url, account, relay: true })
}

const memory = { data: { mood: 'calm' }, metadata: { category: 'research' } }
const noPrices = { price: 0n, rentalPricePerDay: 0n, forkPrice: 0n }
const none = { ...noPrices, forkRoyaltyBps: 0 }

/** Opens a seller, whose token costs 5 dollars, and a buyer. */
async function openSale() {
  const [seller, buyer] = [await newWallet(), await newWallet()]
  const { tokenId } = await seller.snapshot(memory)
  await seller.list({ tokenId, ...none, dollars: { ...noPrices, price: 5_000_000n } })
  return { seller, buyer, tokenId }
}

test('a paused dollar refuses the payment, costs nothing, and touches nothing else', async () => {
  const { seller, buyer, tokenId } = await openSale()
  await dollar.send('pause', [true])
  await expect(buyer.buy(tokenId)).rejects.toMatchObject({ code: 'dollar/refused' })
  expect((await buyer.balance()).dollars).toMatchObject({ spentToday: '0' })
  await seller.list({ tokenId, ...none })
  await dollar.send('pause', [false])
  expect((await buyer.balance()).dollars).toMatchObject({ balance: '10000000' })
})

test('a seller whom the dollar blocks is credited, and withdraws to another account by relay', async () => {
  const { seller, buyer, tokenId } = await openSale()
  await dollar.send('blockAccount', [seller.address, true])
  await buyer.buy(tokenId, { maxDollars: 5_000_000n })
  expect((await seller.balance()).dollars).toMatchObject({ credit: '5000000' })
  const own = seller.withdraw({ currency: 'dollar' })
  await expect(own).rejects.toMatchObject({ code: 'recipient/invalid' })
  const other = await newWallet()
  const quote = await seller.quote('withdraw', { to: other.address, currency: 'dollar' })
  expect(quote).toMatchObject({ price: '0', maxFee: '0', balance: '0' })
  const paid = await seller.withdraw({ to: other.address, currency: 'dollar' })
  expect(paid).toMatchObject({ amount: '0', dollars: { asset: dollar.address, amount: '5000000' } })
  expect((await other.balance()).dollars).toMatchObject({ balance: '15000000', credit: '0' })
  expect((await seller.balance()).dollars).toMatchObject({ credit: '0' })
})
