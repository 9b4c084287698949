/** Shortens an address: `0x7099…79C8`. */
export function shortenAccount(account: string): string {
  return account.length <= 14 ? account : `${account.slice(0, 6)}…${account.slice(-4)}`
}

/** Shortens a hash. */
export function shortenHash(hash: string): string {
  return hash.length <= 22 ? hash : `${hash.slice(0, 12)}…${hash.slice(-8)}`
}

/** Returns whether two addresses are the same account, in any letter case. */
export function isSameAccount(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one.toLowerCase() === other?.toLowerCase()
}
