import type { Sample } from '@heirloom/core'
import { Type } from '@sinclair/typebox'
import { Asset, ContentHash, hex32, StorageUri, TokenId } from './schema-parts.ts'

const Mark = Type.Unsafe<Sample['mark']>({
  type: 'string',
  enum: ['proven', 'committed'],
  description: [
    'What is known of the excerpts. `proven`: this server sealed the memory, and computed the root',
    'from it. `committed`: the sealed memory names the root, and nobody here has compared it with the',
    'memory; its buyers can.',
  ].join(' '),
  examples: ['proven'],
})

const Root = hex32('Root of the Merkle tree over the values of the memory: 0x and 64 hex digits.')

const excerpt = {
  pointer: Type.String({
    description: 'JSON pointer (RFC 6901) of the value in the memory.',
    examples: ['/data/positions'],
  }),
  value: Type.String({
    description: 'The exact JSON text of the value, written by the creator of the memory.',
    examples: ['[]'],
  }),
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
    mark: Type.Union([Mark, Type.Null()], { description: 'Null without excerpts.' }),
    root: Type.Union([Root, Type.Null()], { description: 'Null without excerpts.' }),
    excerpts: Type.Array(
      Type.Object({
        ...excerpt,
        salt: hex32('Salt of the leaf of the value; it reveals nothing of other values.'),
        index: Type.Integer({
          description: 'Place of the leaf among all leaves, which are sorted by their hashes.',
          examples: [3],
        }),
        path: Type.Array(hex32('A hash beside the way from the leaf to the root.'), {
          description: 'The hashes beside the way to the root, the neighbour of the leaf first.',
        }),
      }),
    ),
  },
  { description: 'The excerpts of a memory with their proofs; docs/excerpts.md has the format.' },
)
