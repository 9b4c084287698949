import { tokenId } from '@heirloom/core'
import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { mint, outcomeOf, until } from '../harness/nonce-lane/lane-fixture.ts'
import { laneHarness } from '../harness/nonce-lane/lane-harness.ts'

const harness = laneHarness()

test('a token whose block was undone is not said to be absent while its mint is on its way', async () => {
  const times = { resendAfter: 1_000_000, stuckAfter: 1_000_000 }
  const ledger = await harness.fixture.open({ reorgDepth: 64, ...times })
  await harness.chain.mine({ blocks: 2 })
  const { tokenId: own } = await mint(ledger, 'undone')
  const seen = () => {
    const { access, provenance, listing } = ledger
    const reads = [provenance(own), access(own, ledger.agent), listing(own)]
    return Promise.all(reads.map((read: Promise<unknown>) => outcomeOf(read)))
  }
  await harness.chain.setAutomine(false)
  await harness.chain.reorganise(1)
  // Both before the lane has seen it and afterwards, when it waits for another block.
  const undone = Array.from({ length: 3 }, () => 'ledger/unavailable')
  expect(await seen()).toEqual(undone)
  await until(() => harness.countEvents('reorganised') > 0)
  expect(await seen()).toEqual(undone)
  // Once the mint is open again, any token may be the one that it makes.
  await until(async () => (await outcomeOf(ledger.provenance(tokenId(99n)))) !== undefined)
  expect(await outcomeOf(ledger.provenance(tokenId(99n)))).toBe('ledger/unavailable')
  await harness.chain.setAutomine(true)
  await harness.chain.mine({ blocks: 1 })
  await until(async () => typeof (await outcomeOf(ledger.provenance(own))) === 'object')
  expect((await seen()).filter((it) => typeof it !== 'object')).toEqual([])
  await until(async () => (await outcomeOf(ledger.provenance(tokenId(99n)))) === undefined)
})

test('a token is not said to be absent while its undone mint is sent at another price', async () => {
  const ledger = await harness.fixture.open({ stuckAfter: 0, cancelAfter: 1_000_000 })
  const { tokenId: own } = await mint(ledger, 'undone')
  await harness.chain.setAutomine(false)
  await harness.chain.reorganise(1)
  // The chain waits for the nonce of the first mint, so it is sent again, and replaced.
  const later = mint(ledger, 'later')
  await until(() => harness.countEvents('resent') > 0)
  await harness.chain.setNextBlockBaseFeePerGas({ baseFeePerGas: 5n * 10n ** 9n })
  await harness.chain.mine({ blocks: 1 })
  await until(() => harness.countEvents('replaced') > 0)
  expect(await outcomeOf(ledger.provenance(own))).toBe('ledger/unavailable')
  await harness.chain.setAutomine(true)
  await harness.chain.mine({ blocks: 1 })
  await later
  expect(await outcomeOf(ledger.provenance(own))).toHaveProperty('tokenId', own)
})

test('no token is in doubt because a batch that reverted is sent again', async () => {
  const ledger = await harness.fixture.open()
  const { client, contracts } = harness.fixture
  await harness.chain.setAutomine(false)
  const minting = ['one', 'other'].map((name) => mint(ledger, name))
  await until(() => harness.countEvents('signed') === 1)
  const address = contracts.registry
  const bytecode = (await client.getCode({ address })) as Hex
  await harness.chain.setCode({ address, bytecode: '0xfe' })
  await harness.chain.mine({ blocks: 1 })
  await harness.chain.setCode({ address, bytecode })
  await until(() => harness.countEvents('settled') === 1)
  expect(await outcomeOf(ledger.provenance(tokenId(99n)))).toBeUndefined()
  await harness.chain.setAutomine(true)
  await harness.chain.mine({ blocks: 1 })
  for (const it of await Promise.all(minting)) expect(it).toHaveProperty('tokenId')
})
