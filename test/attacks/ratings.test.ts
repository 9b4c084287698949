import { createClient } from '@heirloom/http/client'
import { openWallet } from '@heirloom/http/wallet'
import { verifyMessage } from 'viem'
import { beforeAll, expect, test, vi } from 'vitest'
import { rateText } from '../../packages/http/src/api/signed-texts.ts'
import { publicAccount } from '../harness/copier.ts'
import { rpc } from '../harness/process/server.ts'
import { sharedServer } from '../harness/process/shared-server.ts'
import { longestWait } from '../tier.ts'

const server = sharedServer()
const [maker, reader, accomplice] = [publicAccount(1), publicAccount(2), publicAccount(3)]
type Account = typeof maker

const walletOf = (account: Account) => openWallet({ url: server.url, account })
const clientOf = (account: Account) => createClient({ url: server.url, account })

let tokenId: string

beforeAll(async () => {
  const own = await walletOf(maker)
  tokenId = (await own.snapshot({ data: {}, metadata: { category: 'research' } })).tokenId
  await own.list({ tokenId, price: 0n, rentalPricePerDay: 7n, forkPrice: 0n, forkRoyaltyBps: 0 })
  await (await walletOf(reader)).rent(tokenId, { durationDays: 1 })
  // The maker pays itself, for a friend.
  await own.rent(tokenId, { durationDays: 1, recipient: accomplice.address })
  const renters = async () =>
    (await clientOf(reader).rentals(tokenId)).items.map(({ renter }) => renter)
  await vi.waitUntil(async () => (await renters()).length === 2, {
    interval: 20,
    timeout: longestWait,
  })
})

test('anyone can verify a rating without the server: its signature, and the payment', async () => {
  const { account, message, signature, txHash, act } = await clientOf(reader).rate({
    tokenId,
    score: 4,
    comment: 'Short and true.',
  })
  expect([account, act]).toEqual([reader.address, 'rent'])
  const claim = { address: reader.address, message, signature: signature as `0x${string}` }
  expect(await verifyMessage(claim)).toBe(true)
  const receipt = await rpc<{ from: string; status: string }>(
    server.url,
    'eth_getTransactionReceipt',
    [txHash],
  )
  expect(receipt).toMatchObject({ from: reader.address.toLowerCase(), status: '0x1' })
})

test('neither the maker rates, nor whom it paid itself for, nor who only got the token', async () => {
  for (const account of [maker, accomplice]) {
    await expect(clientOf(account).rate({ tokenId, score: 5 })).rejects.toMatchObject({
      code: 'rating/not-paid',
    })
  }
  const given = publicAccount(4)
  const own = await walletOf(maker)
  const { tokenId: gift } = await own.snapshot({ data: {}, metadata: { category: 'gift' } })
  await own.transfer(gift, { to: given.address })
  const ownerOf = async () => (await clientOf(given).lineage(gift)).token.owner
  const isOwned = async () => (await ownerOf().catch(() => undefined)) === given.address
  await vi.waitUntil(isOwned, { interval: 20, timeout: longestWait })
  await expect(clientOf(given).rate({ tokenId: gift, score: 5 })).rejects.toMatchObject({
    code: 'rating/not-paid',
  })
})

test('a signature for an old time, another score, another token or another server counts nothing', async () => {
  const { chainId, registry } = await clientOf(reader).deployment()
  const now = Math.floor(Date.now() / 1000)
  const { host } = new URL(server.url)
  const send = async (signed: Partial<Parameters<typeof rateText>[1]>, at = host) => {
    const claim = { tokenId, account: reader.address, timestamp: now, score: 1, comment: '' }
    const message = rateText({ host: at, chainId, registry }, { ...claim, ...signed })
    const reply = await fetch(`${server.url}/api/memory/${tokenId}/ratings`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-wallet-address': reader.address,
        'x-timestamp': `${signed.timestamp ?? now}`,
        'x-signature': await reader.signMessage({ message }),
      },
      body: JSON.stringify({ score: 1 }),
    })
    return ((await reply.json()) as { readonly code?: string }).code
  }
  const before = await clientOf(reader).ratings(tokenId)
  expect(await send({ timestamp: now - 3600 })).toBe('proof/stale')
  expect(await send({ score: 5 })).toBe('proof/not-signed')
  expect(await send({ tokenId: '999' })).toBe('proof/not-signed')
  expect(await send({}, 'elsewhere.example')).toBe('proof/not-signed')
  expect(await clientOf(reader).ratings(tokenId)).toEqual(before)
})
