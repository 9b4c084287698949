import {
  decimalPattern,
  type FailureCode,
  maxLineageDepth,
  maxRentalDays,
  wholeBps,
} from '@heirloom/core'
import { Hint, Type } from '@sinclair/typebox'
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
export const wei = (description: string, note?: string) => {
  const text = note === undefined ? `${description}, in wei.` : `${description}, in wei; ${note}.`
  return decimal(text, '1000000000000000')
}
// The hint gives the static type to the generator of the reference; JSON does not contain it.
const hex = (description: string, example: string) =>
  Type.Unsafe<`0x${string}`>({
    ...Type.String({ description, examples: [example] }),
    [Hint]: 'Hex',
  })
export const hex32 = (description: string) => hex(description, sample.hash)
export const address = (description: string) => hex(description, sample.address)

export const TokenId = decimal('Id of the token; the first token is 1.', '1')
export const TxHash = hex32('Hash of the mined transaction: 0x and 64 hex digits.')
export const StorageUri = Type.String({
  description:
    'Location of the sealed bundle: v2 is the version of its envelope, ipfs the storage, and the number the sha2-256 of its root IPFS block.',
  examples: [`v2:ipfs://${sample.hash}`],
})
export const ContentHash = hex32(
  'Content hash, the sha256 of the salt and the document: 0x and 64 hex digits.',
)

const Recipient = Type.Optional(
  Type.String({
    pattern: addressPattern,
    description: 'Address that receives the token; the agent wallet when absent.',
    examples: [sample.address],
  }),
)
const MaxPrice = Type.Optional(wei('Highest total price to pay'))

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

export const TokenParams = Type.Object({ tokenId: TokenId })

export const SnapshotBody = Type.Object({
  data: Type.Object({}, { description: 'Any agent state.', examples: [{ positions: [] }] }),
  metadata: Type.Object(
    {
      category: Type.String({
        minLength: 1,
        description: 'Category, such as trading, research, support, gaming or social.',
        examples: ['trading'],
      }),
      agentId: Type.Optional(
        Type.Unsafe<unknown>({ description: 'Name of the agent.', examples: ['agent-7'] }),
      ),
      version: Type.Optional(
        Type.Unsafe<unknown>({ description: 'Version of the memory.', examples: ['1.0.0'] }),
      ),
    },
    { description: 'Any further members are stored too.' },
  ),
  card: Type.Optional(CardBody),
  parentTokenId: Type.Optional(
    decimal('Parent: the token this memory was derived from; absent or "0" for none.', '0'),
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
      description:
        'The time when the server accepted the write, in milliseconds since the Unix epoch.',
      examples: [1767225600000],
    }),
  },
  { description: 'The minted token and the location of its sealed bundle.' },
)

export const ProvenanceRecord = Type.Object(
  {
    tokenId: TokenId,
    contentHash: ContentHash,
    storageUri: StorageUri,
    creator: address('Creator: the address that paid for the mint.'),
    parent: decimal('Parent: the token it was forked from; "0" for none.', '0'),
    timestamp: decimal('Block time, in seconds since the Unix epoch.', '1767225600'),
  },
  { description: 'The record of a token on the chain.' },
)

export const Document = Type.Object(
  {
    data: Type.Object({}, { additionalProperties: true }),
    metadata: Type.Object({}, { additionalProperties: true }),
  },
  { description: 'The document, byte for byte as it was snapshot.' },
)

export const terms = {
  price: wei('Sale price', '"0" when not for sale'),
  rentalPricePerDay: wei('Rental price per day', '"0" when not for rent'),
  forkPrice: wei('Price of a fork', '"0" when not for fork'),
  forkRoyaltyBps: Type.Integer({
    minimum: 0,
    maximum: wholeBps,
    description: 'Royalty of this creator on later sales of a fork, in basis points; 500 is 5 %.',
    examples: [500],
  }),
}

const bps = (description: string) =>
  Type.Integer({ minimum: 0, maximum: wholeBps, description, examples: [500] })

export const ListingRecord = Type.Object(
  {
    seller: address('Address of the seller; the zero address when the token is not listed.'),
    ...terms,
    isForSale: Type.Boolean({ description: 'Whether price is above 0.' }),
    isForRent: Type.Boolean({ description: 'Whether rentalPricePerDay is above 0.' }),
    isForFork: Type.Boolean({
      description: 'Whether forkPrice is above 0. A fork also requires canBeForked.',
    }),
    effectiveRoyaltyBps: bps(
      'Royalty that a fork made now would owe this creator, in basis points: forkRoyaltyBps, or the share that earlier claims leave.',
    ),
    totalRoyaltyBps: bps('Sum of all royalties that a fork made now would owe, in basis points.'),
    canBeForked: Type.Boolean({
      description: `Whether it can be forked: it has fewer than ${maxLineageDepth} licensed forks among its ancestors.`,
    }),
  },
  { description: 'The current terms.' },
)

export const ListBody = Type.Object({ tokenId: TokenId, ...terms })
export const AcquireBody = Type.Object({ recipient: Recipient, maxPrice: MaxPrice })
export const ForkBody = Type.Object({
  ...AcquireBody.properties,
  maxRoyaltyBps: Type.Optional(
    bps(
      'Highest sum of royalties that the fork may owe, in basis points; the sum in the listing when absent.',
    ),
  ),
})
export const RentBody = Type.Object({
  durationDays: Type.Integer({
    minimum: 1,
    maximum: maxRentalDays,
    description: 'Length of the rental, in whole days.',
    examples: [7],
  }),
  recipient: Recipient,
  maxPrice: MaxPrice,
})
export const RoyaltyBody = Type.Object({ amount: wei('Amount to pay', 'at least 1') })

export const Written = Type.Object({ txHash: TxHash }, { description: 'The mined transaction.' })
export const Rented = Type.Object(
  {
    txHash: TxHash,
    expiresAt: decimal('End of the rental, in seconds since the Unix epoch.', '1767830400'),
  },
  { description: 'The mined transaction, and the end of the rental.' },
)
export const Forked = Type.Object(
  { txHash: TxHash, tokenId: TokenId },
  { description: 'The mined transaction, and the minted child.' },
)

export const DeploymentRecord = Type.Object(
  {
    chainId: Type.Integer({ description: 'Chain id of EIP-155.', examples: [31337] }),
    registry: address('Address of the MemoryRegistry contract.'),
    marketplace: address('Address of the MemoryMarketplace contract.'),
    agent: address('Address of the agent wallet, which signs and pays every write.'),
    proofs: Type.Array(Type.Union([Type.Literal('eip191'), Type.Literal('eip4361')]), {
      description:
        'Accepted access proofs: eip191 is a plain text, eip4361 is bound to this server.',
      examples: [['eip191', 'eip4361']],
    }),
    origin: Type.Optional(
      Type.String({
        description: 'Origin of this server, as a bound proof (eip4361) must name it.',
        examples: ['https://memories.example'],
      }),
    ),
    domain: Type.Optional(
      Type.String({ description: 'Host of the origin.', examples: ['memories.example'] }),
    ),
  },
  { description: 'The chain, the contracts, the agent wallet and the accepted access proofs.' },
)

const limit = (description: string) =>
  Type.Union([wei(description, 'null for no limit'), Type.Null()])

export const WalletRecord = Type.Object(
  {
    address: address('Address of the agent wallet, which signs and pays every write.'),
    balance: wei('Balance'),
    spentToday: wei('Spent today (UTC)', 'includes writes in progress'),
    maxSpendPerCall: limit('Spending limit of one call'),
    maxSpendPerDay: limit('Spending limit of one day (UTC)'),
    apiKey: Type.Optional(
      Type.Object(
        {
          name: Type.String({
            description: 'Name that the operator gave the key.',
            examples: ['shop'],
          }),
          scope: Type.String({
            description: 'Scope of the key: read, write or admin.',
            examples: ['write'],
          }),
          spentToday: wei('Spent today (UTC) with this key', 'includes writes in progress'),
          maxSpendPerCall: limit('Spending limit of one call with this key'),
          maxSpendPerDay: limit('Spending limit of one day (UTC) with this key'),
        },
        { description: 'The API key of this request and its budget; absent without one.' },
      ),
    ),
  },
  { description: 'The balance and the spending limits of the agent wallet.' },
)

/** The failures of any request. */
export const anyRequest: readonly FailureCode[] = [
  'request/foreign-host',
  'request/malformed',
  'request/too-many',
  'service/stopping',
  'service/unexpected',
]

/** The failures of any read of the catalogue that may wait. */
export const anyCatalogueRead: readonly FailureCode[] = [
  ...anyRequest,
  'catalogue/busy',
  'catalogue/too-costly',
  'catalogue/unavailable',
]

/** The failures of any read of the chain. */
export const anyRead: readonly FailureCode[] = [...anyRequest, 'ledger/unavailable']

/** The failures of any request with a body. */
export const anyBody: readonly FailureCode[] = [
  'json/duplicate-member',
  'json/malformed',
  'json/too-deep',
  'request/foreign-origin',
  'request/too-large',
  'request/wrong-type',
]

/** The failures of any write. */
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

/** Returns the failure responses of a route for the OpenAPI document: for each status, its codes. */
export function problemResponses(codes: readonly FailureCode[]): object {
  const statuses = [...new Set(codes.map((code) => statusOf[code].status))].toSorted()
  const described = statuses.map((status) => {
    const ofStatus = codes.filter((code) => statusOf[code].status === status).toSorted()
    return [status, problemResponse(ofStatus)] as const
  })
  return Object.fromEntries(described)
}

function problemResponse(codes: readonly FailureCode[]) {
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    content: { 'application/problem+json': { schema: { $ref: 'Problem#' } } },
  }
}
