import { type Hash, hash, type SealContext, type SealedSaver } from '@heirloom/core'
import { readContext } from './envelope.ts'
import { readHeader } from './read-header.ts'
import { openHeader, openHidden, wipe } from './sealed-header.ts'
import type { SealingKeys } from './sealing-keys.ts'
import { loadSecretbox, type Secretbox } from './secretbox.ts'

/** The line that the head of a sealed bundle names; authentic. */
export type SealedLine = {
  /** The context of the seal: only a token of this creator in this registry has it. */
  readonly context: SealContext
  readonly contentHash: Hash
  /** The name of the line with its owner; absent for a bundle of no line. */
  readonly name: string | undefined
  /** The one who saved it; absent where nobody is named. */
  readonly savedBy: SealedSaver | undefined
  /** The length of the document, in bytes. */
  readonly documentBytes: number
}

/**
 * Opens the private part of the head of a sealed bundle.
 *
 * @throws `bundle/unreadable` for other bytes, and for a head that none of the keys opens
 */
export function readSealedLine(
  { keys, secretbox = loadSecretbox() }: readSealedLine.Parts,
  head: Uint8Array,
): SealedLine {
  const header = readHeader(head)
  const opened = openHeader(header, { keys, secretbox })
  try {
    const { lineName: name, savedBy, documentLength } = openHidden(header, opened, secretbox)
    return {
      context: readContext(header.context),
      contentHash: hash(`0x${Buffer.from(header.contentHash).toString('hex')}`),
      name,
      savedBy,
      documentBytes: documentLength,
    }
  } finally {
    wipe(opened)
  }
}

export declare namespace readSealedLine {
  type Parts = {
    readonly keys: Pick<SealingKeys, 'find'>
    readonly secretbox?: Secretbox
  }
}
