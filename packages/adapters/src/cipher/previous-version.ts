import { type Digest, digest, isFailure, type SealOptions, sameContext } from '@heirloom/core'
import { openChunks, payloadLength } from './chunks.ts'
import type { CipherParts, Unsealed } from './cipher-parts.ts'
import { type Header, readContext } from './envelope.ts'
import type { LastTerms } from './parts/last-version.ts'
import { readRoot } from './parts/list-root.ts'
import { readHeader } from './read-header.ts'
import { type EnvelopeKeys, openHeader, openHidden, openLineKey, wipe } from './sealed-header.ts'
import type { Secretbox } from './secretbox.ts'
import { unreadable } from './sections.ts'

/** The last version of a line, as far as the next one needs it. */
export type PreviousVersion = LastTerms & {
  readonly packs: readonly Digest[]
  /** The packs with nodes of its list, in their order. */
  readonly nodePacks: readonly Uint8Array[]
}

type Blobs = SealOptions['blobs']

/**
 * Reads the last version of the line of a document; `undefined` when there is none here that the
 * document can go on from: of the same creator in the same registry, of a line with the same name,
 * sealed under the current sealing key, and with all its packs.
 */
export async function previousVersion(
  parts: CipherParts,
  { context, options: { blobs, line } }: Unsealed,
): Promise<PreviousVersion | undefined> {
  if (line?.previous === undefined) return undefined
  try {
    const sealed = await blobs.get(line.previous)
    const header = readHeader(sealed)
    const opened = sameContext(readContext(header.context), context)
      ? openPrevious(parts, { header, sealed, name: line.name })
      : undefined
    return opened && (await withPacks(opened, blobs))
  } catch (error) {
    if (isFailure(error)) return undefined
    throw error
  }
}

type Found = { readonly header: Header; readonly sealed: Uint8Array; readonly name: string }

function openPrevious(
  parts: CipherParts,
  { header, sealed, name }: Found,
): Omit<PreviousVersion, 'nodePacks'> | undefined {
  const { secretbox } = parts
  const keys = openHeader(header, parts)
  try {
    const { lineName, documentLength: length } = openHidden(header, keys, secretbox)
    const lineKey = openLineKey(header, { sealingKey: parts.keys.current(), secretbox })
    if (lineName !== name || lineKey === undefined || header.packs === undefined) return undefined
    const root = openRoot({ header, sealed, keys, secretbox })
    const hasItems = header.items !== undefined
    return { lineKey, root, length, hasItems, packs: digestsOf(header) }
  } finally {
    wipe(keys)
  }
}

/** Returns the digests of the packs of an envelope. */
export const digestsOf = ({ packs = [] }: Pick<Header, 'packs'>): readonly Digest[] =>
  packs.map((bytes) => digest(`0x${Buffer.from(bytes).toString('hex')}`))

/** Reads the packs with nodes, and sees that the others are there. */
async function withPacks(
  opened: Omit<PreviousVersion, 'nodePacks'>,
  blobs: Blobs,
): Promise<PreviousVersion> {
  const facts = readRoot(opened.root).packs
  const read = await Promise.all(
    opened.packs.map((pack, at) => (facts[at]?.hasNodes ? blobs.get(pack) : blobs.head(pack))),
  )
  return { ...opened, nodePacks: read.filter((_, at) => facts[at]?.hasNodes) }
}

/** The longest sealed root in bytes; that of 64 MB takes a few hundred. */
const longestRoot = 1_048_576

export declare namespace openRoot {
  type Input = {
    /** An authenticated header. */
    readonly header: Header
    readonly sealed: Uint8Array
    readonly keys: EnvelopeKeys
    readonly secretbox: Secretbox
  }
}

/**
 * Opens the root of the list of parts, which is the payload of the envelope.
 *
 * @throws `bundle/unreadable`
 */
export function openRoot({ header, sealed, keys, secretbox }: openRoot.Input): Uint8Array {
  const chunks = sealed.subarray(header.length)
  if (chunks.length !== header.sealedLength || chunks.length > longestRoot) {
    throw unreadable('it was cut short or prolonged')
  }
  const root = new Uint8Array(payloadLength(chunks.length))
  openChunks({ secretbox, key: keys.payload, chunkPrefix: header.chunkPrefix }, chunks, root)
  return root
}
