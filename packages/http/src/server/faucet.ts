import type { ViemLedger } from '@heirloom/adapters/ledger'
import { type Account, Failure, nobody, type Receipt, sameAccount } from '@heirloom/core'
import type { Config } from '../config/config.ts'
import type { OpenChain } from './open-chain.ts'

/** Hands out test dollars of the embedded chain. */
export type Faucet = {
  /** The amount of one gift, in the smallest unit of the test dollar. */
  readonly amount: bigint
  /**
   * Gives test dollars to an account, in the name of a client.
   *
   * @throws `recipient/invalid` for the zero address, `request/too-many` once the client or the account
   * has had its gifts of the day, and the failures of every write
   */
  give(to: Account, client: string): Promise<Receipt>
}

/** 100 test dollars. */
const gift = 100_000_000n

const secondsPerDay = 86_400

/** The name that every gift counts for; all clients together may have the gifts of so many. */
const everybody = 'everybody'
const share = 20

/** Returns the faucet of an embedded chain, if it is on; `undefined` for any other chain. */
export function openFaucet(
  ledger: Pick<ViemLedger, 'handOut'>,
  { contracts: { dollar } }: Pick<OpenChain, 'contracts'>,
  { chain, faucet }: Pick<Config, 'chain' | 'faucet'>,
  now = () => Date.now(),
): Faucet | undefined {
  if (chain.kind !== 'embedded' || !faucet.isOn || dollar === undefined) return undefined
  const count = dailyCount(faucet.perDay, now)
  return {
    amount: gift,
    give: async (to, client) => {
      if (sameAccount(to, nobody)) throw new Failure('recipient/invalid', { recipient: to })
      count([`client ${client}`, `account ${to.toLowerCase()}`, everybody])
      return ledger.handOut({ dollar, to, amount: gift })
    },
  }
}

/**
 * Returns a function that counts one use for each name, and refuses those above the limit of a day
 * (UTC). A restart forgets the counts: the money is worth nothing, and each gift costs its gas.
 *
 * @throws `request/too-many`
 */
function dailyCount(limit: number, now: () => number): (names: readonly string[]) => void {
  let day = 0
  let used = new Map<string, number>()
  const countOf = (name: string) => used.get(name) ?? 0
  const limitOf = (name: string) => (name === everybody ? limit * share : limit)
  return (names) => {
    if (limit === 0) return
    const seconds = Math.floor(now() / 1000)
    const today = Math.floor(seconds / secondsPerDay)
    if (today !== day) [day, used] = [today, new Map()]
    if (names.some((name) => countOf(name) >= limitOf(name))) {
      const retryAfterSeconds = secondsPerDay - (seconds % secondsPerDay)
      throw new Failure('request/too-many', { what: 'gifts a day', limit, retryAfterSeconds })
    }
    for (const name of names) used.set(name, countOf(name) + 1)
  }
}
