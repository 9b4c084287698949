import { Hint, type StringOptions, Type } from '@sinclair/typebox'
import { addressPattern } from '../address.ts'
import { pageRecord } from './catalogue-schemas.ts'
import { NameText, VersionRecord } from './name-schemas.ts'
import { decimal, hex32Pattern, sample, TokenId } from './schema-parts.ts'

/** Matches the id of a grant. */
export const grantIdPattern = '^0x[0-9a-f]{64}$'

// The hint gives the static type to the generator of the reference; JSON does not contain it.
const hex = (options: StringOptions) =>
  Type.Unsafe<`0x${string}`>({ ...Type.String(options), [Hint]: 'Hex' })

/** The id of a grant. */
export const GrantId = hex({
  pattern: grantIdPattern,
  description: 'Id of the grant: its EIP-712 hash, in lower case.',
  examples: [sample.hash],
})

/** The grant of a path. */
export const GrantParams = Type.Object({ grant: GrantId })

/** The grant and the token of a path. */
export const GrantedParams = Type.Object({ grant: GrantId, tokenId: TokenId })

const Address = (description: string) =>
  Type.String({ pattern: addressPattern, description, examples: [sample.address] })

const Bytes32 = (description: string) =>
  hex({ pattern: hex32Pattern, description, examples: [sample.hash] })

const Seconds = (description: string) =>
  Type.Integer({ minimum: 0, maximum: 2 ** 48, description, examples: [1767225600] })

const Signature = (description: string) =>
  hex({ pattern: '^0x[0-9a-fA-F]+$', maxLength: 16_386, description, examples: ['0x12'] })

const Origin = (description: string) =>
  Type.String({ maxLength: 255, description, examples: ['https://memories.example'] })

/** A grant as its owner signed it. */
export const GrantRecord = Type.Object(
  {
    statement: Type.String({
      maxLength: 8192,
      description: 'The sentence that says the rest in words; docs/access.md has it.',
      examples: ['I let … read the memory of token 7 until 2027-01-31 (UTC), …'],
    }),
    owner: Address('The account that owns the token or the name, and signs.'),
    reader: Address('The account that may read.'),
    tokenId: TokenId,
    transferCount: decimal(
      'The transfers of the token at the time of the signature; 0 with a name.',
      '0',
    ),
    digest: Bytes32('Digest of its sealed memory: the number in its storage URI.'),
    name: Type.String({
      maxLength: 128,
      description: 'The private name whose versions may be read; empty for the token alone.',
      examples: [''],
    }),
    rights: Type.String({
      maxLength: 32,
      description: '`read`, or `read and save` of a name.',
      examples: ['read'],
    }),
    holders: Type.Array(Origin('Origin of a server.'), {
      maxItems: 16,
      description: 'The servers where it counts, sorted.',
    }),
    issuedAt: Seconds('Time of the signature, in seconds since the Unix epoch.'),
    expires: Seconds('Its end, in seconds since the Unix epoch: at most 366 days later.'),
    salt: Bytes32('Any 32 bytes.'),
  },
  {
    additionalProperties: false,
    description:
      'The leave that one account may read the memory of a token, or the versions of a name, which begins with that token.',
  },
)

/** A page of the versions of a granted name. */
export const GrantedVersionsPage = Type.Object(
  {
    owner: Address('The account whose name it is.'),
    name: NameText,
    ...pageRecord(VersionRecord, '').properties,
  },
  { description: 'Versions of a granted name, the newest first.' },
)

const Label = Type.String({
  maxLength: 256,
  description: 'A text for the owner alone, at most 64 characters.',
  examples: ['auditor'],
})

/** A grant in the list of its reader. */
export const ReceivedGrantRecord = Type.Object(
  { id: GrantId, grant: GrantRecord },
  { description: 'A grant to the account that counts on this server.' },
)

/** The body of a deposit. */
export const DepositBody = Type.Object(
  {
    grant: GrantRecord,
    signature: Signature('Signature of the grant (EIP-712).'),
    label: Type.Optional(Label),
    proof: Type.Object(
      {
        origin: Origin('The server that the text names: any of the holders.'),
        timestamp: Seconds('Time of the signature, in seconds since the Unix epoch.'),
        signature: Signature('Signature of the text (EIP-191).'),
      },
      { additionalProperties: false, description: 'The proof that the owner deposits it.' },
    ),
  },
  { additionalProperties: false, description: 'A grant, and the proof of its owner.' },
)

/** A grant that is there beside one of the same. */
export const OtherGrantRecord = Type.Object(
  { id: GrantId, ...Type.Pick(GrantRecord, ['rights', 'expires']).properties },
  { description: 'A grant of the same to the same account.' },
)

/** The answer to a deposit. */
export const Deposited = Type.Object(
  {
    id: GrantId,
    others: Type.Array(OtherGrantRecord, {
      description:
        'The others of the same token or name to the same account that count: each goes on when another one is revoked. Empty where this grant was here before, or its proof is for another server.',
    }),
  },
  { description: 'The grant is deposited.' },
)

/** A grant in the list of its owner. */
export const DepositedGrantRecord = Type.Object(
  { id: GrantId, label: Label, grant: GrantRecord },
  { description: 'A grant that counts on this server.' },
)

const signer = {
  owner: Address('The account that signed.'),
  signature: Signature('Signature (EIP-191).'),
}

/** The body of a revocation. */
export const RevokeBody = Type.Object(
  { ...signer, grant: Type.Optional(GrantRecord) },
  {
    additionalProperties: false,
    description: 'The signature of the owner, and the grant where it was never deposited here.',
  },
)

/** The body of a revocation of all grants. */
export const RevokeAllBody = Type.Object(
  { ...signer, timestamp: Seconds('The last second whose grants are revoked.') },
  { additionalProperties: false, description: 'The signature of the owner.' },
)
