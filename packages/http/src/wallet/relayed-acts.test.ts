import { expect, test } from 'vitest'
import { dollarsOf, inDollars, memory, newAccount, openPoor, usd } from '../../test/poor-wallets.ts'
import { ada, readUntil } from '../../test/wallet-harness.ts'
import { createClient } from '../client/client.ts'

test('accounts with dollars alone make, list, rent, fork, buy and open, and the server pays the gas', async () => {
  const { url, client, node, walletOf, agent, balanceOf } = await openPoor()
  const [seller, buyer, renter] = [await walletOf(), await walletOf(), await walletOf()]
  const before = {
    agent: await balanceOf(agent),
    block: await node.getBlockNumber({ cacheTime: 0 }),
  }

  const { tokenId, ...minted } = await seller.snapshot({ ...memory, card: { title: 'Calm' } })
  expect(await client.info(tokenId)).toMatchObject({
    creator: seller.address,
    contentHash: minted.contentHash,
  })
  await seller.list({ tokenId, ...inDollars })
  const rental = await renter.rent(tokenId, { durationDays: 4, maxDollars: usd })
  expect(Number(rental.expiresAt)).toBeGreaterThan(Date.now() / 1000 + 4 * 86_400 - 60)
  const child = await renter.fork(tokenId, { maxDollars: 2n * usd, maxRoyaltyBps: 500 })
  expect(await client.info(child.tokenId)).toMatchObject({
    creator: renter.address,
    parent: tokenId,
  })
  const bought = await buyer.buy(tokenId, { maxDollars: 5n * usd })
  await buyer.royalty(child.tokenId, { dollars: usd / 2n })
  await buyer.transfer(tokenId, { to: renter.address })

  expect(await dollarsOf(seller)).toBe(100n * usd + usd + 2n * usd + 5n * usd)
  expect(await dollarsOf(renter)).toBe(100n * usd - usd - 2n * usd + usd / 2n)
  expect(await dollarsOf(buyer)).toBe(100n * usd - 5n * usd - usd / 2n)
  const opened = await createClient({ url, account: renter.account }).download(tokenId)
  expect(opened.data).toEqual(memory.data)
  const { items } = await readUntil(
    () => client.history(tokenId, { limit: 100 }),
    ({ items: all }) => all.some(({ kind }) => kind === 'dollar-sale'),
  )
  expect(items.find(({ kind }) => kind === 'dollar-sale')).toMatchObject({
    seller: seller.address,
    payer: buyer.address,
    recipient: buyer.address,
    txHash: bought.txHash,
  })

  let gas = 0n
  const head = await node.getBlockNumber({ cacheTime: 0 })
  for (let block = before.block + 1n; block <= head; block += 1n) {
    const { transactions } = await node.getBlock({ blockNumber: block })
    for (const hash of transactions) {
      const { gasUsed, effectiveGasPrice, from } = await node.getTransactionReceipt({ hash })
      expect(from.toLowerCase()).toBe(agent.toLowerCase())
      gas += gasUsed * effectiveGasPrice
    }
  }
  expect(before.agent - (await balanceOf(agent))).toBe(gas)
  for (const { address } of [seller, buyer, renter]) {
    expect([await balanceOf(address), await node.getTransactionCount({ address })]).toEqual([0n, 0])
  }
})

test('an account with native money pays orders in dollars by itself', async () => {
  const { giveDollars, walletOf, ownWalletOf, node } = await openPoor()
  const [seller, own] = [await walletOf(), newAccount()]
  const { tokenId } = await seller.snapshot(memory)
  await seller.list({ tokenId, ...inDollars })
  await giveDollars(ada)
  const wallet = await ownWalletOf(ada)
  const hashes: string[] = []
  const options = { onSent: (hash: string) => hashes.push(hash) }
  const quote = await wallet.quote('rent', tokenId, { durationDays: 2 })
  expect(quote).toMatchObject({ price: '0', dollars: { price: '500000', balance: '100000000' } })
  const rented = await wallet.rent(tokenId, { durationDays: 2, recipient: own.address }, options)
  expect(hashes).toEqual([rented.txHash])
  const { from, gasUsed, effectiveGasPrice } = await node.getTransactionReceipt({
    hash: rented.txHash,
  })
  expect(from.toLowerCase()).toBe(ada.address.toLowerCase())
  expect(gasUsed * effectiveGasPrice).toBeLessThanOrEqual(BigInt(quote.maxFee ?? 0))
  expect(await wallet.balance()).toMatchObject({
    dollars: { balance: `${100n * usd - usd / 2n}`, spentToday: '500000', credit: '0' },
  })
})
