import { Failure } from '../failure.ts'
import type { Hex } from './hash.ts'

declare const brand: unique symbol

/** A wallet or contract address: `0x` and 40 hexadecimal digits, in EIP-55 spelling when it leaves a ledger. */
export type Account = Hex & { readonly [brand]: 'Account' }

/**
 * Reads an account, keeping its spelling.
 *
 * @throws `value/invalid`
 */
export function account(text: string): Account {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) {
    throw new Failure('value/invalid', {
      kind: 'wallet address',
      problem: 'is 0x and 40 hexadecimal digits',
    })
  }
  return text as Account
}

/** The account that nobody owns; the seller of a token that is not listed. */
export const nobody = account('0x0000000000000000000000000000000000000000')

/** Tells whether two spellings name one account. */
export function sameAccount(one: Account, other: Account): boolean {
  return one === other || one.toLowerCase() === other.toLowerCase()
}

/**
 * Refuses to give anything to nobody.
 *
 * @throws `recipient/invalid`
 */
export function refuseNobody(recipient: Account): void {
  if (sameAccount(recipient, nobody)) throw new Failure('recipient/invalid', { recipient })
}
