import { Failure } from '@heirloom/core'
import { getAddress, type Hex, type PublicClient } from 'viem'
import { ask } from './connection.ts'
import { memoryMarketplaceRuntime, memoryRegistryRuntime } from './contracts.generated.ts'

/** The two contracts of one deployment, each of which knows only the other. */
export type ContractPair = { readonly registry: Hex; readonly marketplace: Hex }

/** What stands where a pair is looked for: the pair, no contract at all, or one that is not ours. */
export type Finding =
  | { readonly kind: 'pair'; readonly pair: ContractPair }
  | { readonly kind: 'absent' }
  | { readonly kind: 'foreign'; readonly name: string; readonly address: Hex }

type Place = {
  readonly marketplace: Hex
  /** The block to look in, the newest when absent. */
  readonly blockNumber?: bigint
}

/**
 * Looks for the pair that a marketplace belongs to. Both codes are compared with ours to the last
 * byte, the address that each keeps of the other included.
 *
 * @throws `ledger/unavailable`
 */
export async function findPair(
  client: PublicClient,
  { marketplace, blockNumber }: Place,
): Promise<Finding> {
  const codeAt = async (address: Hex) => {
    const at = blockNumber === undefined ? { address } : { address, blockNumber }
    return (await ask('eth_getCode', () => client.getCode(at)))?.toLowerCase()
  }
  const market = await codeAt(marketplace)
  if (market === undefined) return { kind: 'absent' }
  const registry = partner(market, memoryMarketplaceRuntime)
  if (market !== linked(memoryMarketplaceRuntime, registry)) {
    return { kind: 'foreign', name: 'MARKETPLACE_ADDRESS', address: getAddress(marketplace) }
  }
  if ((await codeAt(registry)) !== linked(memoryRegistryRuntime, marketplace)) {
    return { kind: 'foreign', name: 'REGISTRY_ADDRESS', address: getAddress(registry) }
  }
  return {
    kind: 'pair',
    pair: { registry: getAddress(registry), marketplace: getAddress(marketplace) },
  }
}

/**
 * Returns the pair that a marketplace belongs to, after comparing the code of both with ours.
 *
 * @throws `config/invalid` when there is other code or none, `ledger/unavailable`
 */
export async function pairOf(client: PublicClient, place: Place): Promise<ContractPair> {
  const found = await findPair(client, place)
  if (found.kind === 'pair') return found.pair
  throw new Failure(
    'config/invalid',
    found.kind === 'absent'
      ? {
          name: 'MARKETPLACE_ADDRESS',
          problem: `names ${place.marketplace}, where this chain has no contract`,
        }
      : {
          name: found.name,
          problem: `names ${found.address}, a contract of another kind or version`,
        },
  )
}

/** Returns the codes of a deployed pair, byte for byte. */
export function codesOf({ registry, marketplace }: ContractPair): ContractPair {
  return {
    registry: linked(memoryRegistryRuntime, marketplace),
    marketplace: linked(memoryMarketplaceRuntime, registry),
  }
}

type Runtime = {
  readonly code: Hex
  readonly immutables: readonly { readonly start: number; readonly length: number }[]
}

/** Writes the address of the other contract where deployment writes it. */
function linked({ code, immutables }: Runtime, other: Hex): Hex {
  const word = other.slice(2).toLowerCase().padStart(64, '0')
  let text = code.slice(2)
  for (const { start, length } of immutables) {
    text = text.slice(0, start * 2) + word + text.slice((start + length) * 2)
  }
  return `0x${text}`
}

/** Reads the address of the other contract where deployment wrote it. */
function partner(code: string, { immutables: [place] }: Runtime): Hex {
  const end = 2 + ((place?.start ?? 0) + (place?.length ?? 0)) * 2
  return `0x${code.slice(end - 40, end).padStart(40, '0')}`
}
