import { hash } from 'node:crypto'
import type { SecretChoice } from '@heirloom/adapters/formats'
import { longestName, maxRentalDays } from '@heirloom/core'
import { type TProperties, Type } from '@sinclair/typebox'
import { addressPattern } from '../../api/address.ts'
import { pageRecord, TokenRecord } from '../../api/schemas/catalogue-schemas.ts'
import { SampleRecord } from '../../api/schemas/excerpts-schemas.ts'
import { GrantId } from '../../api/schemas/grant-schemas.ts'
import { ForkBody, RentBody } from '../../api/schemas/market-schemas.ts'
import { Document, SnapshotBody } from '../../api/schemas/memory-schemas.ts'
import { NameText } from '../../api/schemas/name-schemas.ts'
import {
  ContentHash,
  choice,
  hex32,
  inDollars,
  integer,
  orNull,
  sample,
  TokenId,
  text,
  wei,
} from '../../api/schemas/schema-parts.ts'
import { checkSample } from '../../client/check-sample.ts'
import type { Client } from '../../client/client.ts'
import type { Memory } from '../../client/download.ts'
import { withUnits } from '../amounts.ts'
import { GuardRecord } from '../guard.ts'
import { secretChoices } from './snapshot-document.ts'

/** Returns the schema of arguments; unknown names are refused. */
export const argumentsSchema = <Arguments extends TProperties>(properties: Arguments) =>
  Type.Object(withUnits(properties), { additionalProperties: false })

/** The most characters of a name with its owner before it. */
export const longestGrantedName = longestName.name + '0x:'.length + 40

/** The argument of tools about one token. */
export const OneToken = argumentsSchema({ tokenId: TokenId })

const idempotencyKey = Type.Optional(
  Type.String({
    pattern: '^[!-~]{1,200}$',
    description:
      'Makes the write happen once: a repeated call with the same key returns the first result, a different call with that key is refused. Set it when the call may be repeated.',
    examples: ['8e03978e-40d5-43dd-bc93-6894a57f9324'],
  }),
)

/** The arguments of every write. */
export const writeArguments = { idempotencyKey }

const wallet = (description: string) =>
  Type.Unsafe<`0x${string}`>(
    Type.String({ pattern: addressPattern, description, examples: [sample.address] }),
  )

/** Returns the schema of an address that a call must name. */
export const requiredWallet = wallet

const grantOf = (description: string) =>
  Type.Optional(Type.Unsafe<`0x${string}`>({ ...GrantId, description }))

/** The argument of tools that read the memory of another account by its grant. */
export const grantArgument = grantOf(
  'Id of the grant by which the wallet of this session reads; absent for its own right.',
)

/** The arguments of tools that use a name, which may be that of another account by its grant. */
export const grantedNameArguments = {
  name: {
    ...NameText,
    maxLength: longestGrantedName,
    description: `${NameText.description} With a grant it is written with its owner: 0x…:ada.`,
  } as typeof NameText,
  grant: grantOf(
    'Id of the grant of another account by which the wallet of this session uses the name; absent for an own name.',
  ),
}

/** The argument of tools about one account. */
export const OneAccount = argumentsSchema({ address: wallet('Address of the account.') })

const recipient = Type.Optional(
  wallet(
    'Address that receives the token; when absent the wallet of this session, or the agent wallet if it has none.',
  ),
)

const maxPrice = wei('Highest total price to pay', 'at a higher price nothing is bought')

/** The arguments of every purchase. */
export const acquireArguments = { tokenId: TokenId, maxPrice, recipient, ...writeArguments }

const maxDollars = Type.Optional(
  inDollars('Highest total price to pay for a token that is offered in dollars'),
)

/** The arguments of every purchase with the own wallet; it needs one of the two limits. */
export const ownAcquireArguments = {
  ...acquireArguments,
  maxPrice: Type.Optional(maxPrice),
  maxDollars,
}

/** The arguments of a fork. */
export const forkArguments = {
  ...acquireArguments,
  maxRoyaltyBps: ForkBody.properties.maxRoyaltyBps,
}

/** The arguments of a rental. */
export const rentArguments = {
  ...acquireArguments,
  durationDays: Type.Integer({
    ...RentBody.properties.durationDays,
    description: `Length of the rental in whole days, 1 to ${maxRentalDays}.`,
  }),
}

/** The arguments of a fork with the own wallet. */
export const ownForkArguments = { ...forkArguments, ...ownAcquireArguments }

/** The arguments of a rental with the own wallet. */
export const ownRentArguments = { ...rentArguments, ...ownAcquireArguments }

const { card, parentTokenId, metadata } = SnapshotBody.properties

const secrets = Type.Optional(
  choice<SecretChoice>(
    secretChoices,
    'What to do when the memory or its card seems to hold keys, passwords or other secrets: refuse (the default), redact them, or keep them if the user wants that.',
    'redact',
  ),
)

/** The options of a snapshot. */
export const snapshotOptions = {
  secrets,
  card,
  parentTokenId,
  recipient: Type.Optional(
    wallet(
      'Address that owns the token; the wallet that pays when absent. Only the owner can list it.',
    ),
  ),
  ...writeArguments,
}

/** The memory as JSON. */
export const memoryArguments = {
  // Some clients refuse the schema of an object without properties.
  data: Type.Object(
    {
      notes: Type.Optional(
        Type.Unsafe<unknown>({ description: 'Any member, such as notes.', examples: [['calm']] }),
      ),
    },
    { description: 'Any agent state.', examples: [{ notes: [] }], additionalProperties: true },
  ),
  metadata,
}

const salt = hex32(
  'Salt, 32 random bytes before the document in its content hash: 0x and 64 hex digits.',
)
const bytes = integer('Length of the document, in bytes.', 4096)

const sampleCheck = orNull(
  Type.Object(
    {
      mark: SampleRecord.properties.mark,
      isTrue: Type.Boolean({
        description: 'Whether the public excerpts are in the memory, under its root.',
      }),
      wrong: Type.Array(text('JSON pointer.', '/data/a'), {
        description: 'JSON pointers of the excerpts that are not in the memory.',
      }),
    },
    { description: 'The public sample, compared with the memory; null without one.' },
  ),
)

const opened = { tokenId: TokenId, contentHash: ContentHash, salt, bytes, sample: sampleCheck }

/** Returns the members that every opened memory has. */
export async function describeOpened(
  client: Pick<Client, 'excerpts'>,
  memory: Memory,
  { signal }: { readonly signal: AbortSignal },
) {
  const { tokenId, contentHash, salt, document } = memory
  // The memory is verified without the catalogue, which may not answer.
  const sample = await checkSample(client, memory, { sha256, signal }).catch(() => undefined)
  return { tokenId, contentHash, salt, bytes: document.length, sample: sample ?? null }
}

const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer')

/** The argument of tools that return a long text in parts. */
export const offsetArgument = Type.Optional(
  Type.Integer({
    minimum: 0,
    description: 'Start in the exact text, in characters; 0, or `next` of the previous part.',
    examples: [0],
  }),
)

/** An opened memory, or a part of it. */
export const OpenedMemory = Type.Object(
  {
    ...opened,
    guard: Type.Optional(GuardRecord),
    data: Type.Optional(Document.properties.data),
    metadata: Type.Optional(Document.properties.metadata),
    text: Type.Optional(
      text(
        'Part of the exact text of the document.',
        '{"data":{},"metadata":{"category":"research"}}',
      ),
    ),
    next: orNull(integer('Pass it as `offset` to read the next part; null at the end.', 40_000)),
  },
  { description: 'A memory that matches the content hash on the chain.' },
)

export const SavedMemory = Type.Object(
  {
    ...opened,
    guard: Type.Optional(GuardRecord),
    path: text('Path of the file.', 'trader.json'),
  },
  { description: 'The file that holds the document, byte for byte.' },
)

export const Verified = Type.Object(
  {
    tokenId: TokenId,
    matches: Type.Boolean({ description: 'Whether the document is the recorded one.' }),
    contentHash: ContentHash,
    computed: hex32('Hash of the given salt and document: 0x and 64 hex digits.'),
  },
  { description: 'The recorded and the computed content hash.' },
)

export const saltArgument = Type.String({
  pattern: '^0x[0-9a-fA-F]{64}$',
  description: 'Salt that was returned when the memory was opened: 0x and 64 hex digits.',
  examples: [sample.hash],
})

/** The path of a file in the folder of memories. */
export const pathArgument = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: 'Path of a file, relative to the folder of memories.',
  examples: ['trader.json'],
})

export const TokensPage = pageRecord(
  TokenRecord,
  'Tokens, without the description and preview of their cards.',
)
