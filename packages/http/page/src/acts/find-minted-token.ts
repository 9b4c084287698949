import { decodeEventLog } from 'viem'
import {
  memoryMarketplaceAbi,
  memoryRegistryAbi,
} from '../../../../adapters/src/ledger/contracts.generated.ts'
import type { Act } from './act.ts'
import { findInLogs, type Log, topicsOf } from './receipt-log.ts'

type Contracts = { readonly marketplace: string; readonly registry: string }

/** Returns the token that an act minted, from the logs of its receipt. */
export function findMintedToken(
  act: Act,
  logs: readonly Log[],
  { marketplace, registry }: Contracts,
): string | undefined {
  if (act.kind === 'fork') return findInLogs(logs, marketplace, tokenOfFork)
  if (act.kind !== 'mint') return undefined
  return findInLogs(logs, registry, (log) => tokenOfMint(log, act.seal.contentHash))
}

function tokenOfFork(log: Log): string | undefined {
  const { data } = log
  const event = decodeEventLog({ abi: memoryMarketplaceAbi, topics: topicsOf(log), data })
  const isFork = event.eventName === 'Forked' || event.eventName === 'ForkedForDollars'
  return isFork ? event.args.tokenId.toString() : undefined
}

function tokenOfMint(log: Log, contentHash: string): string | undefined {
  const { data } = log
  const event = decodeEventLog({ abi: memoryRegistryAbi, topics: topicsOf(log), data })
  if (event.eventName !== 'Minted' || event.args.contentHash !== contentHash) return undefined
  return event.args.tokenId.toString()
}
