import type { Hex } from '@heirloom/core'
import { HeirloomError } from './heirloom-error.ts'
import type { Provenance } from './responses.ts'
import { badResponse, decodeResponse } from './transport/decode-response.ts'
import { encodeJson, requestLine } from './transport/request-line.ts'
import { type CallOptions, createTransport, type Transport } from './transport/transport.ts'

/** Returns the error of a memory that does not match the record. */
export const notVerified = (
  tokenId: string,
  problem: string,
): HeirloomError<'client/not-verified'> =>
  new HeirloomError({
    code: 'client/not-verified',
    facts: { tokenId, problem },
    message: `The memory of token ${tokenId} does not match the record: ${problem}.`,
  })

/** A chain node and the registry, to verify downloads without trust in the server. */
export type Proof = {
  /** The JSON-RPC address of the node. */
  readonly rpcUrl: string | URL
  /** The address of the MemoryRegistry, from a source other than the server. */
  readonly registry: Hex
}

/** Returns the recorded content hash of a token. */
export type ReadRecordedHash = (
  tokenId: string,
  options: Pick<CallOptions, 'signal'>,
) => Promise<Hex>

/** Reads the recorded hash from the server. */
export const readHashFromServer =
  ({ send }: Transport): ReadRecordedHash =>
  async (tokenId, options) => {
    const response = await send({ ...requestLine('provenance', tokenId), options })
    const record = decodeResponse<Provenance>(response)
    if (record.tokenId !== tokenId)
      throw notVerified(tokenId, 'the record is that of another token')
    return record.contentHash as Hex
  }

/** Reads the recorded hash from a chain node. */
export function readHashFromChain(
  { rpcUrl, registry }: Proof,
  options: Omit<createTransport.Options, 'url' | 'apiKey'>,
): ReadRecordedHash {
  const { send } = createTransport({ ...options, url: rpcUrl, field: 'proof.rpcUrl' })
  return async (tokenId, { signal }) => {
    const params = [{ to: registry, data: callData(tokenId) }, 'latest']
    const request = { jsonrpc: '2.0', id: 1, method: 'eth_call', params }
    const body = encodeJson(request)
    const response = await send({
      peer: 'node',
      method: 'POST',
      path: '',
      body,
      options: { signal },
    })
    const { result, error } = decodeResponse<Reply>(response)
    if (isRevert(error)) throw notVerified(tokenId, 'the chain does not know it')
    // A wrong registry address returns no data, or less than a record.
    if (!/^0x[0-9a-f]{512}$/i.test(result ?? '')) throw badResponse('the node returned no record')
    return contentHashIn(result as string)
  }
}

type Reply = {
  readonly result?: string
  readonly error?: { readonly code?: number; readonly data?: unknown }
}

// Most nodes use code 3 for a revert; others return the revert data under another code.
const isRevert = (error: Reply['error']) =>
  error?.code === 3 || (typeof error?.data === 'string' && error.data.startsWith(unknownToken))

/** The selector of `recordOf(uint256)`. */
const recordOf = '0x55d742e4'

/** The selector of the error `TokenNotFound(uint256)`. */
const unknownToken = '0x6caeb130'

const callData = (tokenId: string) => `${recordOf}${BigInt(tokenId).toString(16).padStart(64, '0')}`

/** Returns the fifth of the eight words of a record: the content hash. */
const contentHashIn = (record: string): Hex =>
  `0x${record.slice(2 + 4 * 64, 2 + 5 * 64).toLowerCase()}`
