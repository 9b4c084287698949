import { Type } from '@sinclair/typebox'

/** A card in requests. `card` of the core checks its texts. */
export const CardBody = Type.Object(
  {
    title: Type.String({
      description: 'Title: one line of 1 to 120 characters.',
      examples: ['A calm trader'],
    }),
    description: Type.Optional(
      Type.String({
        description: 'Description: at most 2000 characters and 100 line breaks.',
        examples: ['Two years of decisions.\nNo names, no keys.'],
      }),
    ),
    tags: Type.Optional(
      Type.Array(
        Type.String({ description: 'Tag: one line of 1 to 32 characters.', examples: ['btc'] }),
        {
          description: 'Tags: at most 12.',
          examples: [['btc', 'mean reversion']],
        },
      ),
    ),
    category: Type.Optional(
      Type.String({
        description: 'Category: one line of 1 to 32 characters.',
        examples: ['trading'],
      }),
    ),
    preview: Type.Optional(
      Type.String({
        description: 'Sample of the memory: at most 4000 characters and 200 line breaks.',
        examples: ['2026-03-01: sold the rumour.'],
      }),
    ),
    excerpts: Type.Optional(
      Type.Array(
        Type.String({ description: 'JSON pointer (RFC 6901).', examples: ['/data/positions'] }),
        {
          description:
            'Values of the memory to show as a proven sample, by their JSON pointers: at most 16, each of at most 4096 bytes and 8 levels deep, 8192 bytes together. They become public for ever, with a proof that they are in the memory.',
          examples: [['/data/positions']],
        },
      ),
    ),
  },
  {
    description:
      'The public description of the memory; it cannot be changed or removed. No other members are allowed. Lengths are in UTF-16 units; the whole card has at most 16384 bytes as JSON in UTF-8. Control characters (except line breaks in description and preview), marks of writing direction and other invisible characters are refused.',
  },
)
