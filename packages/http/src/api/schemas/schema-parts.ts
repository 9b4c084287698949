import { type Currency, decimalPattern, wholeBps } from '@heirloom/core'
import {
  Hint,
  type SchemaOptions,
  type Static,
  type TSchema,
  type TString,
  Type,
} from '@sinclair/typebox'
import { addressPattern } from '../address.ts'
import { idempotencyHeader } from '../headers.ts'

export const sample = {
  address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  hash: '0x9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
}

/** Returns the schema of a text. */
export const text = (description: string, example: string) =>
  Type.String({ description, examples: [example] })

/** Returns the schema of a whole number. */
export const integer = (description: string, example: number) =>
  Type.Integer({ description, examples: [example] })

export const flag = (description: string, example: boolean) =>
  Type.Boolean({ description, examples: [example] })

/** Returns the schema of one of some words. */
export const choice = <Word extends string>(
  words: readonly Word[],
  description: string,
  example: NoInfer<Word>,
) => Type.Unsafe<Word>({ type: 'string', enum: words, description, examples: [example] })

/** Returns the schema of a value that may be null. */
export const orNull = <Schema extends TSchema>(schema: Schema, options?: SchemaOptions) =>
  Type.Union([schema, Type.Null()], options)

export const decimal = (description: string, example: string) =>
  Type.String({ pattern: decimalPattern, description, examples: [example] })

/** Marks the schema of an amount with its currency; JSON does not contain it. */
export const amountIn = Symbol('amount in')

const amount = (currency: Currency, description: string, example: string): TString =>
  Object.assign(decimal(description, example), { [amountIn]: currency })

export const wei = (description: string, note?: string) => {
  const text = note === undefined ? `${description}, in wei.` : `${description}, in wei; ${note}.`
  return amount('native', text, '1000000000000000')
}

/** Returns the schema of an amount in dollars. */
export const inDollars = (description: string, note?: string) => {
  const unit = "in the dollar's smallest unit, a millionth"
  const text = [`${description}, ${unit}`, ...(note === undefined ? [] : [note])].join('; ')
  return amount('dollar', `${text}.`, '5000000')
}

// The hint gives the static type to the generator of the reference; JSON does not contain it.
const hex = (description: string, example: string) =>
  Type.Unsafe<`0x${string}`>({
    ...Type.String({ description, examples: [example] }),
    [Hint]: 'Hex',
  })

export const hex32 = (description: string) => hex(description, sample.hash)
export const address = (description: string) => hex(description, sample.address)

export const bps = (description: string) =>
  Type.Integer({ minimum: 0, maximum: wholeBps, description, examples: [500] })

export const TokenId = decimal('Id of the token; the first token is 1.', '1')
export const TxHash = hex32('Hash of the mined transaction: 0x and 64 hex digits.')

export const StorageUri = Type.String({
  description:
    'Location of the sealed bundle: v2 is the version of this notation, ipfs the storage, and the number the sha2-256 of its root IPFS block.',
  examples: [`v2:ipfs://${sample.hash}`],
})

export const Asset = Type.Optional(
  text(
    'Name of the token that is the same everywhere (CAIP-19).',
    `eip155:1/erc721:${sample.address}/1`,
  ),
)

export const ContentHash = hex32(
  'Content hash, the sha256 of the salt and the document: 0x and 64 hex digits.',
)

export const ErasedAt = decimal(
  'Time when the memory was erased, in seconds since the Unix epoch.',
  '1767225600',
)

export const Recipient = Type.Optional(
  Type.String({
    pattern: addressPattern,
    description: 'Address that receives the token; the agent wallet when absent.',
    examples: [sample.address],
  }),
)

/** The optional headers of any write. `readKey` parses the idempotency key. */
export const WriteHeaders = Type.Object({
  [idempotencyHeader]: Type.Optional(
    Type.String({
      description:
        'Makes the write happen once: a repeated request with the same key gets the first response, a different request with that key is refused. A string of RFC 8941 with 1 to 200 visible ASCII characters; the quotes are optional.',
      examples: ['"8e03978e-40d5-43dd-bc93-6894a57f9324"'],
    }),
  ),
})

/** Returns the headers by which an account proves that it asks for something. */
const signerHeaders = (signer: string, signature: string) => ({
  'x-wallet-address': Type.String({
    description: `Address of the ${signer}, with its EIP-55 checksum.`,
    examples: [sample.address],
  }),
  'x-timestamp': Type.String({
    description: 'Time of signing, in seconds since the Unix epoch.',
    examples: ['1767225600'],
  }),
  'x-signature': Type.String({ description: signature, examples: ['0x'] }),
})

/** The headers with which an owner proves that it asks for an erasure; none for an API key. */
export const EraseHeaders = Type.Partial(
  Type.Object(signerHeaders('owner', 'Signature of the owner (EIP-191).')),
)

/** The headers with which a creator proves that it asks for a seal. */
export const SealHeaders = Type.Composite([
  WriteHeaders,
  Type.Object({
    ...signerHeaders(
      'creator',
      'Signature (EIP-191) of `heirloom:seal:<host>:<chainId>:<registry>:<account>:<timestamp>:<sha256 of the body: 0x and 64 lower-case hex digits>`.',
    ),
    'content-digest': Type.String({
      description: 'Digest of the exact bytes of the body (RFC 9530), with the algorithm sha-256.',
      examples: ['sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:'],
    }),
  }),
])

export const TokenParams = Type.Object({ tokenId: TokenId })

const id = '(0|[1-9][0-9]{0,77})'

/** Returns the schema of a query that names at most `most` tokens. */
export const tokenIdsQuery = (most: number) =>
  Type.Object(
    {
      tokenIds: Type.String({
        pattern: `^${id}(,${id}){0,${most - 1}}$`,
        description: `Ids of tokens, with commas between them; ${most} at most.`,
        examples: ['1,2'],
      }),
    },
    { additionalProperties: false },
  )

/** The pattern of the size of a page. */
export const pageSizePattern = '^([1-9][0-9]?|100)$'

/** The pattern of 32 bytes, such as a hash. */
export const hex32Pattern = '^0x[0-9a-fA-F]{64}$'

/** The static type of a schema, readonly at every depth. */
export type ReadonlyStatic<Schema extends TSchema> = DeepReadonly<Static<Schema>>

type DeepReadonly<T> = T extends object ? { readonly [name in keyof T]: DeepReadonly<T[name]> } : T

/** The messages for texts that do not match a pattern. */
export const patternMessages: Readonly<Record<string, string>> = {
  [decimalPattern]: 'must be a decimal string, without sign or leading zeros',
  [addressPattern]: 'must be a wallet address, 0x and 40 hexadecimal digits',
  [pageSizePattern]: 'must be a whole number from 1 to 100',
  [hex32Pattern]: 'must be 0x and 64 hexadecimal digits',
}

/** Returns what a validator says of a value in plain words. */
export const plainFault = (message: string): string =>
  message
    .replace('must NOT have fewer than', 'must have at least')
    .replace('must NOT have more than', 'must have at most')
    .replace(
      /must match pattern "\^\(([\w|-]+)\)\(,\(\1\)\)\{0,\d+\}\$"/,
      (_, words: string) =>
        `must be one or more of ${words.split('|').join(', ')}, separated by commas`,
    )
