import { Type } from '@sinclair/typebox'

/** A card in requests. `card` of the core checks its texts. */
export const CardBody = Type.Object(
  {
    title: Type.String({
      description: 'One line of 1 to 120 characters.',
      examples: ['A calm trader'],
    }),
    description: Type.Optional(
      Type.String({
        description: 'Text of at most 2000 characters; line breaks are allowed.',
        examples: ['Two years of decisions.\nNo names, no keys.'],
      }),
    ),
    tags: Type.Optional(
      Type.Array(
        Type.String({ description: 'One line of 1 to 32 characters.', examples: ['btc'] }),
        {
          description: 'At most 12 tags.',
          examples: [['btc', 'mean reversion']],
        },
      ),
    ),
    category: Type.Optional(
      Type.String({ description: 'One line of 1 to 32 characters.', examples: ['trading'] }),
    ),
    preview: Type.Optional(
      Type.String({
        description:
          'A sample of the memory: text of at most 4000 characters; line breaks are allowed.',
        examples: ['2026-03-01: sold the rumour.'],
      }),
    ),
  },
  {
    description:
      'The public description of the memory; it cannot be changed or removed. No other members are allowed. Lengths are in UTF-16 units; the whole card has at most 16384 bytes as JSON in UTF-8. Control characters (except line breaks in description and preview), marks of writing direction and other invisible characters are refused.',
  },
)
