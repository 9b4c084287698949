import { decodeEventLog } from 'viem'
import { memoryMarketplaceAbi } from '../../../../adapters/src/ledger/contracts.generated.ts'
import type { Act } from './act.ts'
import { findInLogs, type Log, topicsOf } from './receipt-log.ts'

/** Returns the second in which a rental ends, from the logs of its receipt. */
export function findRentalEnd(
  act: Act,
  logs: readonly Log[],
  { marketplace }: { readonly marketplace: string },
): number | undefined {
  if (act.kind !== 'rent') return undefined
  return findInLogs(logs, marketplace, (log) => endOf(log, act.tokenId))
}

function endOf(log: Log, tokenId: string): number | undefined {
  const { data } = log
  const event = decodeEventLog({ abi: memoryMarketplaceAbi, topics: topicsOf(log), data })
  const isRental = event.eventName === 'Rented' || event.eventName === 'RentedForDollars'
  if (!isRental || event.args.tokenId !== BigInt(tokenId)) return undefined
  return Number(event.args.expiresAt)
}
