import {
  type Misspelt,
  maxPointerLength,
  type Near,
  type Outline,
  type PhraseRank,
  valueTypes,
  type WordStatistics,
} from '@heirloom/core'
import { Type } from '@sinclair/typebox'
import { querySchema, wordParameter } from './catalogue-queries.ts'
import { choice, flag, hex32, integer, pageSizePattern, text } from './schema-parts.ts'

/** Whether a memory is the reader's own. */
export const OwnRecord = Type.Object(
  {
    isOwn: flag('Whether the memory is the own of the account that proves itself.', true),
  },
  { description: 'Whose memory it is.' },
)

/** The longest question to a memory, or text that is searched for in it, in UTF-16 code units. */
export const maxSearchLength = 4000

/** The defaults of the extent of an outline and a search. */
export const partDefaults = { depth: 2, width: 20, limit: 20 }

export const Pointer = Type.String({
  maxLength: maxPointerLength,
  description:
    'JSON Pointer (RFC 6901) of a value, such as `/data/notes/3`; empty for the whole document, which has the members `data` and `metadata`. A name that an object has twice names no value.',
  examples: ['/data/notes/3'],
})

const number = (pattern: string, description: string, example: string) =>
  Type.Optional(Type.String({ pattern, description, examples: [example] }))

export const OutlineParameters = querySchema({
  pointer: Type.Optional(Pointer),
  depth: number('^[0-8]$', 'Levels below the value, 0 to 8; 2 when absent.', '2'),
  width: number(
    pageSizePattern,
    'Most members of each object or array, 1 to 100; 20 when absent.',
    '20',
  ),
  from: number(
    '^(0|[1-9][0-9]{0,8})$',
    'Number of the first member of the value itself: 0, or `next` of an earlier answer.',
    '20',
  ),
})

/** A JSONPath into a memory. */
export const Path = text(
  'JSONPath (RFC 9535) of values, such as `$.data.notes[-3:]`, of at most 1,000 characters. An object that has a name twice has no member of that name.',
  '$.data.notes[?@.tag == "risk"]',
)

/** The place where the matches of a path go on. */
export const PathAfter = Type.String({
  maxLength: 20,
  description: 'Where to go on: `next` of an earlier answer.',
  examples: ['417~1'],
})

export const PartParameters = querySchema({
  pointer: Type.Optional(Pointer),
  path: Type.Optional(Path),
  limit: number(pageSizePattern, 'Most matches of a path, 1 to 100; 20 when absent.', '20'),
  after: Type.Optional(PathAfter),
})

export const SearchText = Type.String({
  minLength: 1,
  maxLength: maxSearchLength,
  description:
    'Text to find in names and string values, whatever its case; or a question, in plain words.',
  examples: ['interest rate'],
})

/** The place where a search goes on. */
export const SearchAfter = Type.String({
  maxLength: 12_000,
  description: 'Where to go on: `next` of an earlier answer.',
  examples: ['0.0.417~1'],
})

export const MemorySearchParameters = querySchema({
  q: SearchText,
  limit: number(pageSizePattern, 'Most matches, 1 to 100; 20 when absent.', '20'),
  each: wordParameter(
    ['item', 'place'],
    'item: the text is a question, and a match is an item of the memory that answers it, the best first: those with the text as it stands, then by their words (text in quotes is only looked for as it stands). place: a match is a string value with the text, once, or a member below data or metadata and outside of lists whose name is the text. Every occurrence when absent.',
  ),
  after: Type.Optional(SearchAfter),
})

const source = {
  digest: hex32('Digest of the sealed bundle on the chain.'),
  documentLength: integer('Length of the whole document in bytes.', 52_428_800),
  verifiedBy: choice<'digest'>(
    ['digest'],
    'What authenticates the answer: the digest of the sealed bundle. The content hash is verified by a whole download only.',
    'digest',
  ),
}

const pointer = Type.Optional(
  text(
    `JSON Pointer of the value; absent when it would be longer than ${maxPointerLength} characters.`,
    '/data/notes',
  ),
)

const outlined = {
  pointer,
  type: choice<Outline['type']>(valueTypes, 'Kind of the value.', 'object'),
  bytes: integer('Length of its exact text in bytes.', 4096),
  count: Type.Optional(integer('Number of its members or items.', 417)),
  members: Type.Optional(
    Type.Unsafe<readonly Outline[]>({
      type: 'array',
      // A schema that contains itself needs a reference; the title names the type of the client.
      items: { title: 'OutlinedValue', type: 'object', additionalProperties: true },
      description:
        'Its first members in their order, each with `pointer`, `type` and `bytes`, and `count`, `members` and `next` where they apply. All of a level come before those of the next, at most 1,000 in all.',
      examples: [[]],
    }),
  ),
  next: Type.Optional(integer('Number to go on `from`; absent at the end.', 20)),
}

/** A value of an outline below the one that was requested. */
export const OutlinedRecord = Type.Object(outlined, {
  description: 'The type, size and count of a value and of what is below it.',
})

export const OutlineRecord = Type.Object(
  { ...source, ...outlined },
  { description: 'The types, sizes and counts of a value and of what is below it.' },
)

export const SelectedRecord = Type.Object(
  {
    ...source,
    matches: Type.Array(
      Type.Object({
        pointer,
        bytes: integer('Length of its exact text in bytes.', 3),
        text: Type.Optional(
          text(
            'Its exact JSON text, with numbers as they were written; absent when it is longer than 1 MiB. Read it by its pointer then.',
            '1.0',
          ),
        ),
      }),
      { description: 'The matches in the order of the document, each once.', examples: [[]] },
    ),
    next: Type.Optional(
      text(
        'Where to go on, as `after`; absent at the end. An answer may have no match and still a `next`: one request looks at a few MiB.',
        '417~1',
      ),
    ),
  },
  { description: 'Values of a memory that a JSONPath selects.' },
)

const FoundItem = Type.Object(
  {
    who: Type.Optional(text('Who said it, by a member of the item.', 'Ada')),
    when: Type.Optional(text('When, by a member of the item.', '2026-10-01')),
    isOutdated: Type.Optional(
      Type.Unsafe<true>({
        type: 'boolean',
        enum: [true],
        description: 'Its member `validUntil` is in the past, or `replacedBy` names another one.',
        examples: [true],
      }),
    ),
    phrase: Type.Unsafe<PhraseRank>({
      type: 'integer',
      enum: [0, 1, 2, 3],
      description:
        '0 for a text that is the question, 1 with it as words, 2 with it inside words, 3 without it.',
      examples: [3],
    }),
    score: Type.Number({ description: 'BM25 in this memory, with neighbours.', examples: [7.25] }),
    weights: Type.Unsafe<readonly number[]>({
      type: 'array',
      items: { type: 'number' },
      description:
        'The share of each word of `statistics` in the score, before its rarity is counted.',
      examples: [[1.2, 0]],
    }),
    near: Type.Optional(
      Type.Unsafe<readonly Near[]>({
        type: 'array',
        items: Type.Object({
          pointer,
          text: text('Up to 60 characters.', 'When was it?'),
        }),
        description: 'The items before and after it in its list; of the first three only.',
        examples: [[]],
      }),
    ),
  },
  { description: 'An item that answers a question; its text is `match`, up to 280 characters.' },
)

const Statistics = Type.Object(
  {
    items: integer('Number of the items of the memory.', 419),
    words: Type.Unsafe<WordStatistics['words']>({
      type: 'array',
      items: Type.Object({
        stem: text('The stem of a word.', 'sunris'),
        items: integer('Number of the items that have it.', 3),
      }),
      description: 'The words of the question that the memory has.',
      examples: [[]],
    }),
  },
  {
    description:
      'How common the words of a question are, by which the answers of several memories are put in one order.',
  },
)

export const FoundRecord = Type.Object(
  {
    ...source,
    matches: Type.Array(
      Type.Object({
        pointer,
        in: choice<'name' | 'value'>(
          ['name', 'value'],
          'Whether the text is in the name of the member or in its value.',
          'value',
        ),
        offset: integer('Place in the name or value, in UTF-16 code units.', 212),
        before: text('Up to 60 characters before.', 'the '),
        match: text('The text as it is there.', 'Interest'),
        after: text('Up to 60 characters after.', ' rose'),
        item: Type.Optional(FoundItem),
      }),
      {
        description: 'The matches in the order of the document; of a question the best first.',
        examples: [[]],
      },
    ),
    statistics: Type.Optional(Statistics),
    misspelt: Type.Optional(
      Type.Unsafe<readonly Misspelt[]>({
        type: 'array',
        items: Type.Object({
          word: text('The word.', 'calandar'),
          stem: text('Its stem.', 'calandar'),
          nearest: text('A word of an item.', 'calendar'),
        }),
        description: 'Up to 3 words of a question that no item has, but some item a similar one.',
        examples: [[]],
      }),
    ),
    isTooLarge: Type.Optional(
      Type.Literal(true, {
        description:
          'There is no index of so large a memory: the question was looked for as it stands.',
      }),
    ),
    next: Type.Optional(
      text(
        'Where to go on, as `after`; absent at the end of the document. An answer may have no match and still a `next`: one request searches a few MiB.',
        '0.0.417~1',
      ),
    ),
  },
  { description: 'Places inside a memory where a text occurs.' },
)
