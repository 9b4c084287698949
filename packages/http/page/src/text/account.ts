import type { Token } from '../../../src/client/responses.ts'

/** Shortens an address: `0x7099…79C8`. */
export const shortenAccount = (account: string): string =>
  account.length <= 14 ? account : `${account.slice(0, 6)}…${account.slice(-4)}`

/** The longest name that is shown whole. */
const longestName = 30

/** Shortens a name of ENS in the middle: who has a name has all that ends with it. */
export function shortenName(name: string): string {
  const letters = [...name]
  if (letters.length <= longestName) return name
  return `${letters.slice(0, 6).join('')}…${letters.slice(-23).join('')}`
}

/** Shortens a hash. */
export const shortenHash = (hash: string): string =>
  hash.length <= 22 ? hash : `${hash.slice(0, 12)}…${hash.slice(-8)}`

/** Returns whether two addresses are the same account, in any letter case. */
export const isSameAccount = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && one.toLowerCase() === other?.toLowerCase()

/** Returns whether an account made the memory of a token: a fork holds the memory of its source. */
export const isMadeBy = ({ creator, source }: Pick<Token, 'creator' | 'source'>, account: string) =>
  isSameAccount(source?.creator ?? creator, account)
