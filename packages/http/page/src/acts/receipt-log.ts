import type { Hex } from 'viem'
import { isSameAccount } from '../text/account.ts'

/** A log of a receipt. */
export type Log = { readonly address: Hex; readonly topics: readonly Hex[]; readonly data: Hex }

/** Returns the topics of a log as viem decodes them. */
export const topicsOf = ({ topics }: Log) => topics as [Hex, ...Hex[]]

/**
 * Returns the first value that is read from the logs of a contract. A payee may be a contract, which
 * can emit any log.
 */
export function findInLogs<T>(
  logs: readonly Log[],
  contract: string,
  read: (log: Log) => T | undefined,
): T | undefined {
  for (const log of logs.filter(({ address }) => isSameAccount(address, contract))) {
    try {
      const found = read(log)
      if (found !== undefined) return found
    } catch {
      // An event that this page does not know.
    }
  }
  return undefined
}
