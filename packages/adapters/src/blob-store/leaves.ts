import { digest } from '@heirloom/core'
import type { UnixFS } from '@helia/unixfs'
import { cidOf, rawCode } from './cid.ts'
import { sha256Of } from './sha256-of.ts'

type Options = NonNullable<Parameters<UnixFS['addBytes']>[1]>

/**
 * Stores each piece of a blob as a raw block. Unlike the default importer of UnixFS, it does not
 * block the event loop for the hash.
 */
export const leaves: NonNullable<Options['bufferImporter']> = async function* (
  { content },
  blocks,
) {
  for await (const block of content) {
    yield async () => {
      const cid = cidOf(digest(`0x${await sha256Of(block)}`), rawCode)
      await blocks.put(cid, block)
      return { cid, size: BigInt(block.length), block }
    }
  }
}
