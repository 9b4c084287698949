import type { IncomingHttpHeaders } from 'node:http'
import { type Account, account, Failure, type Hex, type Proof } from '@heirloom/core'
import { checksumAddress } from 'viem'
import { addressPattern } from './address.ts'

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

// The challenge contains the address letter for letter, so that only one spelling of it will do.
function readChecksummed(text: string): Account {
  if (!isAddressLike(text) || checksumAddress(text) !== text) throw malformed(proofHeaders.account)
  return account(text)
}

function readTimestamp(text: string): number {
  if (!/^(0|[1-9][0-9]{0,11})$/.test(text)) throw malformed(proofHeaders.timestamp)
  return Number(text)
}

const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

// Of the two values of s that verify, only the lower is taken: a signature has one spelling.
function readSignature(text: string): Hex {
  const [, r, s = '', v = ''] =
    /^(?:0x)?([0-9a-f]{64})([0-9a-f]{64})(00|01|1b|1c)$/i.exec(text) ?? []
  if (r === undefined || BigInt(`0x${s}`) > curveOrder / 2n) {
    throw malformed(proofHeaders.signature)
  }
  const recovery = (Number.parseInt(v, 16) % 27) + 27
  return `0x${r}${s}${recovery.toString(16)}`
}
