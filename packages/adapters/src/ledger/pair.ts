import { Failure } from '@heirloom/core'
import { getAddress, type Hex, type PublicClient } from 'viem'
import { ask } from './connection.ts'
import {
  memoryMarketplaceAbi,
  memoryMarketplaceRuntime,
  memoryRegistryRuntime,
} from './contracts.generated.ts'

/** The two contracts of one deployment, each of which knows only the other. */
export type ContractPair = { readonly registry: Hex; readonly marketplace: Hex }

/**
 * Returns the pair that a marketplace belongs to, after comparing the code of both with ours.
 *
 * @throws `config/invalid` when there is other code or none, `ledger/unavailable`
 */
export async function pairOf(client: PublicClient, marketplace: Hex): Promise<ContractPair> {
  await refuseOther(client, 'MARKETPLACE_ADDRESS', marketplace, memoryMarketplaceRuntime)
  const call = {
    address: marketplace,
    abi: memoryMarketplaceAbi,
    functionName: 'registry',
  } as const
  const registry = await ask('registry', () => client.readContract(call))
  await refuseOther(client, 'REGISTRY_ADDRESS', registry, memoryRegistryRuntime)
  return { registry, marketplace: getAddress(marketplace) }
}

type Runtime = {
  readonly code: Hex
  readonly immutables: readonly { readonly start: number; readonly length: number }[]
}

async function refuseOther(
  client: PublicClient,
  name: string,
  address: Hex,
  runtime: Runtime,
): Promise<void> {
  const code = await ask('eth_getCode', () => client.getCode({ address }))
  if (code !== undefined && blank(code, runtime) === blank(runtime.code, runtime)) return
  const problem =
    code === undefined
      ? `names ${address}, where this chain has no contract`
      : `names ${address}, a contract of another kind or version`
  throw new Failure('config/invalid', { name, problem })
}

/** Blanks the places where deployment writes the address of the other contract. */
function blank(code: Hex, { immutables }: Runtime): string {
  const digits = [...code.slice(2).toLowerCase()]
  for (const { start, length } of immutables) digits.fill('0', start * 2, (start + length) * 2)
  return digits.join('')
}
