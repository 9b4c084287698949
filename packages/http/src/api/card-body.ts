import { Type } from '@sinclair/typebox'

/** A card as it is given and shown. What its texts must be, `card` of the core checks. */
export const CardBody = Type.Object(
  {
    title: Type.String({
      description: 'One line of 1 to 120 characters.',
      examples: ['A calm trader'],
    }),
    description: Type.Optional(
      Type.String({
        description: 'Lines, at most 2000 characters.',
        examples: ['Two years of decisions.\nNo names, no keys.'],
      }),
    ),
    tags: Type.Optional(
      Type.Array(
        Type.String({ description: 'One line of 1 to 32 characters.', examples: ['btc'] }),
        {
          description: 'At most 12.',
          examples: [['btc', 'mean reversion']],
        },
      ),
    ),
    category: Type.Optional(
      Type.String({ description: 'One line of 1 to 32 characters.', examples: ['trading'] }),
    ),
    preview: Type.Optional(
      Type.String({
        description: 'A sample of the memory: lines, at most 4000 characters.',
        examples: ['2026-03-01: sold the rumour.'],
      }),
    ),
  },
  {
    description:
      'What everybody may see of the memory, for ever. There are no other members. Characters are counted in UTF-16 units; all of it takes at most 16384 bytes as JSON in UTF-8. Refused are control characters (but line ends in description and preview), marks that turn the direction of writing, and other characters that are not seen.',
  },
)
