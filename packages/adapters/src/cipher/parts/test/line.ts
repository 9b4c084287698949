import type { Cipher, Digest, SealContext } from '@heirloom/core'
import { memoryBlobStore } from '@heirloom/testkit'
import { naclCipher, sealingKeyRing } from '../../nacl.ts'
import { openRoot } from '../../previous-version.ts'
import { readHeader } from '../../read-header.ts'
import { openHeader, openHidden } from '../../sealed-header.ts'
import { loadSecretbox } from '../../secretbox.ts'
import { drawsOf, context as usual } from '../../test/bound-cipher.ts'
import { readRoot } from '../list-root.ts'
import { readList } from '../list-tree.ts'

export const secretbox = loadSecretbox()
const documentLimit = 2 ** 26

/** A version that was saved. */
export type Version = Awaited<ReturnType<Cipher['seal']>> & {
  readonly document: Uint8Array
  readonly context: SealContext
  readonly digest: Digest
  readonly packs: readonly Digest[]
  /** The packs that were stored for it. */
  readonly added: readonly Uint8Array[]
  /** The length of all that was stored for it, in bytes. */
  readonly stored: number
}

export declare namespace save {
  type Input = {
    readonly previous?: Digest | undefined
    readonly name?: string | undefined
    readonly context?: SealContext
  }
}

/** Opens a store of lines under one sealing key, from which follows where documents are cut. */
export function openLines(key: Uint8Array = Buffer.alloc(32, 7), blobs = memoryBlobStore()) {
  const keys = sealingKeyRing([key])
  const cipher: Cipher = naclCipher({ keys, documentLimit, secretbox, random: drawsOf(key) })
  /** Seals and stores the next version of a line; without a name one of no line. */
  const save = async (
    document: Uint8Array,
    { previous, name = 'tester/ada', context = usual }: save.Input = {},
  ): Promise<Version> => {
    const added: Uint8Array[] = []
    const recording = {
      ...blobs,
      put: (bytes: Uint8Array, headLength?: number) => {
        added.push(bytes.slice())
        return blobs.put(bytes, headLength)
      },
    }
    const line = name === '' ? undefined : { name, previous }
    const made = await cipher.seal(document, context, { blobs: recording, line })
    const { packs } = cipher.inspect(made.sealed.slice(0, made.headLength))
    const digest = await blobs.put(made.sealed, made.headLength)
    const stored = added.reduce((sum, { length }) => sum + length, made.sealed.length)
    return { ...made, document, context, digest, packs, added, stored }
  }
  /** Returns what a holder of the data key of a version has: its packs, and the list of its parts. */
  const listOf = async ({ sealed, document, packs }: Version) => {
    const header = readHeader(sealed)
    const envelope = openHeader(header, { keys, secretbox })
    openHidden(header, envelope, secretbox)
    const root = readRoot(openRoot({ header, sealed, keys: envelope, secretbox }))
    const bytes = new Map<number, Uint8Array>()
    for (const [at, { tag }] of root.packs.entries()) {
      bytes.set(tag, await blobs.get(packs[at] as Digest))
    }
    const packOf = (tag: number) => bytes.get(tag)
    const list = await readList(root, { secretbox, packOf, length: document.length })
    return { ...list, packOf, root }
  }
  return { blobs, cipher, save, listOf }
}
