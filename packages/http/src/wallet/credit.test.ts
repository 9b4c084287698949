import { createWalletClient, type Hex, http } from 'viem'
import { expect, test } from 'vitest'
import { ada, ben, cleo, mintFor, openWalletHarness, readUntil } from '../../test/wallet-harness.ts'

test('an account that could not be paid withdraws its credit to another account', async () => {
  const harness = await openWalletHarness()
  const { url, client, node, walletOf, balanceOf } = harness
  // The registry refuses plain payments, and so does an account that runs its code (EIP-7702).
  const { registry } = await client.deployment()
  const signer = createWalletClient({ account: ada, transport: http(`${url}/rpc`) })
  const authorization = await signer.signAuthorization({
    contractAddress: registry as Hex,
    executor: 'self',
  })
  const delegated = await signer.sendTransaction({
    chain: null,
    to: ben.address,
    authorizationList: [authorization],
  })
  await node.waitForTransactionReceipt({ hash: delegated })

  const tokenId = await mintFor(harness, ada)
  const terms = { rentalPricePerDay: 0n, forkPrice: 0n, forkRoyaltyBps: 0 }
  const seller = await walletOf(ada)
  await expect(seller.withdraw()).rejects.toMatchObject({ code: 'credit/none' })
  await seller.list({ ...terms, tokenId, price: 700n })
  await (await walletOf(ben)).buy(tokenId)
  expect((await seller.balance()).credit).toBe('700')
  await readUntil(
    () => client.earnings(ada.address),
    ({ credit }) => credit === '700',
  )

  const nobody = seller.withdraw({ to: `0x${'0'.repeat(40)}` })
  await expect(nobody).rejects.toMatchObject({ code: 'recipient/invalid' })
  const before = await balanceOf(cleo.address)
  expect(await seller.withdraw({ to: cleo.address })).toMatchObject({ amount: '700' })
  expect(await balanceOf(cleo.address)).toBe(before + 700n)
  expect((await seller.balance()).credit).toBe('0')
})

test('a token goes only to an account that can hold it, and only from its owner', async () => {
  const harness = await openWalletHarness()
  const { client, walletOf } = harness
  const tokenId = await mintFor(harness, ada)
  const { registry, marketplace } = await client.deployment()
  const wallet = await walletOf(ada)
  for (const to of [`0x${'0'.repeat(40)}`, registry, marketplace] as readonly Hex[]) {
    await expect(wallet.transfer(tokenId, { to })).rejects.toMatchObject({
      code: 'recipient/invalid',
    })
  }
  const notOwner = (await walletOf(ben)).transfer(tokenId, { to: ben.address })
  await expect(notOwner).rejects.toMatchObject({
    code: 'token/not-owner',
    facts: { tokenId, account: ben.address },
  })
  await expect(wallet.transfer(999, { to: ben.address })).rejects.toMatchObject({
    code: 'token/not-found',
  })
})
