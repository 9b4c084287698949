/** Returns an address as a person compares it: `0x7099…79C8`. */
export function shortAccount(account: string): string {
  return account.length <= 14 ? account : `${account.slice(0, 6)}…${account.slice(-4)}`
}

/** Returns a hash as a person compares it. */
export function shortHash(hash: string): string {
  return hash.length <= 22 ? hash : `${hash.slice(0, 12)}…${hash.slice(-8)}`
}

/** Tells whether two spellings name the same account. */
export function isSame(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one.toLowerCase() === other?.toLowerCase()
}
