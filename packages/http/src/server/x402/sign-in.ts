import { randomBytes } from 'node:crypto'
import { type Challenge, type Clock, Failure, type Proof, toSeconds } from '@heirloom/core'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { zeroAddress } from 'viem'
import { parseSiweMessage } from 'viem/siwe'
import { type Binding, signInText } from '../../api/signed-texts.ts'
import { proofOf } from '../request/proof-headers.ts'
import { networkOf } from './check-payment.ts'

/** The header of the extension `sign-in-with-x` of x402; its value is JSON in base64. */
export const signInHeader = 'sign-in-with-x'

/** The URL that a wallet signs in at. */
export type SignInPlace = Omit<Binding, 'origin'> & {
  readonly tokenId: string
  /** The whole URL of the request, on the origin of the server. */
  readonly uri: string
}

/** A proof, and the only text that it may have signed. */
export type SignedIn = { readonly proof: Proof; readonly challenges: readonly [Challenge] }

/**
 * Returns the members of the extension: a challenge for this URL alone. The server keeps nothing of it;
 * like any proof it counts until it is too old.
 */
export function challengeAt(place: SignInPlace, { now }: Pick<Clock, 'now'>) {
  const timestamp = toSeconds(now())
  const nonce = randomBytes(16).toString('hex')
  const text = signInText(place, { ...place, timestamp, nonce, address: zeroAddress })
  const { address: _, chainId: _id, issuedAt, expirationTime, ...same } = parseSiweMessage(text)
  const times = {
    issuedAt: issuedAt?.toISOString(),
    expirationTime: expirationTime?.toISOString(),
  }
  const supportedChains = [{ chainId: networkOf(place), type: 'eip191' }]
  return { info: { ...same, ...times }, supportedChains, schema }
}

const text = Type.String()
const Payload = Type.Object({
  address: text,
  nonce: Type.String({ pattern: '^[0-9a-f]{32}$' }),
  issuedAt: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.000Z$' }),
  signature: text,
})

/** The schema that the extension shows: the members that the server reads of a sign-in. */
const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: Object.fromEntries(Payload.required.map((name) => [name, { type: 'string' }])),
  required: Payload.required,
}

/** The longest header that is read, in characters: the signature of a contract is long. */
const longest = 24_576

/**
 * Reads a sign-in. All that the server chose is taken from the place and not from the header, so a
 * signature for another URL, server or chain is none for this one.
 *
 * @throws `proof/malformed`
 */
export function readSignIn(header: string, place: SignInPlace): SignedIn {
  const { address, nonce, issuedAt, signature } = decode(header)
  const timestamp = `${Date.parse(issuedAt) / 1000}`
  const proof = proofOf({ account: address, signature, timestamp }, allOf(signInHeader))
  const challenge: Challenge = (_, claim) =>
    signInText(place, { ...place, timestamp: claim.timestamp, address: claim.account, nonce })
  return { proof, challenges: [challenge] }
}

const allOf = (name: string) => ({ account: name, signature: name, timestamp: name })

function decode(header: string): Static<typeof Payload> {
  try {
    const payload: unknown = JSON.parse(Buffer.from(header, 'base64').toString())
    if (header.length <= longest && Value.Check(Payload, payload)) return payload
  } catch {
    // What cannot be parsed is refused as any other header that is no sign-in.
  }
  throw new Failure('proof/malformed', { header: signInHeader })
}
