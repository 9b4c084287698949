import { zeroAddress } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { findPair } from '../../src/ledger/contract-pair.ts'
import { memoryMarketplaceAbi, runtimes } from '../../src/ledger/contracts.generated.ts'
import { memoryMarketplaceBytecode } from '../../src/ledger/deployment/creation.generated.ts'
import { type ContractHarness, openContractHarness } from './contract-harness.ts'

let harness: ContractHarness

beforeAll(async () => {
  harness = await openContractHarness()
})

test('one transaction deploys all contracts of a pair, each with the addresses of the others', async () => {
  const { client, registry, marketplace, forwarder, dollar } = harness
  expect(await client.getBlockNumber()).toBe(2n)
  expect(await findPair(client, { marketplace: marketplace.address })).toEqual({
    kind: 'pair',
    pair: {
      registry: registry.address,
      marketplace: marketplace.address,
      forwarder: forwarder.address,
      depositCode: await marketplace.read.depositCode(),
      dollar: dollar.address,
    },
  })
  expect(await registry.read.marketplace()).toBe(marketplace.address)
  expect(await registry.read.trustedForwarder()).toBe(forwarder.address)
})

test('a pair may have no dollar', async () => {
  const code = { abi: memoryMarketplaceAbi, bytecode: memoryMarketplaceBytecode }
  const marketplace = await harness.deploy(code, [zeroAddress])
  const search = await findPair(harness.client, { marketplace })
  expect(search).toMatchObject({ kind: 'pair', pair: { dollar: undefined } })
})

test('every contract is below the limit of 24,576 bytes, and the creation below 49,152', () => {
  for (const { length } of Object.values(runtimes)) expect(length).toBeLessThan(24_576)
  expect((memoryMarketplaceBytecode.length - 2) / 2 + 32).toBeLessThan(49_152)
})
