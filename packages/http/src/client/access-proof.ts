import type { Hex } from '@heirloom/core'
import {
  type Binding,
  boundText,
  grantedText,
  namesText,
  type SignedPlace,
  sealText,
} from '../api/signed-texts.ts'
import { hexOf, sha256 } from './content-hash.ts'
import { HeirloomError } from './heirloom-error.ts'
import type { Deployment } from './responses.ts'
import { decodeResponse, readWhole } from './transport/decode-response.ts'
import { encodeJson, requestLine } from './transport/request-line.ts'
import type { Timers } from './transport/retries.ts'
import type { Call, Transport } from './transport/transport.ts'

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
  /** The grant by which the account may read; absent for an owner or a renter. */
  readonly grant?: Hex | undefined
}

/** Signs an access proof, and returns its request headers. */
export async function createAccessProof(
  { address, signMessage }: Account,
  { now, ...claim }: Claim,
): Promise<Record<string, string>> {
  const timestamp = Math.floor(now / 1000)
  const message = accessText(claim, { tokenId: claim.tokenId, address, timestamp })
  return {
    'x-wallet-address': address,
    'x-wallet-timestamp': `${timestamp}`,
    'x-wallet-signature': await signMessage({ message }),
  }
}

type Signed = Parameters<typeof boundText>[1]

function accessText({ binding, grant }: Omit<Claim, 'now'>, signed: Signed): string {
  if (grant === undefined && binding === undefined) {
    return `service:access:${signed.tokenId}:${signed.address}:${signed.timestamp}`
  }
  if (binding === undefined) throw notBoundError()
  return grant === undefined
    ? boundText(binding, signed)
    : grantedText(binding, { ...signed, grant })
}

const notBoundError = () =>
  new HeirloomError({
    code: 'seal/not-offered',
    facts: { setting: 'PUBLIC_URL' },
    message:
      'The server cannot verify that a proof is meant for it, so it takes none for a grant; ask its operator to set PUBLIC_URL.',
  })

/** The account of a client, and the parts that its proofs need. */
export type Prover = {
  readonly account: Account | undefined
  readonly timers: Timers
  /** Returns the binding of proofs for this server, or `undefined` when it does not accept one. */
  readonly readBinding: () => Promise<Binding | undefined>
  /** The grant by which the account reads; absent for its own right. */
  readonly grant?: Hex | undefined
}

/**
 * Returns the headers that prove to the gate of a token who asks, signed anew for each attempt.
 *
 * @throws `client/no-account`
 */
export function accessHeaders({ account, timers, readBinding, grant }: Prover, tokenId: string) {
  if (account === undefined) throw noAccountError('download')
  return async () => {
    const binding = await readBinding()
    return createAccessProof(account, { tokenId, now: timers.now(), binding, grant })
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

/** The account that signs a text, and the time in seconds since the Unix epoch. */
type Signing = { readonly account: Hex; readonly timestamp: number }

/** Returns a text to sign, for a place. */
type TextOf = (place: SignedPlace, by: Signing) => string

/** Returns the headers of a proof: the account signs the text for a server and a time. */
export async function proofHeaders(
  { address, signMessage }: Account,
  { place, now }: ProofContext,
  textOf: TextOf,
): Promise<Record<string, string>> {
  const timestamp = Math.floor(now / 1000)
  const signature = await signMessage({ message: textOf(place, { account: address, timestamp }) })
  return { 'x-wallet-address': address, 'x-timestamp': `${timestamp}`, 'x-signature': signature }
}

/** Returns the headers of a proof: the account signs the text for this server and this time. */
async function signedHeaders(
  { transport, url, timers }: RequestSigner,
  account: Account,
  textOf: TextOf,
): Promise<Record<string, string>> {
  const reply = await transport.send({ ...requestLine('deployment'), options: {} })
  const { chainId, registry } = decodeResponse<Deployment>(reply)
  const place = { host: new URL(url).host, chainId, registry }
  return proofHeaders(account, { place, now: timers.now() }, textOf)
}

/** A request, the account that signs it, if any does, and the text that it signs. */
type SignedRequest = Pick<Call, 'method' | 'path' | 'options'> & {
  readonly account: Account | undefined
  readonly textOf: TextOf
  /** The body, as a value of JSON; none when absent. */
  readonly content?: object
}

/** Sends a request with the signature of its account, and decodes the response. */
export async function sendSigned<T extends object>(
  signer: RequestSigner,
  { account, textOf, content, ...request }: SignedRequest,
): Promise<T> {
  const headers = account && (await signedHeaders(signer, account, textOf))
  const body = content && encodeJson(content)
  return decodeResponse(
    await signer.transport.send({ ...request, body, headers: () => headers ?? {} }),
  )
}

/** A body to seal, the server, chain and registry that it is for, and the time, in milliseconds. */
type SealClaim = {
  readonly place: SignedPlace
  readonly body: Uint8Array<ArrayBuffer>
  readonly now: number
}

/**
 * Returns the headers with which a server seals a body for an account, which signs them for this server,
 * chain and registry, and for these bytes alone.
 */
export async function sealHeaders(
  account: Account,
  { body, ...context }: SealClaim,
): Promise<Record<string, string>> {
  const digest = await sha256(body)
  const bodyDigest = hexOf(digest)
  const proof = await proofHeaders(account, context, (place, by) =>
    sealText(place, { ...by, bodyDigest }),
  )
  return { ...proof, 'content-digest': `sha-256=:${btoa(String.fromCharCode(...digest))}:` }
}

/**
 * Returns the binding of proofs for a server, if it accepts bound proofs for the origin the client
 * uses. A server that names another origin could forward the proof to that origin.
 */
export function findBinding(
  { proofs, origin, chainId, registry }: Deployment,
  usedOrigin: string,
): Binding | undefined {
  if (!proofs?.includes('eip4361') || origin !== usedOrigin) return undefined
  return { origin, chainId, registry: registry as Binding['registry'] }
}

/**
 * Returns the place that requests to a server are signed for, unless it knows another origin than the
 * client uses, or none: it would refuse the signature.
 */
export function signedPlace(
  { origin, chainId, registry }: Deployment,
  usedOrigin: string,
): SignedPlace | undefined {
  if (origin !== usedOrigin) return undefined
  return { host: new URL(usedOrigin).host, chainId, registry }
}

/** A request whose text an account signs. */
export type SignedCall = Pick<Call, 'method' | 'path' | 'body'>

/** Returns the headers with which an account signs a request, and the names that it may mean as its own. */
export async function callHeaders(
  account: Account,
  context: ProofContext,
  { method, path, body }: SignedCall,
): Promise<Record<string, string>> {
  const bodyDigest = body && hexOf(await sha256(body))
  return proofHeaders(account, context, (place, by) =>
    namesText(place, { ...by, method, path, bodyDigest }),
  )
}

type CallSigner = {
  readonly transport: Pick<Transport, 'send'>
  readonly account: Account | undefined
  readonly timers: Pick<Timers, 'now'>
  readonly origin: string
  readonly readDeployment: () => Promise<Deployment | undefined>
}

/**
 * Returns the function that sends calls which the account signs for the server that is read from, each
 * attempt anew; none are signed without an account.
 */
export const signedSend = ({
  transport,
  account,
  timers,
  origin,
  readDeployment,
}: CallSigner): Transport['send'] => {
  const sign = async (call: SignedCall) => {
    const deployment = account && (await readDeployment())
    const place = deployment && signedPlace(deployment, origin)
    if (account === undefined || place === undefined) return {}
    return callHeaders(account, { place, now: timers.now() }, call)
  }
  return (call) =>
    transport.send({
      ...call,
      headers: async () => ({ ...(await call.headers?.()), ...(await sign(call)) }),
    })
}

/** Returns a lookup of what a server reports of itself, which is read once; a failed read is repeated. */
export function deploymentLookup({
  open,
}: Pick<Transport, 'open'>): () => Promise<Deployment | undefined> {
  let cached: Promise<Deployment | undefined> | undefined
  const read = async () => {
    const reply = await open({ ...requestLine('deployment'), options: {} })
    return decodeResponse<Deployment>({ status: reply.status, bytes: await readWhole(reply) })
  }
  return () => {
    cached ??= read().catch(() => {
      cached = undefined
      return undefined
    })
    return cached
  }
}
