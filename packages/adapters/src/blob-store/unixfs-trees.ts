import type { UnixFS } from '@helia/unixfs'
import type { Blockstore } from 'interface-blockstore'
import type { CID } from 'multiformats/cid'
import type { BlockCodec } from 'multiformats/codecs/interface'

/** The codec and the reader and writer of trees of blocks. */
export type Trees = {
  readonly codec: BlockCodec<number, unknown>
  /** Returns UnixFS on a blockstore; calls `before` with each block before it is stored. */
  readonly files: (blocks: Blocks, before?: (cid: CID) => void) => UnixFS
}

type Blocks = Pick<Blockstore, 'has' | 'put'> & {
  readonly read: (cid: CID) => Promise<Uint8Array>
}

/** Loads UnixFS, which a store of single blocks does not need. */
export async function loadTrees(): Promise<Trees> {
  const [codec, { unixfs }] = await Promise.all([import('@ipld/dag-pb'), import('@helia/unixfs')])
  return {
    codec,
    files: (blocks, before) =>
      unixfs({
        blockstore: {
          async *get(cid) {
            yield await blocks.read(cid)
          },
          has: (cid) => blocks.has(cid),
          put: async (cid, bytes) => {
            before?.(cid)
            // A block of an earlier attempt is reused: the disk may have no room for it twice.
            return (await blocks.has(cid)) ? cid : blocks.put(cid, bytes)
          },
        },
      }),
  }
}
