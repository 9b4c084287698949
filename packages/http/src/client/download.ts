import type { Hex } from '@heirloom/core'
import { accessHeaders, type Prover } from './access-proof.ts'
import { contentHashOf } from './content-hash.ts'
import { describeScan, type ScanChoice, type ScannedMemory, type Scans } from './memory-scan.ts'
import { notVerified, type ReadRecordedHash } from './recorded-hash.ts'
import type { TokenIdInput } from './requests.ts'
import { decodeResponse, mostOfMemory, type ReceivedResponse } from './transport/decode-response.ts'
import { encodeTokenId, memoryLine } from './transport/request-line.ts'
import type { CallOptions, Transport } from './transport/transport.ts'

/**
 * A downloaded memory whose content hash is the recorded one. `Data` is what the caller says of the
 * shape of its data, which nothing checks.
 */
export type Memory<Data extends object = object> = ScannedMemory<Data> & {
  /** The id of the token, a decimal string. */
  readonly tokenId: string
  /** The parsed `data` of the document. */
  readonly data: Data
  /** The parsed `metadata` of the document. */
  readonly metadata: { readonly category: string; readonly [member: string]: unknown }
  /** The exact bytes of the sealed JSON text, in UTF-8. */
  readonly document: Uint8Array<ArrayBuffer>
  /** The sha256 of the salt and the document: 0x and 64 hex digits. */
  readonly contentHash: Hex
  /** The 32 random bytes before the document in its content hash: 0x and 64 hex digits. */
  readonly salt: Hex
}

type Parts = Prover & {
  readonly transport: Transport
  readonly readRecordedHash: ReadRecordedHash
  readonly scans: Scans
}

/** The options of a download. */
export type DownloadOptions = CallOptions & {
  /** Which memories are scanned for what could mislead their reader; `others` when absent. */
  readonly scan?: ScanChoice | undefined
}

/** Downloads a memory. */
export type Download = <Data extends object = object>(
  tokenId: TokenIdInput,
  options?: DownloadOptions,
) => Promise<Memory<Data>>

/** Creates the `download` call. */
export const createDownload =
  (parts: Parts): Download =>
  async <Data extends object>(id: TokenIdInput, options: DownloadOptions = {}) => {
    const { transport, readRecordedHash } = parts
    const tokenId = encodeTokenId(id)
    const headers = accessHeaders(parts, tokenId)
    const [response, expected, isScanned] = await Promise.all([
      transport.send({
        ...memoryLine('download', tokenId, parts.grant),
        most: mostOfMemory,
        headers,
        options,
      }),
      readRecordedHash(tokenId, { signal: options.signal }),
      isToScan(parts, tokenId, options),
    ])
    const memory = await verify<Data>(response, tokenId, expected)
    const scan = isScanned ? await parts.scans.scan(memory.document, options) : undefined
    return { ...memory, ...(await describeScan(memory, scan)) }
  }

/** Returns whether a memory is scanned. One whose source is not known counts as that of another. */
async function isToScan(
  { scans }: Parts,
  tokenId: string,
  { scan = 'others', signal }: DownloadOptions,
): Promise<boolean> {
  if (scan !== 'others') return scan === 'always'
  return !(await scans.isOwn(tokenId, { signal }).catch(() => false))
}

async function verify<Data extends object>(
  response: ReceivedResponse,
  tokenId: string,
  expected: Hex,
): Promise<Omit<Memory<Data>, keyof ScannedMemory>> {
  const { headers, bytes } = response
  const salt = (headers.get('x-content-salt') ?? '') as Hex
  if (!/^0x[0-9a-f]{64}$/.test(salt)) throw notVerified(tokenId, 'the response has no salt')
  const computed = await contentHashOf(salt, bytes)
  if (computed !== expected) {
    throw notVerified(tokenId, `its content hash is ${computed} and not ${expected}`)
  }
  if (headers.get('x-content-hash') !== computed) {
    throw notVerified(tokenId, 'the server reports another content hash')
  }
  const { data, metadata } = decodeResponse<Pick<Memory<Data>, 'data' | 'metadata'>>(response)
  return { tokenId, data, metadata, document: bytes, contentHash: computed, salt }
}
