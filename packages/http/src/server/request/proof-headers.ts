import type { IncomingHttpHeaders } from 'node:http'
import { type Account, account, Failure, type Hex, type Proof } from '@heirloom/core'
import { checksumAddress } from 'viem'
import { addressPattern } from '../../api/address.ts'

/** The headers that prove a wallet, in the order they are looked at. */
export const proofHeaders = {
  account: 'x-wallet-address',
  signature: 'x-wallet-signature',
  timestamp: 'x-wallet-timestamp',
} as const

/**
 * Reads the proof that a request carries.
 *
 * @throws `proof/missing`, `proof/malformed`
 */
export function readProof(headers: IncomingHttpHeaders): Proof {
  const texts = {
    account: required(headers, proofHeaders.account),
    signature: required(headers, proofHeaders.signature),
    timestamp: required(headers, proofHeaders.timestamp),
  }
  return {
    account: readChecksummed(texts.account),
    signature: readSignature(texts.signature),
    timestamp: readTimestamp(texts.timestamp),
  }
}

function required(headers: IncomingHttpHeaders, header: string): string {
  const text = headers[header]
  if (typeof text !== 'string' || text === '') throw new Failure('proof/missing', { header })
  return text
}

function malformed(header: string): Failure {
  return new Failure('proof/malformed', { header })
}

const addressSpelling = new RegExp(addressPattern)
const isAddressLike = (text: string): text is Hex => addressSpelling.test(text)

/** Addresses whose spelling was worked out, which takes as long as a fifth of a download. */
const spelled = new Set<string>()
const mostSpelled = 65_536

// The challenge contains the address letter for letter, so that only one spelling of it will do.
function readChecksummed(text: string): Account {
  if (spelled.has(text)) return account(text as Hex)
  if (!isAddressLike(text) || checksumAddress(text) !== text) throw malformed(proofHeaders.account)
  if (spelled.size === mostSpelled) spelled.clear()
  spelled.add(text)
  return account(text)
}

function readTimestamp(text: string): number {
  if (!/^(0|[1-9][0-9]{0,11})$/.test(text)) throw malformed(proofHeaders.timestamp)
  return Number(text)
}

/** Half the order of the curve; digits of one length compare as the numbers do. */
const highestS = '7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0'

const recoveries: Readonly<Record<string, string>> = {
  '00': '1b',
  '01': '1c',
  '1b': '1b',
  '1c': '1c',
}

/** How many hexadecimal digits the signature of an account has, and the longest of a contract. */
const accountDigits = 2 * 65
const mostDigits = 2 * 8192

function readSignature(text: string): Hex {
  const digits = text.toLowerCase().replace(/^0x/, '')
  if (digits.length <= accountDigits) return readOfAccount(digits)
  // Only the contract itself knows how its signatures look.
  const isHex = /^[0-9a-f]+$/.test(digits) && digits.length % 2 === 0
  if (!isHex || digits.length > mostDigits) throw malformed(proofHeaders.signature)
  return `0x${digits}`
}

// Of the two values of s that verify, only the lower is taken: a signature has one spelling.
function readOfAccount(digits: string): Hex {
  const recovery = recoveries[digits.slice(128)]
  const isSpelled = /^[0-9a-f]{130}$/.test(digits) && recovery !== undefined
  if (!isSpelled || digits.slice(64, 128) > highestS) throw malformed(proofHeaders.signature)
  return `0x${digits.slice(0, 128)}${recovery}`
}
