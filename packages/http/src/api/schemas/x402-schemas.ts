import { decimalPattern, maxRentalDays, wholeBps } from '@heirloom/core'
import { Type } from '@sinclair/typebox'
import { addressPattern } from '../address.ts'
import { decimalParameter, querySchema } from './catalogue-queries.ts'
import { OrderBody } from './relay-schemas.ts'
import { decimal, hex32Pattern, sample, TokenId, TxHash } from './schema-parts.ts'

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

const recipient = accountParameter('Account that gets what is paid for.')

/** The parameters of each act that is paid by x402. */
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
    ...payee,
    id: ActId,
    recipient: Type.Optional(
      accountParameter('Account that the order names; refundTo when absent.'),
    ),
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
