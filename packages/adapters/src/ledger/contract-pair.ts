import { Failure } from '@heirloom/core'
import { getAddress, type Hex, type PublicClient } from 'viem'
import { callNode } from './connection.ts'
import { memoryMarketplaceRuntime, memoryRegistryRuntime } from './contracts.generated.ts'

/** The addresses of the two contracts of one deployment. */
export type ContractPair = { readonly registry: Hex; readonly marketplace: Hex }

/** The result of a search for a pair: the pair, no contract, or a contract that is not ours. */
export type PairSearch =
  | { readonly kind: 'pair'; readonly pair: ContractPair }
  | { readonly kind: 'absent' }
  | { readonly kind: 'foreign'; readonly name: string; readonly address: Hex }

type PairLocation = {
  readonly marketplace: Hex
  /** The block to read, the newest when absent. */
  readonly blockNumber?: bigint
}

/**
 * Finds the pair of a marketplace. Compares the code of both contracts with ours byte for byte,
 * including the address of the other contract in each.
 *
 * @throws `ledger/unavailable`
 */
export async function findPair(
  client: PublicClient,
  { marketplace, blockNumber }: PairLocation,
): Promise<PairSearch> {
  const codeAt = async (address: Hex) => {
    const request = blockNumber === undefined ? { address } : { address, blockNumber }
    return (await callNode('eth_getCode', () => client.getCode(request)))?.toLowerCase()
  }
  const market = await codeAt(marketplace)
  if (market === undefined) return { kind: 'absent' }
  const registry = linkedAddress(market, memoryMarketplaceRuntime)
  if (market !== link(memoryMarketplaceRuntime, registry)) {
    return { kind: 'foreign', name: 'MARKETPLACE_ADDRESS', address: getAddress(marketplace) }
  }
  if ((await codeAt(registry)) !== link(memoryRegistryRuntime, marketplace)) {
    return { kind: 'foreign', name: 'REGISTRY_ADDRESS', address: getAddress(registry) }
  }
  return {
    kind: 'pair',
    pair: { registry: getAddress(registry), marketplace: getAddress(marketplace) },
  }
}

/**
 * Returns the pair of a marketplace, and requires that the code of both contracts is ours.
 *
 * @throws `config/invalid` if there is other code or none, `ledger/unavailable`
 */
export async function requirePair(
  client: PublicClient,
  location: PairLocation,
): Promise<ContractPair> {
  const search = await findPair(client, location)
  if (search.kind === 'pair') return search.pair
  throw new Failure(
    'config/invalid',
    search.kind === 'absent'
      ? {
          name: 'MARKETPLACE_ADDRESS',
          problem: `names ${location.marketplace}, where this chain has no contract`,
        }
      : {
          name: search.name,
          problem: `names ${search.address}, a contract of another kind or version`,
        },
  )
}

/** Returns the runtime code of both contracts of a deployed pair. */
export function runtimeCodes({ registry, marketplace }: ContractPair): ContractPair {
  return {
    registry: link(memoryRegistryRuntime, marketplace),
    marketplace: link(memoryMarketplaceRuntime, registry),
  }
}

type Runtime = {
  readonly code: Hex
  readonly immutables: readonly { readonly start: number; readonly length: number }[]
}

/** Returns runtime code with the address of the other contract in its immutables. */
function link({ code, immutables }: Runtime, other: Hex): Hex {
  const word = other.slice(2).toLowerCase().padStart(64, '0')
  let text = code.slice(2)
  for (const { start, length } of immutables) {
    text = text.slice(0, start * 2) + word + text.slice((start + length) * 2)
  }
  return `0x${text}`
}

/** Returns the address of the other contract from the first immutable of runtime code. */
function linkedAddress(code: string, { immutables: [first] }: Runtime): Hex {
  const end = 2 + ((first?.start ?? 0) + (first?.length ?? 0)) * 2
  return `0x${code.slice(end - 40, end).padStart(40, '0')}`
}
