import { encodeFunctionData, type Hex } from 'viem'
import { memoryRegistryAbi as abi } from '../../../../adapters/src/ledger/contracts.generated.ts'
import type { UnmintedSeal } from './unminted-seals.ts'

type Content = Pick<UnmintedSeal, 'creator' | 'contentHash' | 'digest' | 'parent' | 'card'>

/** Encodes the call of the registry with which a creator mints a sealed memory for itself. */
export function encodeMint({ creator, contentHash, digest, parent, card }: Content): Hex {
  const item = { recipient: creator, contentHash, digest, parent: BigInt(parent) }
  if (card !== undefined) {
    return encodeFunctionData({ abi, functionName: 'mintDescribed', args: [[item], [card]] })
  }
  const args = [item.recipient, contentHash, digest, item.parent] as const
  return encodeFunctionData({ abi, functionName: 'mint', args })
}
