import type { IncomingHttpHeaders } from 'node:http'
import { type Account, account, Failure, type Hex, type Proof } from '@heirloom/core'
import type { FastifyRequest } from 'fastify'
import { checksumAddress } from 'viem'
import { addressPattern } from '../../api/address.ts'
import type { SignedPlace } from '../../api/signed-texts.ts'
import type { Deployment } from '../operations/deployment.ts'
import type { AcceptedProofs } from './accepted-proofs.ts'

/** The headers of a proof, in the order in which they are checked. */
export const proofHeaders = {
  account: 'x-wallet-address',
  signature: 'x-wallet-signature',
  timestamp: 'x-wallet-timestamp',
} as const

/** The names of the headers of some kind of proof. */
export type ProofHeaders = { readonly [part in keyof Proof]: string }

/**
 * Reads the proof that a request carries.
 *
 * @throws `proof/missing`, `proof/malformed`
 */
export function readProof(headers: IncomingHttpHeaders, names: ProofHeaders = proofHeaders): Proof {
  const texts = {
    account: requireHeader(headers, names.account),
    signature: requireHeader(headers, names.signature),
    timestamp: requireHeader(headers, names.timestamp),
  }
  return proofOf(texts, names)
}

/** Reads a proof of texts that came in the named headers. @throws `proof/malformed` */
export const proofOf = (texts: ProofHeaders, names: ProofHeaders): Proof => ({
  account: readChecksummed(texts.account, names.account),
  signature: readSignature(texts.signature, names.signature),
  timestamp: readTimestamp(texts.timestamp, names.timestamp),
})

/**
 * Returns a header of a proof.
 *
 * @throws `proof/missing`
 */
export function requireHeader(headers: IncomingHttpHeaders, header: string): string {
  const text = headers[header]
  if (typeof text !== 'string' || text === '') throw new Failure('proof/missing', { header })
  return text
}

/** Returns the failure of a header that cannot be read. */
export function malformed(header: string): Failure {
  return new Failure('proof/malformed', { header })
}

const addressRegExp = new RegExp(addressPattern)
const isAddressLike = (text: string): text is Hex => addressRegExp.test(text)

/** Addresses whose checksum was verified, which takes a fifth of the time of a download. */
const verified = new Set<string>()
const maxVerified = 65_536

// The signed text contains the address letter by letter, so only the checksummed form is accepted.
function readChecksummed(text: string, header: string): Account {
  if (verified.has(text)) return account(text as Hex)
  if (!isAddressLike(text) || checksumAddress(text) !== text) throw malformed(header)
  if (verified.size === maxVerified) verified.clear()
  verified.add(text)
  return account(text)
}

function readTimestamp(text: string, header: string): number {
  if (!/^(0|[1-9][0-9]{0,11})$/.test(text)) throw malformed(header)
  return Number(text)
}

/** Half the order of the curve. Digits of equal length compare like the numbers. */
const highestS = '7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0'

const recoveries: Readonly<Record<string, string>> = {
  '00': '1b',
  '01': '1c',
  '1b': '1b',
  '1c': '1c',
}

/** The hexadecimal digits of the signature of an account. */
const accountDigits = 2 * 65
/** The hexadecimal digits of the longest signature of a contract. */
const maxDigits = 2 * 8192

function readSignature(text: string, header: string): Hex {
  const digits = text.toLowerCase().replace(/^0x/, '')
  if (digits.length <= accountDigits) return readAccountSignature(digits, header)
  // Only the contract knows the format of its signatures.
  const isHex = /^[0-9a-f]+$/.test(digits) && digits.length % 2 === 0
  if (!isHex || digits.length > maxDigits) throw malformed(header)
  return `0x${digits}`
}

// Two values of s verify; only the lower one is accepted, so that each signature has one form.
function readAccountSignature(digits: string, header: string): Hex {
  const recovery = recoveries[digits.slice(128)]
  const isWellFormed = /^[0-9a-f]{130}$/.test(digits) && recovery !== undefined
  if (!isWellFormed || digits.slice(64, 128) > highestS) throw malformed(header)
  return `0x${digits.slice(0, 128)}${recovery}`
}

/** The headers of the proof of a creator, in the order in which they are checked. */
export const sealProofHeaders = {
  account: 'x-wallet-address',
  signature: 'x-signature',
  timestamp: 'x-timestamp',
} as const satisfies ProofHeaders

/** Returns whether a request claims to be signed: with any header of a proof it must have all. */
export const claimsProof = (
  headers: IncomingHttpHeaders,
  names: ProofHeaders = sealProofHeaders,
): boolean => Object.values(names).some((name) => headers[name] !== undefined)

/** Returns whether a request that needs no signature has one: its address alone may be that of a download. */
export const isSigned = (headers: IncomingHttpHeaders): boolean =>
  headers[sealProofHeaders.signature] !== undefined

/** The header with the digest of the body (RFC 9530). */
const digestHeader = 'content-digest'

/** A proof that a creator asks for a seal of one body. */
type SealProof = Proof & { readonly bodyDigest: Hex }

/**
 * Reads the proof of a creator and the digest of the body that it signed.
 *
 * @throws `proof/missing`, `proof/malformed`
 */
export function readSealProof(headers: IncomingHttpHeaders): SealProof {
  const proof = readProof(headers, sealProofHeaders)
  return { ...proof, bodyDigest: readBodyDigest(requireHeader(headers, digestHeader)) }
}

/** Returns the sha-256 among the digests of a body; it must be there once. */
function readBodyDigest(text: string): Hex {
  const members = text.split(',').map((member) => member.trim())
  const [member, ...more] = members.filter((it) => it.startsWith('sha-256='))
  const [, base64] = /^sha-256=:([A-Za-z0-9+/]{43}=):$/.exec(member ?? '') ?? []
  if (base64 === undefined || more.length > 0) throw malformed(digestHeader)
  const bytes = Buffer.from(base64, 'base64')
  // The last digit has two bits that are not of the digest; only zeros are its one spelling.
  if (bytes.toString('base64') !== base64) throw malformed(digestHeader)
  return `0x${bytes.toString('hex')}`
}

type Parts = {
  readonly gate: Pick<AcceptedProofs, 'originOf'>
  readonly deployment: Pick<Deployment, 'chainId' | 'registry'>
}

/**
 * Returns the place that a request to this server must be signed for.
 *
 * @throws `seal/not-offered` where the server does not know its own origin
 */
export function signedPlaceOf(
  { gate, deployment: { chainId, registry } }: Parts,
  request: FastifyRequest,
): SignedPlace {
  const origin = gate.originOf(request)
  if (origin === undefined) throw new Failure('seal/not-offered', { setting: 'PUBLIC_URL' })
  return { host: new URL(origin).host, chainId, registry }
}
