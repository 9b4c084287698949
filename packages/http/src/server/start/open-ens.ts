import { type EnsNames, ensChains, ensNames, ensRegistry } from '@heirloom/adapters/internal/ens'
import type { Clock } from '@heirloom/core'
import type { Config } from '../../config/config.ts'
import type { OpenChain } from '../open-chain.ts'

/** Returns the names of ENS, where the chain has it. */
export function openEns(
  { source, chainId }: Pick<OpenChain, 'source' | 'chainId'>,
  { ens }: Pick<Config, 'ens'>,
  { now }: Clock,
): EnsNames | undefined {
  if (ens === 'none') return undefined
  const registry = ens ?? (ensChains.includes(chainId) ? ensRegistry : undefined)
  return registry && ensNames({ chain: source, registry, now: () => Number(now()) })
}
