import type { Hex } from '@heirloom/core'
import { type Binding, boundText, type SignedPlace } from '../../api/signed-texts.ts'
import { HeirloomError } from '../heirloom-error.ts'
import type { Deployment } from '../responses.ts'
import { decodeResponse } from '../transport/decode-response.ts'
import { requestLine } from '../transport/request-line.ts'
import type { Timers } from '../transport/retries.ts'
import type { Transport } from '../transport/transport.ts'

/** An account that signs access proofs; viem's `LocalAccount` has this type. */
export type Account = {
  /** The address of the account. */
  readonly address: Hex
  /** Signs a text as `personal_sign` does (ERC-191). */
  readonly signMessage: (input: { readonly message: string }) => Promise<Hex>
}

/** The claim of an access proof: the token, the time in milliseconds, and the server it is for. */
type Claim = {
  readonly tokenId: string
  readonly now: number
  readonly binding: Binding | undefined
}

/** Signs an access proof, and returns its request headers. */
export async function createAccessProof(
  { address, signMessage }: Account,
  { tokenId, now, binding }: Claim,
): Promise<Record<string, string>> {
  const timestamp = Math.floor(now / 1000)
  const message =
    binding === undefined
      ? `service:access:${tokenId}:${address}:${timestamp}`
      : boundText(binding, { tokenId, address, timestamp })
  return {
    'x-wallet-address': address,
    'x-wallet-timestamp': `${timestamp}`,
    'x-wallet-signature': await signMessage({ message }),
  }
}

/** The account of a client, and the parts that its proofs need. */
export type Prover = {
  readonly account: Account | undefined
  readonly timers: Timers
  /** Returns the binding of proofs for this server, or `undefined` when it does not accept one. */
  readonly readBinding: () => Promise<Binding | undefined>
}

/**
 * Returns the headers that prove to the gate of a token who asks, signed anew for each attempt.
 *
 * @throws `client/no-account`
 */
export function accessHeaders({ account, timers, readBinding }: Prover, tokenId: string) {
  if (account === undefined) throw noAccountError('download')
  return async () => {
    const binding = await readBinding()
    return createAccessProof(account, { tokenId, now: timers.now(), binding })
  }
}

/** Returns the failure of an act that needs an account, where the client has none. */
export const noAccountError = (act: string) =>
  new HeirloomError({
    code: 'client/no-account',
    facts: {},
    message: `No account. A ${act} needs one; set \`account\` in the client options.`,
  })

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
