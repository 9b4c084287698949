import type { Sample } from '@heirloom/core'
import { Type } from '@sinclair/typebox'
import {
  Asset,
  ContentHash,
  choice,
  hex32,
  integer,
  orNull,
  StorageUri,
  TokenId,
  text,
} from './schema-parts.ts'

const Mark = choice<Sample['mark']>(
  ['proven', 'committed'],
  [
    'What is known of the excerpts. `proven`: this server sealed the memory, and computed the root',
    'from it. `committed`: the sealed memory names the root, and nobody here has compared it with the',
    'memory; its buyers can.',
  ].join(' '),
  'proven',
)

const Root = hex32('Root of the Merkle tree over the values of the memory: 0x and 64 hex digits.')

const excerpt = {
  pointer: text('JSON pointer (RFC 6901) of the value in the memory.', '/data/positions'),
  value: text('The exact JSON text of the value, written by the creator of the memory.', '[]'),
}

/** The excerpts of a token without their proofs. */
export const SampleRecord = Type.Object(
  {
    mark: Mark,
    root: Root,
    excerpts: Type.Array(Type.Object(excerpt), {
      description: 'The values that are shown, in the order in which the creator named them.',
    }),
  },
  { description: 'Values of the memory that its creator shows, with proofs; null for none.' },
)

/** The excerpts of a token with their proofs. */
export const ExcerptsRecord = Type.Object(
  {
    tokenId: TokenId,
    asset: Asset,
    contentHash: ContentHash,
    storageUri: StorageUri,
    mark: orNull(Mark, { description: 'Null without excerpts.' }),
    root: orNull(Root, { description: 'Null without excerpts.' }),
    excerpts: Type.Array(
      Type.Object({
        ...excerpt,
        salt: hex32('Salt of the leaf of the value; it reveals nothing of other values.'),
        index: integer('Place of the leaf among all leaves, which are sorted by their hashes.', 3),
        path: Type.Array(hex32('A hash beside the way from the leaf to the root.'), {
          description: 'The hashes beside the way to the root, the neighbour of the leaf first.',
        }),
      }),
    ),
  },
  { description: 'The excerpts of a memory with their proofs; docs/excerpts.md has the format.' },
)
