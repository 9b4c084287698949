import { Failure } from '../failure.ts'
import type { Hex } from './hash.ts'

declare const brand: unique symbol

/**
 * A wallet or contract address: `0x` and 40 hexadecimal digits. A ledger returns it checksummed
 * (EIP-55).
 */
export type Account = Hex & { readonly [brand]: 'Account' }

/**
 * Parses an account and preserves its letter case.
 *
 * @throws `value/invalid`
 */
export function account(text: string): Account {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) {
    throw new Failure('value/invalid', {
      kind: 'wallet address',
      problem: 'must be 0x and 40 hexadecimal digits',
    })
  }
  return text as Account
}

/** The zero address, which nobody owns; the seller of a token that is not listed. */
export const nobody = account('0x0000000000000000000000000000000000000000')

/** Returns whether two addresses are the same account, whatever their letter case. */
export function sameAccount(one: Account, other: Account): boolean {
  return one === other || one.toLowerCase() === other.toLowerCase()
}

/**
 * Refuses the zero address as a recipient.
 *
 * @throws `recipient/invalid`
 */
export function refuseNobody(recipient: Account): void {
  if (sameAccount(recipient, nobody)) throw new Failure('recipient/invalid', { recipient })
}
