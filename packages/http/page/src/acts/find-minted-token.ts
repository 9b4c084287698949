import { decodeEventLog, type Hex } from 'viem'
import {
  memoryMarketplaceAbi,
  memoryRegistryAbi,
} from '../../../../adapters/src/ledger/contracts.generated.ts'
import { isSameAccount } from '../text/account.ts'
import type { Act } from './act.ts'

/** A log of a receipt. */
export type Log = { readonly address: Hex; readonly topics: readonly Hex[]; readonly data: Hex }

type Contracts = { readonly marketplace: string; readonly registry: string }

/** Returns the token that an act minted, from the logs of its receipt. */
export function findMintedToken(
  act: Act,
  logs: readonly Log[],
  { marketplace, registry }: Contracts,
): string | undefined {
  // A payee of a fork may be a contract, which can emit any log.
  const of = (contract: string) => logs.filter(({ address }) => isSameAccount(address, contract))
  if (act.kind === 'fork') return firstOf(of(marketplace), tokenOfFork)
  if (act.kind !== 'mint') return undefined
  return firstOf(of(registry), (log) => tokenOfMint(log, act.seal.contentHash))
}

function firstOf(logs: readonly Log[], read: (log: Log) => string | undefined): string | undefined {
  for (const log of logs) {
    try {
      const found = read(log)
      if (found !== undefined) return found
    } catch {
      // An event that this page does not know.
    }
  }
  return undefined
}

const topicsOf = ({ topics }: Log) => topics as [Hex, ...Hex[]]

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
