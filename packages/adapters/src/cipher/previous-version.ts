import { type Digest, digest, isFailure, type SealOptions, sameContext } from '@heirloom/core'
import type { CipherParts } from './cipher-parts.ts'
import { readContext } from './context-bytes.ts'
import type { Header } from './envelope.ts'
import { openRoot } from './open-root.ts'
import { type ListRoot, readRoot } from './parts/list-root.ts'
import { readHeader } from './read-header.ts'
import type { Unsealed } from './seal.ts'
import { openHeader, openHidden, openLineKey, wipe } from './sealed-header.ts'

/** The last version of a line, as far as the next one needs it. */
export type PreviousVersion = {
  readonly lineKey: Uint8Array
  readonly root: Uint8Array
  readonly list: ListRoot
  /** The length of its document in bytes. */
  readonly length: number
  readonly packs: readonly Digest[]
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
    await Promise.all((opened?.packs ?? []).map((pack) => blobs.head(pack)))
    return opened
  } catch (error) {
    if (isFailure(error)) return undefined
    throw error
  }
}

type Found = { readonly header: Header; readonly sealed: Uint8Array; readonly name: string }

function openPrevious(
  parts: CipherParts,
  { header, sealed, name }: Found,
): PreviousVersion | undefined {
  const { secretbox } = parts
  const keys = openHeader(header, parts)
  try {
    const { lineName, documentLength: length } = openHidden(header, keys, secretbox)
    const lineKey = openLineKey(header, { sealingKey: parts.keys.current(), secretbox })
    if (lineName !== name || lineKey === undefined || header.packs === undefined) return undefined
    const root = openRoot({ header, sealed, keys, secretbox })
    return { ...{ lineKey, root, length }, list: readRoot(root), packs: digestsOf(header) }
  } finally {
    wipe(keys)
  }
}

/** Returns the digests of the packs of an envelope. */
export const digestsOf = ({ packs = [] }: Pick<Header, 'packs'>): readonly Digest[] =>
  packs.map((bytes) => digest(`0x${Buffer.from(bytes).toString('hex')}`))

/** Reads the packs with nodes of a version, in their order. */
export async function* nodePacksOf(
  { list, packs }: Pick<PreviousVersion, 'list' | 'packs'>,
  blobs: Pick<Blobs, 'get'>,
): AsyncGenerator<Uint8Array> {
  for (const [at, { hasNodes }] of list.packs.entries()) {
    if (hasNodes) yield await blobs.get(packs[at] as Digest)
  }
}
