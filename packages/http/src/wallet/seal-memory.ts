import { type MintItem, reads } from '@heirloom/adapters/internal/acts'
import type { WalletChain } from '@heirloom/adapters/internal/wallet'
import {
  account as accountOf,
  documentOf,
  type Hex,
  partCard,
  card as readCard,
  sameAccount,
  tokenId,
} from '@heirloom/core'
import { type Account, sealHeaders } from '../client/access-proof.ts'
import type { SnapshotInput } from '../client/requests.ts'
import { encodeContent, snapshotBody } from '../client/snapshot-body.ts'
import { decodeResponse } from '../client/transport/decode-response.ts'
import { encodeTokenId, requestLine } from '../client/transport/request-line.ts'
import type { CallOptions, Transport } from '../client/transport/transport.ts'
import { checkSeal, type Seal } from './check-seal.ts'
import type { OwnSnapshotInput } from './wallet.ts'

/** The body of a request for a seal, and what the request names. */
export type SealBody = {
  readonly body: Uint8Array<ArrayBuffer>
  /** The bytes that the server must seal: data and metadata, in this order, as they are given. */
  readonly document: Uint8Array
  readonly recipient: Hex
  /** Whether it is the next version of a name, which a seal holds until it is minted. */
  readonly isNamed: boolean
  /** The parent that the seal must have; `undefined` where the last version of a name is. */
  readonly parent: bigint | undefined
  readonly card: SnapshotInput['card']
  /** The salt to seal under; the server draws one when absent. */
  readonly salt: SnapshotInput['salt']
}

/**
 * Encodes the request to seal a memory for an account, which also owns the token unless the memory
 * names a recipient.
 *
 * @throws `bundle/malformed`, `json/malformed`, `json/duplicate-member`, `json/too-deep`,
 * `card/malformed`, `value/invalid`
 */
export async function encodeSealBody(memory: OwnSnapshotInput, address: Hex): Promise<SealBody> {
  const { recipient = address, parentTokenId = '0', salt, name, accept } = memory
  const parts = memory.card && partCard(memory.card)
  const card = parts && { ...readCard(parts.card), ...excerptsOf(parts) }
  const text = await encodeContent(memory)
  const document = documentOf(text)
  const parent = encodeTokenId(parentTokenId, 'parentTokenId')
  const after = memory.after === undefined ? undefined : encodeTokenId(memory.after, 'after')
  const line = { ...(name && { name }), ...(after && { after }) }
  const body = snapshotBody(text, { card, parentTokenId: parent, recipient, salt, accept, ...line })
  const isNamed = name !== undefined
  return { body, document, recipient, isNamed, parent: parentAfter(parent, line), card, salt }
}

/** Returns the parent of the next version of a name; `undefined` where only the server knows the last one. */
function parentAfter(
  parent: string,
  { name, after }: { readonly name?: string; readonly after?: string },
): bigint | undefined {
  if (name === undefined || after === '0') return BigInt(parent)
  if (after === undefined) return parent === '0' ? undefined : BigInt(parent)
  return BigInt(after)
}

const excerptsOf = ({ excerpts }: ReturnType<typeof partCard>) =>
  excerpts.length === 0 ? {} : { excerpts }

/** A content hash or a digest, of which only the size matters for the cost. */
const anyHash = `0x${'5a'.repeat(32)}` as const

/** Returns a mint that costs as much as that of a memory which is not sealed yet. */
export const unsealedMint = ({ recipient, parent = 0n, card }: SealBody): MintItem => ({
  recipient,
  parent,
  contentHash: anyHash,
  digest: anyHash,
  card: card === undefined ? undefined : anyHash,
})

export declare namespace sealMemory {
  type Parts = {
    readonly transport: Transport
    /** The address of the server, as the caller uses it. */
    readonly url: URL
    readonly chain: Pick<WalletChain, 'chainId' | 'pair' | 'client'>
    readonly account: Account
    readonly now: () => number
  }
}

/**
 * Lets the server seal and store a memory for the account, and returns the mint that the account may
 * then sign. The request is signed for this server, chain and registry, and for these bytes alone.
 *
 * @throws `client/not-as-requested`, and the failures of the server
 */
export async function sealMemory(
  { transport, url, chain, account, now }: sealMemory.Parts,
  { body, document, recipient, parent, card, salt }: SealBody,
  options: CallOptions,
): Promise<MintItem> {
  const { chainId, pair } = chain
  const place = { host: url.host, chainId, registry: pair.registry }
  const headers = await sealHeaders(account, { place, body, now: now() })
  const call = { ...requestLine('seal'), body, options }
  const response = await transport.send({ ...call, headers: () => headers })
  const request = { ...place, creator: account.address, recipient, card, document, salt }
  return checkSeal(decodeResponse<Seal>(response), {
    ...request,
    parent: parent ?? ownParent(chain, account),
    now: now(),
  })
}

/**
 * Returns whether a token, the last version of a name as the server tells it, is one that the account
 * made, or that it owns, such as one that the wallet of the server minted for it.
 */
const ownParent =
  ({ client, pair }: sealMemory.Parts['chain'], { address }: Account) =>
  async (parent: bigint): Promise<boolean> => {
    if (parent === 0n) return true
    const account = accountOf(address)
    const last = await reads(client, pair).access(tokenId(parent), account)
    if (last === undefined) return false
    const { owner, source } = last
    const isMaker = source.tokenId === parent && sameAccount(source.creator, account)
    return isMaker || sameAccount(owner, account)
  }
