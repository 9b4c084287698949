import type { Address, Hex } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import {
  memoryMarketplaceRuntime,
  memoryRegistryRuntime,
} from '../../src/ledger/contracts.generated.ts'
import { type ContractHarness, openContractHarness } from '../contract-harness.ts'
import type { CodeRange } from '../solc.ts'

type Runtime = { readonly code: Hex; readonly immutables: readonly CodeRange[] }

let harness: ContractHarness

beforeAll(async () => {
  harness = await openContractHarness()
})

/** Writes an address to the positions of the immutable in the code. */
function withImmutable({ code, immutables }: Runtime, address: Address): string {
  const word = address.slice(2).toLowerCase().padStart(64, '0')
  return immutables.reduce((text: string, { start, length }) => {
    const at = 2 + 2 * start
    return text.slice(0, at) + word + text.slice(at + 2 * length)
  }, code)
}

test("one transaction deploys both contracts with each other's address", async () => {
  const { client, registry, marketplace } = harness
  expect(await client.getBlockNumber()).toBe(1n)
  expect(await registry.read.marketplace()).toBe(marketplace.address)
  const codes = [await client.getCode(registry), await client.getCode(marketplace)]
  const registryCode = withImmutable(memoryRegistryRuntime, marketplace.address)
  const marketplaceCode = withImmutable(memoryMarketplaceRuntime, registry.address)
  expect(codes).toEqual([registryCode, marketplaceCode])
})

test('both contracts are well below the limit of 24,576 bytes', () => {
  for (const { code } of [memoryRegistryRuntime, memoryMarketplaceRuntime]) {
    expect(code.length / 2 - 1).toBeLessThan(12_288)
  }
})
