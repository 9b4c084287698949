import { decimalPattern, maxRentalDays, wholeBps } from '@heirloom/core'
import { Type } from '@sinclair/typebox'
import { addressPattern } from '../address.ts'
import { decimalParameter, pageQuery, querySchema } from './catalogue-queries.ts'
import { OrderBody } from './relay-schemas.ts'
import { decimal, hex32Pattern, orNull, sample, TokenId, TxHash } from './schema-parts.ts'

const accountParameter = (description: string) =>
  Type.String({ pattern: addressPattern, description, examples: [sample.address] })

const wholeParameter = (most: number, description: string, example: string) =>
  Type.String({
    pattern: decimalPattern,
    description: `${description}, at most ${most}.`,
    examples: [example],
  })

const ActId = Type.String({
  pattern: '^[\\x21-\\x7e]{1,200}$',
  description: 'Any text that names this paid act; another text is another paid act.',
  examples: ['7f2c'],
})

const Amount = (description: string) =>
  Type.String({ pattern: decimalPattern, description, examples: ['5000000'] })

const payee = {
  refundTo: Type.Optional(
    accountParameter('Account that gets a surplus or a refund; the recipient when absent.'),
  ),
  deadline: decimalParameter(
    'Last second in which the act may be carried out, since 1970; when absent the end of the week for a rental or a purchase, and no limit for a fork or a royalty.',
    '1800000000',
  ),
}

const recipient = accountParameter(
  'Account that gets what is paid for; when absent `refundTo`, or who signed in.',
)

/** The parameters of each act that is paid by x402, with those that its order needs as required ones. */
export const paidActQueries = {
  buy: querySchema({ recipient, ...payee }),
  rent: querySchema({
    recipient,
    ...payee,
    durationDays: wholeParameter(maxRentalDays, 'Length of the rental, in whole days', '7'),
    renew: decimalParameter(
      'End of the running rental that this one prolongs, in seconds since 1970. Without it a running rental is enough, and nothing is charged.',
      '1800000000',
    ),
  }),
  fork: querySchema({
    recipient,
    ...payee,
    id: ActId,
    price: Amount('Price of the fork in the listing, in millionths of a dollar.'),
    maxRoyaltyBps: wholeParameter(
      wholeBps,
      'Highest sum of royalties that the fork may owe, in basis points',
      '1000',
    ),
  }),
  royalty: querySchema({
    recipient,
    ...payee,
    id: ActId,
    amount: Amount('Amount to pay to the creator, in millionths of a dollar.'),
  }),
} as const

const text = Type.String()
const hexText = (maxBytes: number) =>
  Type.String({ pattern: '^0x([0-9a-fA-F]{2})*$', maxLength: 2 + 2 * maxBytes })

/** The payment of the scheme `exact` with a transfer of EIP-3009 (x402 version 2). */
export const PaymentPayload = Type.Object({
  x402Version: Type.Integer(),
  accepted: Type.Object({
    scheme: text,
    network: text,
    amount: text,
    asset: text,
    payTo: text,
    extra: Type.Object({ order: OrderBody }),
  }),
  payload: Type.Object({
    signature: hexText(8192),
    authorization: Type.Object({
      from: Type.String({ pattern: addressPattern }),
      to: Type.String({ pattern: addressPattern }),
      value: Type.String({ pattern: decimalPattern }),
      validAfter: Type.String({ pattern: decimalPattern }),
      validBefore: Type.String({ pattern: decimalPattern }),
      nonce: Type.String({ pattern: hex32Pattern }),
    }),
  }),
})

/** The answer to a paid request that carries no proof of a wallet. */
export const PaidActRecord = Type.Object(
  {
    act: Type.String({ description: 'What was paid for.', examples: ['rent'] }),
    tokenId: TokenId,
    recipient: Type.String({ examples: [sample.address] }),
    txHash: Type.Optional(TxHash),
    childTokenId: Type.Optional(decimal('Id of the fork.', '2')),
    expiresAt: Type.Optional(decimal('End of the rental, in seconds since 1970.', '1800000000')),
    memory: Type.Optional(
      Type.String({
        description: 'Where the recipient opens the memory, with the proof of its wallet.',
        examples: ['/api/memory/1'],
      }),
    ),
  },
  {
    description:
      'What the recipient has. With the headers of a proof the body is the memory instead, as `GET /api/memory/{tokenId}` returns it.',
  },
)

const word = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: 200, description, examples: [example] }))

const filters = {
  type: word('Only resources of this type; all are `http`.', 'http'),
  payTo: word('Only resources that are paid to this account.', sample.address),
  scheme: word('Only resources of this scheme; all are `exact`.', 'exact'),
  network: word('Only resources that are paid on this chain (CAIP-2).', 'eip155:8453'),
  extensions: word('Only resources with this extension; all have `bazaar`.', 'bazaar'),
  limit: pageQuery.limit,
  cursor: Type.Optional(
    Type.String({
      pattern: '^(rent|buy|fork)\\.[\\x21-\\x7e]{0,1000}$',
      description: '`pagination.cursor` of the page before.',
      examples: ['rent.Mi0w'],
    }),
  ),
}

/** The query of the discovery list. */
export const ResourcesQuery = querySchema({
  ...filters,
  offset: Type.Optional(
    Type.String({
      pattern: '^(0|[1-9][0-9]{0,2}|1000)$',
      description: 'The number of resources to leave out, at most 1000.',
      examples: ['20'],
    }),
  ),
})

/** The query of a search in the discovery list. */
export const ResourceSearchQuery = querySchema({
  ...filters,
  query: Type.String({ maxLength: 200, description: 'Words to search.', examples: ['trade'] }),
})

const example = <const T>(it: T) => ({ examples: [it] })

/** A resource that is paid for. */
export const ResourceRecord = Type.Object(
  {
    resource: Type.String({
      description: 'The URL of the act; its extension `bazaar` says what it needs beside.',
      ...example('https://memories.example/api/x402/rent/1'),
    }),
    type: Type.String(example('http')),
    x402Version: Type.Integer(example(2)),
    accepts: Type.Array(Type.Unknown(), {
      description: 'The terms of its payment, as the 402 of a request without parameters has them.',
    }),
    lastUpdated: Type.String(example('2026-01-01T00:00:00.000Z')),
    description: Type.String(example('Rent a memory: Trading notes')),
    mimeType: Type.String(example('application/json')),
    serviceName: Type.String(example('Heirloom')),
    tags: Type.Array(Type.String(example('agent-memory'))),
    extensions: Type.Unknown({ description: '`bazaar`: the input of the act, and its schema.' }),
  },
  { title: 'Resource' },
)

const cursor = orNull(Type.String(), {
  description: 'The cursor of the next page; null at the end.',
  ...example('rent.Mi0w'),
})
const limit = Type.Integer(example(20))

/** A page of the discovery list. */
export const ResourcesRecord = Type.Object(
  {
    x402Version: Type.Integer(example(2)),
    items: Type.Array(ResourceRecord),
    pagination: Type.Object({
      limit,
      offset: Type.Integer(example(0)),
      total: Type.Integer(example(1)),
      cursor,
    }),
  },
  { title: 'Resources' },
)

/** A page of a search in the discovery list. */
export const FoundResourcesRecord = Type.Object(
  {
    x402Version: Type.Integer(example(2)),
    resources: Type.Array(ResourceRecord),
    pagination: Type.Object({ limit, cursor }),
  },
  { title: 'FoundResources' },
)
