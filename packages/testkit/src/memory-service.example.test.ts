import { account, challenge, memoryService, toSeconds, wei } from '@heirloom/core'
import {
  memoryBlobStore,
  memoryChain,
  memoryCipher,
  memoryHarness,
  stoppedClock,
  wallets,
} from '@heirloom/testkit'
import { expect, test } from 'vitest'

test('an agent snapshots its memory and downloads it again', async () => {
  const [wallet] = wallets
  const agent = account(wallet.address)

  const clock = stoppedClock()
  const chain = memoryChain({ clock })
  chain.fund(agent, wei(10n ** 18n))
  const ports = { blobStore: memoryBlobStore(), cipher: memoryCipher(), clock }
  const service = memoryService({ ...ports, ledger: chain.ledger(agent) })

  const bundle = { data: { goal: 'learn' }, metadata: { category: 'research' } }
  const { tokenId, contentHash } = await service.snapshot({ bundle })

  const claim = { account: agent, timestamp: toSeconds(clock.now()) }
  const signature = await wallet.signMessage({ message: challenge(tokenId, claim) })
  const opened = await service.download({ tokenId, proof: { ...claim, signature } })

  expect(JSON.parse(new TextDecoder().decode(opened.document))).toEqual(bundle)
  expect(opened.contentHash).toBe(contentHash)
})

test('four parties of the in-memory harness can trade', async () => {
  const { services, parties } = memoryHarness()
  const [author, reader] = services
  if (author === undefined || reader === undefined) throw new RangeError('there are services')

  const bundle = { data: { insight: 42 }, metadata: { category: 'trading' } }
  const { tokenId } = await author.snapshot({ bundle })
  const terms = { price: wei(100n), rentalPricePerDay: wei(0n), forkPrice: wei(0n) }
  await author.list({ tokenId, ...terms, forkRoyaltyBps: 500 })
  await reader.buy({ tokenId, maxPrice: wei(100n) })

  const ledger = parties[1]?.ledger
  expect((await ledger?.access(tokenId, ledger.agent))?.owner).toBe(ledger?.agent)
})
