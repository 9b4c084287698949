import { createHash } from 'node:crypto'
import {
  account,
  type BlobStore,
  type Cipher,
  type Digest,
  digest,
  Failure,
  type SealContext,
} from '@heirloom/core'
import { memoryCipher } from '@heirloom/testkit'

const magic = 'PACKS'

/** The head of a bundle with packs: its context and their digests, in clear text. */
type Head = { readonly context: SealContext; readonly packs: readonly Digest[] }

/**
 * Returns a cipher whose bundles name packs. Each version has the packs of the last one and one more,
 * whose bytes follow from the document: a save that is repeated puts the same pack again.
 */
export function packCipher(): Pick<Cipher, 'seal' | 'inspect'> {
  const inspect = (sealed: Uint8Array) => {
    const text = Buffer.from(sealed).toString()
    if (!text.startsWith(magic)) {
      throw new Failure('bundle/unreadable', { problem: 'it has no packs' })
    }
    const { context, packs } = JSON.parse(text.slice(magic.length)) as Head
    const creator = account(context.creator)
    return {
      packs: packs.map(digest),
      context: { ...context, creator },
      isAuthentic: true,
    } as never
  }
  return {
    ...memoryCipher(),
    inspect,
    seal: async (document, context, { blobs, line }) => {
      const before = line?.previous && (await presentPacks(blobs, inspect, line.previous))
      const pack = await blobs.put(packOf(document))
      const packs = [...new Set([...(before ?? []), pack])]
      const salt = Math.random()
      const sealed = Buffer.from(`${magic}${JSON.stringify({ context, packs, salt })}`)
      const contentHash = `0x${createHash('sha256').update(sealed).digest('hex')}` as never
      return { sealed, headLength: sealed.length, contentHash }
    },
  }
}

/** Returns the packs of the last version if they are all here; none otherwise. */
async function presentPacks(
  { head, get }: Pick<BlobStore, 'head' | 'get'>,
  inspect: Cipher['inspect'],
  previous: Digest,
): Promise<readonly Digest[]> {
  try {
    const { packs } = inspect(await head(previous))
    for (const pack of packs) await get(pack)
    return packs
  } catch {
    return []
  }
}

/** The bytes that all big packs begin with: as much as a tree of several blocks. */
const common = createHash('shake256', { outputLength: 2_200_000 }).update('common').digest()

/** Returns the pack of a document; a big one for a text that begins with `big`. */
export function packOf(document: Uint8Array): Uint8Array {
  const text = Buffer.from(document)
  const isBig = text.toString().startsWith('big')
  return Buffer.concat([
    ...(isBig ? [common] : []),
    Buffer.from('pack of '),
    text,
    Buffer.alloc(200, 7),
  ])
}
