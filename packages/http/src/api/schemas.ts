import {
  decimalPattern,
  type FailureCode,
  maxLineageDepth,
  maxRentalDays,
  wholeBps,
} from '@heirloom/core'
import { Type } from '@sinclair/typebox'
import { addressPattern } from './address.ts'
import { CardBody } from './card-body.ts'
import { idempotencyHeader } from './idempotency-header.ts'
import { statusOf } from './status-of.ts'

export const sample = {
  address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  hash: '0x9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
}

export const decimal = (description: string, example: string) =>
  Type.String({ pattern: decimalPattern, description, examples: [example] })
export const wei = (description: string) => decimal(`${description}, in wei.`, '1000000000000000')
const hex = (description: string, example: string) =>
  Type.Unsafe<`0x${string}`>(Type.String({ description, examples: [example] }))
export const hex32 = (description: string) => hex(description, sample.hash)
export const address = (description: string) => hex(description, sample.address)

export const TokenId = decimal('The number of a token; the first one minted is 1.', '1')
export const TxHash = hex32('The transaction that the chain accepted.')
export const StorageUri = Type.String({
  description: 'Where the sealed bundle is: envelope format, storage scheme, digest of the block.',
  examples: [`v2:ipfs://${sample.hash}`],
})
export const ContentHash = hex32('sha256 of the salt and the document.')

const Recipient = Type.Optional(
  Type.String({
    pattern: addressPattern,
    description: 'The wallet that receives; the agent wallet when absent.',
    examples: [sample.address],
  }),
)
const MaxPrice = Type.Optional(wei('The most that may be paid for all of it'))

/** What may come with any write. `readKey` says what a key is made of. */
export const WriteHeaders = Type.Object({
  [idempotencyHeader]: Type.Optional(
    Type.String({
      description:
        'Makes the write once: the same request with the same key is answered as it was then, another one is refused. A string as in RFC 8941, of 1 to 200 visible ASCII characters; the quotes may be left out.',
      examples: ['"8e03978e-40d5-43dd-bc93-6894a57f9324"'],
    }),
  ),
})

export const TokenParams = Type.Object({ tokenId: TokenId })

export const SnapshotBody = Type.Object({
  data: Type.Object({}, { description: 'Any agent state.', examples: [{ positions: [] }] }),
  metadata: Type.Object(
    {
      category: Type.String({
        minLength: 1,
        description: 'trading, research, support, gaming, social, or any other word.',
        examples: ['trading'],
      }),
      agentId: Type.Optional(
        Type.Unsafe<unknown>({ description: 'Names the agent.', examples: ['agent-7'] }),
      ),
      version: Type.Optional(
        Type.Unsafe<unknown>({ description: 'Labels the bundle.', examples: ['1.0.0'] }),
      ),
    },
    { description: 'Further members are kept.' },
  ),
  card: Type.Optional(CardBody),
  parentTokenId: Type.Optional(
    decimal('The token this memory grew from; absent or "0" for a root.', '0'),
  ),
  recipient: Recipient,
})

export const Minted = Type.Object(
  {
    tokenId: TokenId,
    contentHash: ContentHash,
    storageUri: StorageUri,
    txHash: TxHash,
    timestamp: Type.Integer({
      description: 'Milliseconds since the Unix epoch.',
      examples: [1767225600000],
    }),
  },
  { description: 'The token, and where its sealed bundle is.' },
)

export const ProvenanceRecord = Type.Object(
  {
    tokenId: TokenId,
    contentHash: ContentHash,
    storageUri: StorageUri,
    creator: address('The wallet that paid for the mint.'),
    parent: decimal('The token this one was forked from; "0" for a root.', '0'),
    timestamp: decimal('Block time, in seconds since the Unix epoch.', '1767225600'),
  },
  { description: 'What the chain records.' },
)

export const Document = Type.Object(
  {
    data: Type.Object({}, { additionalProperties: true }),
    metadata: Type.Object({}, { additionalProperties: true }),
  },
  { description: 'The bundle, byte for byte as it was snapshot.' },
)

export const terms = {
  price: wei('What the token costs to buy; "0" means not for sale'),
  rentalPricePerDay: wei('What a day of rent costs; "0" means not for rent'),
  forkPrice: wei('What a fork costs; "0" means not for fork'),
  forkRoyaltyBps: Type.Integer({
    minimum: 0,
    maximum: wholeBps,
    description: "The share of a fork's later prices asked for this creator; 500 is 5 %.",
    examples: [500],
  }),
}

const bps = (description: string) =>
  Type.Integer({ minimum: 0, maximum: wholeBps, description, examples: [500] })

export const ListingRecord = Type.Object(
  {
    seller: address('The owner; the zero address when the token is not listed.'),
    ...terms,
    isForSale: Type.Boolean({ description: 'Whether price is above 0.' }),
    isForRent: Type.Boolean({ description: 'Whether rentalPricePerDay is above 0.' }),
    isForFork: Type.Boolean({ description: 'Whether forkPrice is above 0.' }),
    effectiveRoyaltyBps: bps(
      'The share that a fork made now would owe to this creator: forkRoyaltyBps, or what earlier claims leave of the price.',
    ),
    totalRoyaltyBps: bps('All that a fork made now would owe of its prices.'),
    canBeForked: Type.Boolean({
      description: `Whether fewer than ${maxLineageDepth} licensed forks lead to it in a line.`,
    }),
  },
  { description: 'The live terms.' },
)

export const ListBody = Type.Object({ tokenId: TokenId, ...terms })
export const AcquireBody = Type.Object({ recipient: Recipient, maxPrice: MaxPrice })
export const ForkBody = Type.Object({
  ...AcquireBody.properties,
  maxRoyaltyBps: Type.Optional(
    bps(
      'The most that all royalties together may take of the prices of the fork; what the listing shows when absent.',
    ),
  ),
})
export const RentBody = Type.Object({
  durationDays: Type.Integer({
    minimum: 1,
    maximum: maxRentalDays,
    description: 'How many whole days.',
    examples: [7],
  }),
  recipient: Recipient,
  maxPrice: MaxPrice,
})
export const RoyaltyBody = Type.Object({ amount: wei('What to pay, at least 1') })

export const Written = Type.Object(
  { txHash: TxHash },
  { description: 'The chain has accepted it.' },
)
export const Rented = Type.Object(
  {
    txHash: TxHash,
    expiresAt: decimal('When the rental ends, in seconds since the Unix epoch.', '1767830400'),
  },
  { description: 'The rental, as it now runs.' },
)
export const Forked = Type.Object(
  { txHash: TxHash, tokenId: TokenId },
  { description: 'The child.' },
)

export const DeploymentRecord = Type.Object(
  {
    chainId: Type.Integer({ examples: [31337] }),
    registry: address('The MemoryRegistry contract.'),
    marketplace: address('The MemoryMarketplace contract.'),
    agent: address('The wallet that signs and pays every write.'),
    proofs: Type.Array(Type.Union([Type.Literal('eip191'), Type.Literal('eip4361')]), {
      description: 'The ways to prove a wallet: the plain text, or one that names this server.',
    }),
    origin: Type.Optional(
      Type.String({
        description: 'Where this server is, as a bound proof (eip4361) names it.',
        examples: ['https://memories.example'],
      }),
    ),
    domain: Type.Optional(
      Type.String({ description: 'The host of the origin.', examples: ['memories.example'] }),
    ),
  },
  { description: 'Where the contracts are, who pays, and how a wallet is proven.' },
)

const limit = (description: string) => Type.Union([wei(description), Type.Null()])

export const WalletRecord = Type.Object(
  {
    address: address('The wallet that signs and pays every write.'),
    balance: wei('What it holds'),
    spentToday: wei('What today (UTC) has cost or may still cost'),
    maxSpendPerCall: limit('The most that a call may cost; null for anything'),
    maxSpendPerDay: limit('The most that a day may cost; null for anything'),
    apiKey: Type.Optional(
      Type.Object(
        {
          name: Type.String({ description: 'What the operator calls it.', examples: ['shop'] }),
          scope: Type.String({ description: 'read, write or admin.', examples: ['write'] }),
          spentToday: wei('What today (UTC) has cost or may still cost in its name'),
          maxSpendPerCall: limit('The most that one of its calls may cost; null for anything'),
          maxSpendPerDay: limit('The most that its day may cost; null for anything'),
        },
        { description: 'The API key that asks, and its budget; absent without one.' },
      ),
    ),
  },
  { description: 'The agent wallet as it is now.' },
)

/** What may go wrong with any request. */
export const anyRequest: readonly FailureCode[] = [
  'request/foreign-host',
  'request/malformed',
  'request/too-many',
  'service/stopping',
  'service/unexpected',
]

/** What may go wrong with any read of the catalogue that may have to wait. */
export const anyCatalogueRead: readonly FailureCode[] = [
  ...anyRequest,
  'catalogue/busy',
  'catalogue/too-costly',
  'catalogue/unavailable',
]

/** What may go wrong with any read of the chain. */
export const anyRead: readonly FailureCode[] = [...anyRequest, 'ledger/unavailable']

/** What may go wrong with any request that has a body. */
export const anyBody: readonly FailureCode[] = [
  'json/duplicate-member',
  'json/malformed',
  'json/too-deep',
  'request/foreign-origin',
  'request/too-large',
  'request/wrong-type',
]

/** What may go wrong with any write. */
export const anyWrite: readonly FailureCode[] = [
  ...anyRead,
  ...anyBody,
  'idempotency/key-reused',
  'api-key/call-limit',
  'api-key/day-limit',
  'api-key/out-of-scope',
  'request/not-authorized',
  'transaction/cancelled',
  'transaction/reverted',
  'transaction/unconfirmed',
  'transaction/unknown',
  'value/invalid',
  'wallet/call-limit',
  'wallet/day-limit',
  'wallet/short',
]

/** Returns the refusals of a route for its documentation: for each status, its codes. */
export function problems(codes: readonly FailureCode[]): object {
  const statuses = [...new Set(codes.map((code) => statusOf[code].status))].toSorted()
  const described = statuses.map((status) => {
    const ofStatus = codes.filter((code) => statusOf[code].status === status).toSorted()
    return [status, problem(ofStatus)] as const
  })
  return Object.fromEntries(described)
}

function problem(codes: readonly FailureCode[]) {
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    content: { 'application/problem+json': { schema: { $ref: 'Problem#' } } },
  }
}
