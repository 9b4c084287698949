import { arbitraryBundleText, arbitraryCard } from '@heirloom/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ada, ben, cleo, openWalletHarness, readUntil } from '../../test/wallet-harness.ts'
import { createClient } from '../client/client.ts'

const ether = 10n ** 18n
const terms = {
  price: ether,
  rentalPricePerDay: ether / 1000n,
  forkPrice: ether / 10n,
  forkRoyaltyBps: 500,
}

const memory = { data: { mood: 'calm' }, metadata: { category: 'research' } }

test('each wallet signs, owns and pays for what it does, and the server pays nothing', async () => {
  const { url, client, walletOf, balanceOf, ownerOf, agent } = await openWalletHarness()
  const openAs = (account: typeof ada, id: string) => createClient({ url, account }).download(id)
  const [seller, buyer, renter] = [await walletOf(ada), await walletOf(ben), await walletOf(cleo)]
  const agentBefore = await balanceOf(agent)

  const { tokenId, ...minted } = await seller.snapshot({ ...memory, card: { title: 'Calm' } })
  const { creator, contentHash, storageUri } = await client.info(tokenId)
  expect({ creator, contentHash, storageUri }).toEqual({
    creator: ada.address,
    contentHash: minted.contentHash,
    storageUri: minted.storageUri,
  })
  expect((await openAs(ada, tokenId)).data).toEqual(memory.data)

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
  for (const id of [tokenId, child.tokenId]) {
    expect((await openAs(cleo, id)).data).toEqual(memory.data)
  }
  await expect(openAs(ben, tokenId)).rejects.toMatchObject({ code: 'access/denied' })
  expect((await client.lineage(tokenId)).token).toMatchObject({ originality: 'original' })
  expect(await balanceOf(agent)).toBe(agentBefore)
})

test('a memory keeps its bytes, its parent and its recipient, whatever the wallet sends', async () => {
  const { url, client, walletOf, node } = await openWalletHarness()
  const wallet = await walletOf(ada)
  const first = await wallet.snapshot(memory)
  const beside = fc.record(
    {
      card: arbitraryCard,
      recipient: fc.constantFrom(ada.address, ben.address),
      parentTokenId: fc.constantFrom<string | undefined>(first.tokenId, '0', undefined),
    },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(arbitraryBundleText, beside, async ({ text, document }, more) => {
      const { tokenId } = await wallet.snapshot({ document: text, ...more })
      const owner = more.recipient === ben.address ? ben : ada
      const opened = await createClient({ url, account: owner }).download(tokenId)
      expect(new TextDecoder().decode(opened.document)).toBe(document)
      expect(await client.info(tokenId)).toMatchObject({
        creator: ada.address,
        parent: more.parentTokenId ?? '0',
      })
    }),
    { numRuns: 25 },
  )
  expect(await node.getTransactionCount({ address: ada.address })).toBe(26)
})

test('a snapshot with a key is minted once, and a key for another memory is refused', async () => {
  const { walletOf, node } = await openWalletHarness()
  const wallet = await walletOf(ada)
  const options = { idempotencyKey: 'one' }
  const [one, other] = await Promise.all([
    wallet.snapshot(memory, options),
    wallet.snapshot(memory, options),
  ])
  expect(one.tokenId).toBe(other.tokenId)
  expect((await wallet.snapshot(memory, options)).tokenId).toBe(one.tokenId)
  const changed = wallet.snapshot({ ...memory, data: {} }, options)
  await expect(changed).rejects.toMatchObject({ code: 'idempotency/key-reused' })
  expect(await node.getTransactionCount({ address: ada.address })).toBe(1)
})

test('an unknown parent and a memory that is none cost nothing', async () => {
  const { walletOf, node } = await openWalletHarness()
  const wallet = await walletOf(ada)
  for (const [more, code] of [
    [{ parentTokenId: 99 }, 'token/not-found'],
    [{ card: { title: '' } }, 'card/malformed'],
    [{ metadata: { category: '' } }, 'bundle/malformed'],
  ] as const) {
    await expect(wallet.snapshot({ ...memory, ...more })).rejects.toMatchObject({ code })
  }
  expect(await node.getTransactionCount({ address: ada.address })).toBe(0)
})

test('a visitor without an API key makes and sells a memory', async () => {
  const apiKey = 'a-key-of-some-length'
  const { walletOf, client } = await openWalletHarness({ API_KEYS: apiKey, OPEN_ACTS: 'seal' })
  const refused = client.snapshot(memory)
  await expect(refused).rejects.toMatchObject({ code: 'request/not-authorized' })
  const wallet = await walletOf(ada)
  const { tokenId } = await wallet.snapshot(memory)
  await wallet.list({ tokenId, ...terms })
  expect((await wallet.listing(tokenId)).seller).toBe(ada.address)
})
