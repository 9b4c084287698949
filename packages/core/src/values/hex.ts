import { Failure } from '../failure.ts'
import type { Account, Digest, Hash, Salt } from './branded.ts'

/**
 * Parses a content hash into lower case.
 *
 * @throws `value/invalid`
 */
export const hash = (text: string): Hash => bytes32(text, 'content hash') as Hash

/**
 * Parses a storage digest into lower case.
 *
 * @throws `value/invalid`
 */
export const digest = (text: string): Digest => bytes32(text, 'storage digest') as Digest

/**
 * Parses a salt into lower case.
 *
 * @throws `value/invalid`
 */
export const salt = (text: string): Salt => bytes32(text, 'salt') as Salt

/** Returns the storage URI of a sealed bundle. */
export function storageUri(of: Digest): string {
  return `v2:ipfs://${of}`
}

/** A hash of zeros, in the place of one that is not known yet. */
export const zeroHash = hash(`0x${'0'.repeat(64)}`)

function bytes32(text: string, kind: string): string {
  if (!/^0x[0-9a-fA-F]{64}$/.test(text)) {
    throw new Failure('value/invalid', { kind, problem: 'must be 0x and 64 hexadecimal digits' })
  }
  return text.toLowerCase()
}

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
