import type { SignedPlace } from '../../api/signed-place.ts'
import type { Deployment } from '../responses.ts'
import { decodeResponse } from '../transport/decode-response.ts'
import { requestLine } from '../transport/request-line.ts'
import type { Timers } from '../transport/timers.ts'
import type { Transport } from '../transport/transport.ts'
import type { Account } from './access-proof.ts'

/** The parts that sign a request for the server at the address that the client uses. */
export type RequestSigner = {
  readonly transport: Pick<Transport, 'send'>
  readonly url: string | URL
  readonly timers: Pick<Timers, 'now'>
}

/** The server, its chain and its contracts that a proof is for, and the time, in milliseconds. */
type ProofContext = { readonly place: SignedPlace; readonly now: number }

/** Returns a text to sign, for a place and a time in seconds since 1970. */
type TextOf = (place: SignedPlace, timestamp: number) => string

/** Returns the headers of a proof: the account signs the text for a server and a time. */
export async function proofHeaders(
  { address, signMessage }: Account,
  { place, now }: ProofContext,
  textOf: TextOf,
): Promise<Record<string, string>> {
  const timestamp = Math.floor(now / 1000)
  const signature = await signMessage({ message: textOf(place, timestamp) })
  return { 'x-wallet-address': address, 'x-timestamp': `${timestamp}`, 'x-signature': signature }
}

/** Returns the headers of a proof: the account signs the text for this server and this time. */
export async function signedHeaders(
  { transport, url, timers }: RequestSigner,
  account: Account,
  textOf: TextOf,
): Promise<Record<string, string>> {
  const reply = await transport.send({ ...requestLine('deployment'), options: {} })
  const { chainId, registry } = decodeResponse<Deployment>(reply)
  const place = { host: new URL(url).host, chainId, registry }
  return proofHeaders(account, { place, now: timers.now() }, textOf)
}
