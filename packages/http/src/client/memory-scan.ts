import type { Finding } from '../scan/finding.ts'
import type { Scan } from '../scan/scan.ts'
import type { Account } from './proof/access-proof.ts'
import type { Reads } from './reads.ts'
import type { TokenIdInput } from './requests.ts'
import { sourceCreator } from './source-creator.ts'
import type { Timers } from './transport/timers.ts'
import type { CallOptions } from './transport/transport.ts'

/**
 * Which memories are scanned when they are downloaded: those whose source another account created,
 * all, or none.
 */
export type ScanChoice = 'others' | 'always' | 'never'

/** What a scan of a downloaded memory found. */
export type ScannedMemory<Data extends object = object> = {
  /** Whether it was scanned. One's own memories are not, unless that is chosen. */
  readonly isScanned: boolean
  /** What could mislead or steer whoever reads it, in the order of the document; 25 of each kind. */
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
   * Returns whether the account of the client created the source of a token, as the server reports
   * it: the snapshot at the end of its chain of licensed forks.
   */
  readonly isOwn: (tokenId: TokenIdInput, options?: Pick<CallOptions, 'signal'>) => Promise<boolean>
}

type Parts = {
  readonly lineage: Reads['lineage']
  readonly account: Account | undefined
  readonly timers: Timers
}

/** The most tokens whose source is remembered. */
const mostKnown = 1000

/** Creates the calls that scan. What scans is loaded at their first use. */
export function createScans({ lineage, account, timers }: Parts): Scans {
  // The creator of the source of a token never changes.
  const known = new Map<string, boolean>()
  return {
    scan: async (content, { signal } = {}) => {
      const text =
        typeof content === 'string'
          ? content
          : new TextDecoder('utf-8', { ignoreBOM: true }).decode(content)
      const { scanInSteps } = await import('../scan/scan-text.ts')
      return scanInSteps(text, () => timers.wait(0, signal))
    },
    isOwn: async (tokenId, options) => {
      const found = known.get(`${tokenId}`)
      if (found !== undefined) return found
      const creator = sourceCreator(await lineage(tokenId, {}, options))
      const isOwn = creator?.toLowerCase() === account?.address.toLowerCase()
      if (known.size < mostKnown) known.set(`${tokenId}`, isOwn)
      return isOwn
    },
  }
}

/** Returns the members of a downloaded memory that say what a scan found. */
export async function describeScan<Data extends object>(
  memory: Pick<QuarantinedMemory<Data>, 'data' | 'metadata' | 'document'>,
  scan: Scan | undefined,
): Promise<ScannedMemory<Data>> {
  const { data, metadata, document } = memory
  if (scan === undefined) {
    const whole = () => ({ data, metadata, document, held: 0 })
    return { isScanned: false, findings: [], quarantine: whole }
  }
  const { quarantine } = await import('../scan/quarantine.ts')
  const held = () => {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(document)
    const left = quarantine(text, scan)
    const copy: unknown = JSON.parse(left)
    const parts = (scan.isAllHeld ? allHeld : copy) as typeof memory
    const bytes = new TextEncoder().encode(left)
    return { data: parts.data, metadata: parts.metadata, document: bytes, held: scan.held.length }
  }
  return { isScanned: true, findings: scan.findings, quarantine: held }
}

/** What is left of a memory that is held back as a whole. */
const allHeld = { data: {}, metadata: { category: 'quarantine' } }
