import type { UnixFS } from '@helia/unixfs'
import type { Blockstore } from 'interface-blockstore'
import type { CID } from 'multiformats/cid'
import type { BlockCodec } from 'multiformats/codecs/interface'

/** What handles trees of blocks. */
export type Trees = {
  readonly codec: BlockCodec<number, unknown>
  /** Returns the trees in a place of blocks; each block is given to `before` ere it is put. */
  readonly files: (blocks: Blocks, before?: (cid: CID) => void) => UnixFS
}

type Blocks = Pick<Blockstore, 'has' | 'put'> & {
  readonly read: (cid: CID) => Promise<Uint8Array>
}

/** Loads UnixFS, which a server that has but single blocks can do without. */
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
            // What an earlier try has left is kept: a disk may have no room for it twice.
            return (await blocks.has(cid)) ? cid : blocks.put(cid, bytes)
          },
        },
      }),
  }
}
