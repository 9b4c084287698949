import { grantId, reads, typedGrant } from '@heirloom/adapters/internal/acts'
import type { Sender, WalletChain } from '@heirloom/adapters/internal/wallet'
import {
  account,
  type Grant,
  grantStatement,
  type Hex,
  requireFound,
  tokenId,
} from '@heirloom/core'
import { readAddress } from '../api/address.ts'
import { encodeGrant } from '../api/encode-records.ts'
import { depositText } from '../api/signed-texts.ts'
import type { NameCalls } from '../client/name-calls.ts'
import { findNamed } from '../client/named-memory.ts'
import type { TokenIdInput } from '../client/requests.ts'
import type { Grant as EncodedGrant, OtherGrant } from '../client/responses.ts'
import { decodeResponse } from '../client/transport/decode-response.ts'
import { refuseUnknown } from '../client/transport/known-members.ts'
import { encodeJson, encodeTokenId, requestLine } from '../client/transport/request-line.ts'
import type { CallOptions, Transport } from '../client/transport/transport.ts'

/** The reader of a token or of the versions of a name, and the end. */
export type GrantInput = GrantedThing & GrantTerms

/** A token; or the first version of a private name, with the name. */
export type TokenGrantInput = GrantTerms & {
  readonly tokenId: TokenIdInput
  readonly name?: string | undefined
}

type GrantTerms = {
  /** The account that may read. */
  readonly reader: Hex
  /** The end, in seconds since 1970: at most 366 days from now. */
  readonly expires: number
  /** The rights: `read` when absent. With `read and save` the reader also saves versions of the name. */
  readonly rights?: 'read' | 'read and save' | undefined
  /** A text for the owner alone, at most 64 characters. */
  readonly label?: string | undefined
  /** The origins of further servers where it counts; the server of the wallet always is one. */
  readonly holders?: readonly string[] | undefined
}

/** A token, or a private name of the account that has versions. */
type GrantedThing =
  | { readonly tokenId: TokenIdInput; readonly name?: undefined }
  | { readonly name: string; readonly tokenId?: undefined }

/** A grant that was deposited at the server of the wallet; the body deposits it at the others. */
export type Granted = {
  readonly id: Hex
  readonly grant: EncodedGrant
  /** The others of the same to the same account at that server: each goes on when another one is revoked. */
  readonly others: readonly OtherGrant[]
  /** The body for `POST /api/grants` at the other holders, within 120 seconds. */
  readonly deposit: string
}

declare namespace grantMemory {
  type Parts = {
    readonly transport: Pick<Transport, 'send'>
    readonly url: URL
    readonly chain: Pick<WalletChain, 'chainId'> & {
      readonly client: Parameters<typeof reads>[0]
      readonly pair: Parameters<typeof reads>[1]
    }
    readonly account: Pick<Sender, 'address' | 'signMessage' | 'signTypedData'>
    readonly now: () => number
  }
}

/**
 * Lets an account read the memory of a token of this account, or the versions of its name: signs a grant
 * and its deposit, and brings both to the server.
 */
export async function grantMemory(
  { transport, url, chain, account: signer, now }: grantMemory.Parts,
  input: TokenGrantInput,
  options: Pick<CallOptions, 'signal'> = {},
): Promise<Granted> {
  const known = {
    tokenId: 1,
    name: 1,
    reader: 1,
    expires: 1,
    rights: 1,
    label: 1,
    holders: 1,
  } as const
  refuseUnknown<TokenGrantInput>('grant', input, known)
  const { chainId, pair, client } = chain
  const registry = { chainId, address: account(pair.registry) }
  const { name = '', rights = 'read' } = input
  const id = tokenId(encodeTokenId(input.tokenId))
  const { transferCount, digest } = requireFound(id, await reads(client, pair).holding(id))
  const terms = {
    owner: account(signer.address),
    reader: readAddress(input.reader),
    tokenId: id,
    transferCount: name === '' ? transferCount : 0n,
    digest,
    name,
    rights,
    holders: [...new Set([url.origin, ...(input.holders ?? [])])].toSorted(),
    issuedAt: Math.floor(now() / 1000),
    expires: input.expires,
  }
  const grant: Grant = { ...terms, statement: grantStatement(terms), salt: drawSalt() }
  const signature = await signer.signTypedData(typedGrant(grant, registry))
  const { label = '' } = input
  const timestamp = Math.floor(now() / 1000)
  const claim = { grant: grantId(grant, registry), owner: grant.owner, label, timestamp }
  const { origin } = url
  const message = depositText({ origin, chainId }, claim)
  const proof = { origin, timestamp, signature: await signer.signMessage({ message }) }
  const encoded = encodeGrant(grant)
  const body = encodeJson({ grant: encoded, signature, label, proof })
  const { id: deposited, others = [] } = await sendDeposit(transport, body, options)
  return { id: deposited, grant: encoded, others, deposit: new TextDecoder().decode(body) }
}

/** Returns a sentence on each other grant of the same to the same account. */
export const describeOthers = (others: Granted['others']): readonly string[] =>
  others.map(({ id, rights, expires }) => {
    const end = new Date(expires * 1000).toISOString().slice(0, 10)
    return `It may ${rights} by ${id} already, until ${end} (UTC). Revoking one leaves the other.`
  })

/** Deposits a grant at a server that it names, and returns its id and, unless it is older, the others. */
export async function sendDeposit(
  { send }: Pick<Transport, 'send'>,
  body: Uint8Array<ArrayBuffer>,
  options: Pick<CallOptions, 'signal'> = {},
): Promise<Pick<Granted, 'id'> & Partial<Pick<Granted, 'others'>>> {
  return decodeResponse(await send({ ...requestLine('depositGrant'), body, options }))
}

/** Returns what is granted with its token: of a name, that of its first version. */
export async function withToken(
  { versions }: Pick<NameCalls, 'versions'>,
  input: GrantInput,
): Promise<TokenGrantInput> {
  const { name } = input
  if (name === undefined) return input
  const { tokenId } = await findNamed(name, 1, (page) => versions(name, page))
  return { ...input, tokenId }
}

const drawSalt = (): Hex => {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return `0x${[...bytes].map((it) => it.toString(16).padStart(2, '0')).join('')}`
}
