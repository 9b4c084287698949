import { randomBytes } from 'node:crypto'
import { type Cipher, hash, isFailure, type Seal } from '@heirloom/core'
import type { CipherParts } from './cipher-parts.ts'
import { readCommitment } from './commitment.ts'
import { type Header, readContext } from './envelope.ts'
import { open, openReader, sealedLengthOf } from './open.ts'
import { digestsOf } from './previous-version.ts'
import { readHeader as readHeaderOf } from './read-header.ts'
import { seal } from './seal.ts'
import { openHeader, openHidden, wipe } from './sealed-header.ts'
import {
  masterKeyId as idOfKey,
  sealingKeyRing as ringOf,
  type SealingKeys,
} from './sealing-keys.ts'
import { loadSecretbox, type Secretbox } from './secretbox.ts'

export type { Header } from './envelope.ts'
export type { SealingKey, SealingKeys } from './sealing-keys.ts'

/**
 * Seals documents under the current sealing key, and opens them under any of the keys. Each bundle
 * has its own random data key, wrapped in its envelope, so reading it needs only its sealing key.
 * Long documents are sealed and opened in a worker, which never sees a sealing key.
 *
 * @throws sealing: `bundle/malformed` when the document is longer than the limit
 *
 * @example
 * const keys = sealingKeyRing([randomBytes(32)])
 * const cipher = naclCipher({ keys, documentLimit: 64 * 1024 * 1024 })
 * const { sealed, contentHash } = await cipher.seal(document, { registry, creator }, { blobs })
 */
export function naclCipher({
  keys,
  documentLimit,
  secretbox: chosenSecretbox,
  random = randomBytes,
  isInParts = () => true,
}: naclCipher.Input): Cipher {
  let secretbox = chosenSecretbox
  const parts: CipherParts = {
    keys,
    documentLimit,
    random,
    isInParts,
    // Loaded at the first use, because it is not needed at start-up.
    get secretbox() {
      secretbox ??= loadSecretbox()
      return secretbox
    },
  }
  return {
    seal: (document, context, options) => seal(parts, { document, context, options }),
    open: (sealed, context, blobs) => open(parts, { sealed, context, blobs }),
    reader: (sealed, context, blobs) => openReader(parts, { sealed, context, blobs }),
    inspect: (head) => inspect(parts, head),
    sealedLength: async (head, context) => sealedLengthOf(parts, { head, context }),
  }
}

export declare namespace naclCipher {
  type Input = {
    readonly keys: SealingKeys
    /** The longest document that is sealed or opened, in bytes. */
    readonly documentLimit: number
    /** The implementation of secretboxes; by default the fastest that loads. */
    readonly secretbox?: Secretbox
    /** Returns random bytes of a length; from the system's source by default. */
    readonly random?: (length: number) => Uint8Array
    /**
     * Reports whether a document of more than 128 KiB that is sealed now is sealed in parts, which
     * version 0.2.0 does not open; always by default. What was sealed in parts opens anyhow.
     */
    readonly isInParts?: () => boolean
  }
}

/** Decodes the header of an envelope without a key, such as its sealing key id and its context. */
export const readHeader = readHeaderOf

/** Returns a key ring of keys of 32 bytes: the first seals, all open. */
export const sealingKeyRing = ringOf

/** Returns the id of a key that envelopes contain, in hexadecimal; it does not reveal the key. */
export const masterKeyId = idOfKey

/** Decodes the header of an envelope, and authenticates it if its sealing key is present. */
function inspect(parts: CipherParts, head: Uint8Array): Seal {
  const header = readHeaderOf(head)
  return {
    context: readContext(header.context),
    contentHash: hash(`0x${Buffer.from(header.contentHash).toString('hex')}`),
    packs: digestsOf(header),
    ...readCommitment(header),
    ...readHidden(parts, header),
  }
}

/** Returns who saved a memory, if its head is authentic; anybody can write one that is not. */
function readHidden(
  parts: CipherParts,
  header: Header,
): Pick<Seal, 'isAuthentic'> & Pick<Partial<Seal>, 'savedBy'> {
  try {
    const keys = openHeader(header, parts)
    const { savedBy } = openHidden(header, keys, parts.secretbox)
    wipe(keys)
    return { isAuthentic: true, ...(savedBy !== undefined && { savedBy }) }
  } catch (error) {
    if (isFailure(error, 'bundle/unreadable')) return { isAuthentic: false }
    throw error
  }
}
