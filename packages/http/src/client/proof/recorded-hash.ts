import type { Hex } from '@heirloom/core'
import { badAnswer, jsonOf } from '../transport/decode-response.ts'
import { notVerified } from './not-verified.ts'
import type { Provenance } from '../responses.ts'
import { type CallOptions, type Transport, transport } from '../transport/transport.ts'

/** A node of the chain and the registry there, so that the server need not be believed. */
export type Proof = {
  readonly rpcUrl: string | URL
  /** The address of the MemoryRegistry, from somewhere other than the server. */
  readonly registry: Hex
}

/** Returns the content hash that is recorded for a token. */
export type AskRecorded = (tokenId: string, options: Pick<CallOptions, 'signal'>) => Promise<Hex>

/** Asks the server's info record. */
export const recordedByServer =
  ({ send }: Transport): AskRecorded =>
  async (tokenId, options) => {
    const path = `/api/memory/${tokenId}/info`
    const record = jsonOf<Provenance>(await send({ method: 'GET', path, options }))
    if (record.tokenId !== tokenId)
      throw notVerified(tokenId, 'the record is that of another token')
    return record.contentHash as Hex
  }

/** Asks a node of the chain. */
export function recordedOnChain(
  { rpcUrl, registry }: Proof,
  options: Omit<transport.Options, 'url' | 'apiKey'>,
): AskRecorded {
  const { send } = transport({ ...options, url: rpcUrl })
  return async (tokenId, { signal }) => {
    const params = [{ to: registry, data: callData(tokenId) }, 'latest']
    const request = { jsonrpc: '2.0', id: 1, method: 'eth_call', params }
    const body = new TextEncoder().encode(JSON.stringify(request))
    const answer = await send({ peer: 'node', method: 'POST', path: '', body, options: { signal } })
    const { result, error } = jsonOf<Reply>(answer)
    if (isRevert(error)) throw notVerified(tokenId, 'the chain does not know it')
    // A registry that is none answers with nothing, or with less than a record.
    if (!/^0x[0-9a-f]{512}$/i.test(result ?? '')) throw badAnswer('the node tells no record')
    return hashIn(result as string)
  }
}

type Reply = {
  readonly result?: string
  readonly error?: { readonly code?: number; readonly data?: unknown }
}

// Nodes agree on code 3 for a revert, but for some that give its data under a code of their own.
const isRevert = (error: Reply['error']) =>
  error?.code === 3 || (typeof error?.data === 'string' && error.data.startsWith(unknownToken))

/** The selector of `recordOf(uint256)`. */
const recordOf = '0x55d742e4'

/** The selector of the error `TokenNotFound(uint256)`. */
const unknownToken = '0x6caeb130'

const callData = (tokenId: string) => `${recordOf}${BigInt(tokenId).toString(16).padStart(64, '0')}`

/** Of creator, timestamp, parent, licence, content hash and three more, 32 bytes each. */
const hashIn = (record: string): Hex => `0x${record.slice(2 + 4 * 64, 2 + 5 * 64).toLowerCase()}`
