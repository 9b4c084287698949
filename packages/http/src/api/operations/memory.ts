import { type FailureCode, failuresOf } from '@heirloom/core'
import { Type } from '@sinclair/typebox'
import { anyBody, anyRead } from '../problem.ts'
import { PageParameters } from '../schemas/catalogue-queries.ts'
import { pageRecord } from '../schemas/catalogue-schemas.ts'
import { ListingRecord } from '../schemas/market-schemas.ts'
import {
  Document,
  Erased,
  Minted,
  OpeningRecord,
  ProvenanceRecord,
  Sealed,
  SnapshotBody,
} from '../schemas/memory-schemas.ts'
import {
  FoundRecord,
  MemorySearchParameters,
  OutlineParameters,
  OutlineRecord,
  OwnRecord,
  PartParameters,
  SelectedRecord,
} from '../schemas/part-schemas.ts'
import {
  address,
  EraseHeaders,
  SealHeaders,
  TokenId,
  TokenParams,
} from '../schemas/schema-parts.ts'
import { byKey, byProof, operation, read, write } from './operation.ts'

const tag = 'memory'

/** The failures of what opens a memory for the bearer of a proof, besides those of the use case. */
const anyOpening: readonly FailureCode[] = [
  ...anyRead,
  'memory/erased',
  'proof/malformed',
  'proof/missing',
  'value/invalid',
]

/** The failures of a proof in the headers of a seal, an erasure or a rating. */
export const anySignedCall = [
  'proof/malformed',
  'proof/missing',
  'proof/not-signed',
  'proof/stale',
  'seal/not-offered',
] as const

const anyId: readonly FailureCode[] = [...anyRead, 'value/invalid']

const downloaded = {
  description: 'The bundle.',
  headers: {
    'x-content-hash': { type: 'string', description: 'The hash that the chain records.' },
    'x-content-salt': { type: 'string', description: 'The 32 bytes that precede the body.' },
  },
  content: { 'application/json': { schema: Type.Unsafe<Uint8Array | string>(Document) } },
}

const TokenOfRegistry = Type.Object({
  chainId: Type.String({
    pattern: '^[1-9][0-9]{0,15}$',
    description: 'Chain id of the registry.',
    examples: ['31337'],
  }),
  registry: address('Address of the registry that the id is of.'),
  tokenId: TokenId,
})

const idOfRegistry =
  'An id of this server’s own registry, or of one whose tokens `heirloom migrate` carried over: docs/guides/migrate.md.'

const sameProof =
  'The proof is that of a download of this token; opens only the pieces of a long memory that it needs.'

const inside = { tag, security: byProof, params: TokenParams } as const

const anyValue = {
  type: ['object', 'array', 'string', 'number', 'boolean', 'null'],
  items: {},
  description: 'The value at the pointer.',
}

/** The operations on one memory. */
export const memoryOperations = {
  snapshot: write({
    tag,
    summary: 'Seal a memory bundle, store it, and mint its provenance token',
    description:
      'Seals `{"data":D,"metadata":M}`, where D and M are the exact texts that arrived. Nothing of it is public; the `card` is public for ever. With a `name` it is the next version of this name, and its parent is the last one; the bytes of the last version make no other one (`unchanged`). An account that proves itself as for names, by `x-wallet-address`, `x-timestamp` and `x-signature`, is sealed into it as the one who saved it; docs/versions.md has the text that it signs.',
    body: SnapshotBody,
    answers: { 201: Minted },
    failures: [...failuresOf.save, ...anySignedCall, 'name/malformed', 'name/no-owner'],
  }),
  seal: operation({
    tag,
    summary: 'Seal and store a memory bundle for a wallet that mints its token itself',
    description: [
      'Seals as `snapshot` does, for the wallet that signs, and returns the transaction that this wallet',
      'signs and sends. Only a token that this wallet mints opens. The signature is checked before the',
      'body is read, and the body against the signed digest. A block must contain the mint before',
      '`expiresAt`; the memory is removed later if none does. docs/seal.md describes it all.',
    ].join(' '),
    scope: 'write',
    openedBy: 'seal',
    security: byKey,
    headers: SealHeaders,
    body: SnapshotBody,
    answers: { 201: Sealed },
    failures: [
      ...anyRead,
      ...anyBody,
      ...failuresOf.seal,
      ...failuresOf.proveCreator,
      ...anySignedCall,
      'api-key/out-of-scope',
      'blob/corrupt',
      'blob/not-found',
      'bundle/unreadable',
      'idempotency/key-reused',
      'memory/erased',
      'name/held',
      'name/malformed',
      'name/moved',
      'name/unavailable',
      'request/not-authorized',
      'seal/no-room',
      'seal/too-many',
      'seal/wrong-body',
      'value/invalid',
    ],
  }),
  download: read({
    tag,
    summary: 'Open the memory of a token as its owner or an active renter',
    description: [
      'The signed text (EIP-191) is `service:access:<tokenId>:<address>:<timestamp>`.',
      'A bound proof signs an EIP-4361 text instead, which names the server, chain, registry and',
      'token, where `GET /api/deployment` has `eip4361` among its `proofs`; docs/client.md has it.',
      'The timestamp is within 120 seconds of now; until then a signature may be used again.',
      'A contract wallet signs the same text: a signature of more than 65 bytes, up to 8 KiB, is',
      'checked by ERC-1271, or by ERC-6492 where the wallet is not deployed yet.',
      'The headers are checked first (403), then the token (404), then the right to it (403).',
      'A contract is called last (403), and few at once (503 with `retry-after`).',
      'The body is the document that was sealed, byte for byte. Anyone can check it with',
      '`x-content-salt`: sha256(salt ‖ body) is `x-content-hash`, which the chain records.',
    ].join(' '),
    security: byProof,
    params: TokenParams,
    answers: { 200: downloaded },
    failures: [...anyOpening, ...failuresOf.download],
  }),
  erase: operation({
    tag,
    summary: 'Erase the memory of a token for ever, as its owner',
    description: [
      'The owner signs (EIP-191) `heirloom:erase:<host>:<chainId>:<registry>:<tokenId>:<address>:<timestamp>`,',
      'with the host of this server. Without these headers, an API key with the scope admin erases what the',
      'agent wallet owns, and the key of a tenant what its tenant owns. The owner must own every token that',
      'opens the memory, none of them may be listed, and no rental of somebody else may run. The token',
      'stays, and its memory is answered with 410 from then on. docs/versions.md describes it all.',
    ].join(' '),
    // The owner signs it; without a signature the route itself requires the scope.
    scope: 'anyone',
    security: byKey,
    params: TokenParams,
    headers: EraseHeaders,
    answers: { 200: Erased },
    failures: [
      ...anyId,
      ...failuresOf.erase,
      ...anySignedCall,
      'catalogue/busy',
      'catalogue/too-costly',
      'request/foreign-origin',
    ],
  }),
  outline: read({
    ...inside,
    summary: 'Describe what is in a memory: types, sizes and counts, without the values',
    description: `Goes on level by level. ${sameProof}`,
    query: OutlineParameters,
    answers: { 200: OutlineRecord },
    failures: [...anyOpening, ...failuresOf.outline],
  }),
  part: read({
    ...inside,
    summary: 'Read one value of a memory as its exact text, or those that a path selects',
    description: `With \`pointer\` the body is the text of the value, byte for byte as it was sealed. With \`path\` it is an object with the \`matches\`, each with its text, and \`next\`; no match is no failure. ${sameProof}`,
    query: PartParameters,
    answers: {
      200: {
        description: 'The exact text of the value, or the matches of a path.',
        headers: {
          'x-sealed-digest': { type: 'string', description: 'Digest of the sealed bundle.' },
          'x-verified-by': {
            type: 'string',
            description: '`digest`: a part is authentic by it, and not by the content hash.',
          },
          'x-document-length': { type: 'string', description: 'Bytes of the whole document.' },
        },
        content: {
          'application/json': {
            schema: Type.Unsafe<Uint8Array>({ anyOf: [SelectedRecord, anyValue] }),
          },
        },
      },
    },
    failures: [...anyOpening, ...failuresOf.part, ...failuresOf.selectIn],
  }),
  searchIn: read({
    ...inside,
    summary: 'Find a text inside a memory',
    description: `Searches the names of members and the string values, whatever their case; with \`each=item\` it answers a question. ${sameProof}`,
    query: MemorySearchParameters,
    answers: { 200: FoundRecord },
    failures: [...anyOpening, ...failuresOf.searchIn],
  }),
  isOwn: read({
    ...inside,
    summary: 'Report whether a memory is the reader’s own',
    description:
      'A memory is the own of the account that saved it, or that minted it with a wallet of its own, if the version before it is too, or was accepted. A licensed fork is nobody’s own. The proof is that of a download of this token.',
    answers: { 200: OwnRecord },
    failures: [...anyOpening, ...failuresOf.isOwn],
  }),
  openings: read({
    tag,
    security: [...byKey, ...byProof],
    params: TokenParams,
    query: PageParameters,
    summary: 'List who opened the memory of a token, the newest first, for its owner',
    description:
      'Lists what this server recorded while the account owned the token: each opening by the owner and by those whom it permitted, and of renters the number of a day. The proof is that of a download of this token; without one, the key of a tenant lists those of its tenant, and a key with the scope admin those of the agent wallet. docs/access.md describes it.',
    answers: { 200: pageRecord(OpeningRecord, 'Openings.') },
    failures: [...anyOpening, ...failuresOf.readOpenings],
  }),
  provenance: read({
    tag,
    summary: 'Read what the chain records of a token',
    description:
      'Returns creator, parent, time, content hash and the location of the sealed bundle, from the chain.',
    params: TokenParams,
    answers: { 200: ProvenanceRecord },
    failures: [...anyId, ...failuresOf.provenance],
  }),
  provenanceOfRegistry: read({
    tag,
    summary: 'Read what the chain records of a token, by its id in a registry of before',
    description: `${idOfRegistry} The answer has the id that the token has here.`,
    params: TokenOfRegistry,
    answers: { 200: ProvenanceRecord },
    failures: [...anyId, ...failuresOf.provenance, 'token/not-moved'],
  }),
  downloadOfRegistry: read({
    tag,
    summary: 'Open the memory of a token, by its id in a registry of before',
    description: `${idOfRegistry} The proof is that of the token of the path: a plain text with its id there, or an EIP-4361 text with that chain, registry and id. The right is that to the token here.`,
    security: byProof,
    params: TokenOfRegistry,
    answers: { 200: downloaded },
    failures: [...anyOpening, ...failuresOf.download, 'token/not-moved'],
  }),
  listing: read({
    tag: 'marketplace',
    summary: "Read a token's live listing",
    description:
      'A token that is not listed has zero prices and the zero address as its seller. In both cases the record has the royalty that a fork would owe.',
    params: TokenParams,
    answers: { 200: ListingRecord },
    failures: [...anyId, ...failuresOf.listing],
  }),
}
