import type { Finding, Scan } from '@heirloom/adapters/internal/scan/finding'
import type { Answer } from '../api/operations/operations.ts'
import { accessHeaders, type Prover } from './access-proof.ts'
import { isHeirloomError } from './heirloom-error.ts'
import type { TokenIdInput } from './requests.ts'
import { decodeResponse } from './transport/decode-response.ts'
import { encodeTokenId, requestLine } from './transport/request-line.ts'
import type { CallOptions, Transport } from './transport/transport.ts'

/** Which memories are scanned when they are downloaded: those that are not one's own, all, or none. */
export type ScanChoice = 'others' | 'always' | 'never'

/** Describes what a scan of a downloaded memory found. */
export type ScannedMemory<Data extends object = object> = {
  /** Whether it was scanned. One's own memories are not, unless that is chosen. */
  readonly isScanned: boolean
  /** Describes what could mislead or steer its reader, in the order of the document; 25 of each kind. */
  readonly findings: readonly Finding[]
  /**
   * Returns a copy in which a note stands in the place of every string with a finding that is not
   * `low`, and how many there are. The memory itself stays as it is.
   */
  readonly quarantine: () => QuarantinedMemory<Data>
}

/** A copy of a memory without what is held back. It is not what the chain records. */
export type QuarantinedMemory<Data extends object = object> = {
  readonly data: Data
  readonly metadata: { readonly category: string; readonly [member: string]: unknown }
  /** The JSON text in UTF-8: the exact bytes, but for the strings that are held back. */
  readonly document: Uint8Array<ArrayBuffer>
  /** The number of strings that are held back. */
  readonly held: number
}

/** The calls that scan. */
export type Scans = {
  /**
   * Scans a text, or bytes in UTF-8: JSON value by value, anything else as one string. Pauses now
   * and then, so that a long text stops nothing else.
   */
  readonly scan: (
    content: string | Uint8Array,
    options?: Pick<CallOptions, 'signal'>,
  ) => Promise<Scan>
  /**
   * Returns whether a memory that the account of the client may open is its own, as the server reports
   * it: the account saved it, or minted it with a wallet of its own, and so it did with the versions
   * before it, or accepted them. A licensed fork is nobody's own.
   */
  readonly isOwn: (tokenId: TokenIdInput, options?: Pick<CallOptions, 'signal'>) => Promise<boolean>
}

type Parts = Prover & { readonly transport: Pick<Transport, 'send'> }

/** Creates the calls that scan. What scans is loaded at their first use. */
export const createScans = ({ transport, ...prover }: Parts): Scans => ({
  scan: async (content, { signal } = {}) => {
    const { scanContent } = await import('@heirloom/adapters/internal/scan/scan-text')
    return scanContent(content, () => prover.timers.wait(0, signal))
  },
  isOwn: async (id, options = {}) => {
    if (prover.account === undefined) return false
    const headers = accessHeaders(prover, encodeTokenId(id))
    const call = { ...requestLine('isOwn', id), headers, options }
    const answer = await transport.send(call).catch(ignoreDenied)
    return answer !== undefined && decodeResponse<Answer<'isOwn'>>(answer).isOwn
  },
})

/** Nothing that the account may not open is its own. */
function ignoreDenied(error: unknown): undefined {
  if (!isHeirloomError(error, 'access/denied')) throw error
}

type Copied<Data extends object> = Omit<QuarantinedMemory<Data>, 'held'>

/** Returns the members of a downloaded memory that say what a scan found. */
export async function describeScan<Data extends object>(
  { data, metadata, document }: Copied<Data>,
  scan: Scan | undefined,
): Promise<ScannedMemory<Data>> {
  if (scan === undefined) {
    const quarantine = () => ({ data, metadata, document, held: 0 })
    return { isScanned: false, findings: [], quarantine }
  }
  const { quarantineMemory } = await import('@heirloom/adapters/internal/scan/scan-text')
  // Like that of a download, its shape is what the caller says.
  const quarantine = () => quarantineMemory(document, scan) as QuarantinedMemory<Data>
  return { isScanned: true, findings: scan.findings, quarantine }
}
