import { decimalPattern } from '@heirloom/core'
import { Hint, type TSchema, Type } from '@sinclair/typebox'
import { addressPattern } from '../address.ts'
import { decimal, hex32Pattern, sample, TokenId, TxHash, text } from './schema-parts.ts'

const account = (description: string) =>
  Type.String({ pattern: addressPattern, description, examples: [sample.address] })

const hex = (description: string, maxBytes: number) =>
  Type.Unsafe<`0x${string}`>(
    Type.String({
      pattern: '^0x([0-9a-fA-F]{2})*$',
      maxLength: 2 + 2 * maxBytes,
      description,
      examples: ['0x'],
      [Hint]: 'Hex',
    }),
  )

const bytes32 = (description: string) =>
  Type.Unsafe<`0x${string}`>(
    Type.String({
      pattern: hex32Pattern,
      description,
      examples: [sample.hash],
      [Hint]: 'Hex',
    }),
  )

const seconds = (description: string) =>
  Type.String({ pattern: decimalPattern, description, examples: ['1800000000'] })

const strict = { additionalProperties: false } as const

const ForwardRequestBody = Type.Object(
  {
    from: account('Account that signed the call and acts by it.'),
    to: account('The registry or the marketplace.'),
    value: decimal('Native money that the call sends; only "0" is relayed.', '0'),
    gas: decimal('Gas of the call.', '300000'),
    deadline: Type.Integer({
      minimum: 0,
      maximum: 2 ** 48 - 1,
      description: 'Last second in which it may be carried out, since 1970; at most an hour ahead.',
      examples: [1_800_000_000],
    }),
    data: hex('Call data.', 16_384),
    signature: hex(
      'Signature of the EIP-712 text ForwardRequest, with the nonce of the account at the forwarder.',
      8192,
    ),
  },
  { ...strict, description: 'A call for the forwarder (ERC-2771).' },
)

export const OrderBody = Type.Object(
  {
    act: Type.Union(
      (['buy', 'rent', 'fork', 'royalty'] as const).map((it) => Type.Literal(it)),
      { description: 'What the order pays for.' },
    ),
    tokenId: TokenId,
    asset: account('The dollar of the pair.'),
    price: decimal('Total price, in the smallest unit of the dollar.', '5000000'),
    recipient: account('Account that gets the token, the rental or the fork.'),
    numberOfDays: decimal('Days of a rental; "0" for other acts.', '0'),
    maxRoyaltyBps: decimal('Highest total royalty of a fork; "0" for other acts.', '0'),
    refundTo: account('Account that gets a surplus or a refund.'),
    deadline: seconds('Last second in which it may be carried out, since 1970.'),
    salt: bytes32('Any number: orders that are equal but for it are different.'),
  },
  { ...strict, description: 'An act in dollars.' },
)

const validity = {
  validAfter: seconds('The authorization is valid after this second.'),
  validBefore: seconds('The authorization is valid before this second.'),
  signature: hex('Signature of the EIP-3009 authorization.', 8192),
}

const payer = account('Account that signed the authorization and pays.')

const one = <schema extends TSchema>(schema: schema) => Type.Optional(schema)

/** Exactly one of its members is given. */
export const RelayBody = Type.Object(
  {
    request: one(ForwardRequestBody),
    payOrder: one(
      Type.Object(
        { order: OrderBody, payer, ...validity },
        {
          ...strict,
          description: 'An order, and the authorization (receiveWithAuthorization) that pays it.',
        },
      ),
    ),
    settle: one(
      Type.Object(
        {
          order: OrderBody,
          authorization: Type.Optional(
            Type.Object(
              {
                payer,
                ...validity,
                value: decimal('Amount, in the smallest unit of the dollar.', '5000000'),
                nonce: bytes32('Nonce of the authorization.'),
              },
              { ...strict, description: 'A transfer to the address of the order to make first.' },
            ),
          ),
        },
        { ...strict, description: 'An order that was paid at its own address.' },
      ),
    ),
    refund: one(
      Type.Object(
        { order: OrderBody },
        {
          ...strict,
          description: 'An order whose money is at its own address in vain or in excess.',
        },
      ),
    ),
  },
  { ...strict, minProperties: 1, maxProperties: 1 },
)

export const Relayed = Type.Object({
  txHash: TxHash,
  act: text('The act that was relayed.', 'mint'),
  tokenId: Type.Optional(TokenId),
  tokenIds: Type.Optional(
    Type.Array(TokenId, { description: 'The tokens that the act minted, if more than one.' }),
  ),
  expiresAt: Type.Optional(text('End of the rental, in seconds since 1970.', '1800000000')),
})
