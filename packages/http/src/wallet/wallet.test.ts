import { expect, test } from 'vitest'
import { ada, ben, cleo, mintFor, openWalletHarness, readUntil } from '../../test/wallet-harness.ts'

const ether = 10n ** 18n
const terms = {
  price: ether,
  rentalPricePerDay: ether / 1000n,
  forkPrice: ether / 10n,
  forkRoyaltyBps: 500,
}

test('each wallet signs, owns and pays for what it does, and the server pays nothing', async () => {
  const harness = await openWalletHarness()
  const { client, walletOf, balanceOf, ownerOf, agent } = harness
  const tokenId = await mintFor(harness, ada)
  const [seller, buyer, renter] = [await walletOf(ada), await walletOf(ben), await walletOf(cleo)]
  const agentBefore = await balanceOf(agent)

  await seller.list({ tokenId, ...terms })
  expect(await buyer.listing(tokenId)).toMatchObject({ seller: ada.address, price: `${ether}` })

  const before = await balanceOf(cleo.address)
  const rental = await renter.rent(tokenId, { durationDays: 3, maxPrice: (ether * 3n) / 1000n })
  expect(Number(rental.expiresAt)).toBeGreaterThan(Date.now() / 1000 + 3 * 86_400 - 60)
  const paid = before - (await balanceOf(cleo.address))
  expect(paid).toBeGreaterThan((ether * 3n) / 1000n)

  const child = await renter.fork(tokenId, { maxRoyaltyBps: 500 })
  expect(await client.info(child.tokenId)).toMatchObject({ creator: cleo.address, parent: tokenId })

  await buyer.buy(tokenId, { maxPrice: ether })
  await buyer.royalty(child.tokenId, { amount: 7n })
  await buyer.transfer(tokenId, { to: cleo.address })

  const { items } = await readUntil(
    () => client.history(tokenId, { limit: 100 }),
    ({ items: all }) => all.some((it) => it.kind === 'transfer' && it.to === cleo.address),
  )
  const of = (kind: string) => items.find((it) => it.kind === kind)
  expect(of('listing')).toMatchObject({ seller: ada.address })
  expect(of('rental')).toMatchObject({ renter: cleo.address, payer: cleo.address })
  expect(of('sale')).toMatchObject({ seller: ada.address, buyer: ben.address })
  expect(await ownerOf(tokenId)).toBe(cleo.address)
  expect(await balanceOf(agent)).toBe(agentBefore)
})
