import { failuresOf } from '@heirloom/core'
import { Type } from '@sinclair/typebox'
import { anyBody, anyRead } from '../problem.ts'
import { PageParameters } from '../schemas/catalogue-queries.ts'
import { AccountParams, pageRecord } from '../schemas/catalogue-schemas.ts'
import {
  DepositBody,
  Deposited,
  DepositedGrantRecord,
  GrantedParams,
  GrantedVersionsPage,
  GrantParams,
  ReceivedGrantRecord,
  RevokeAllBody,
  RevokeBody,
} from '../schemas/grant-schemas.ts'
import { GrantedVersionBody, Minted } from '../schemas/memory-schemas.ts'
import { anySignedCall, memoryOperations } from './memory.ts'
import { operation, read, write } from './operation.ts'

// The owner signs each of them; nobody needs an API key for what is its own.
const signed = { tag: 'memory', scope: 'anyone' } as const

const revoked = { 204: Type.Null({ description: 'It counts no more.' }) }

/** The row of an operation by which a reader chooses the grants that it sees. */
const seen = {
  ...signed,
  params: AccountParams,
  failures: [...anyRead, ...anySignedCall, 'grant/unavailable', 'service/busy', 'value/invalid'],
} as const

const anyGrantCall = [...anyRead, ...anyBody, 'value/invalid'] as const

/** Returns the row of a read of a memory, for the reader of a grant. */
const granted = <name extends 'download' | 'outline' | 'part' | 'searchIn'>(
  name: name,
  summary: string,
  more = '',
) => ({
  ...memoryOperations[name],
  summary,
  description: `The proof is an EIP-4361 text of the reader whose URI is that of this grant and token; docs/access.md has it. Each refusal is the same \`access/denied\`, also that of an unknown grant.${more}`,
  params: GrantedParams,
  failures: [...memoryOperations[name].failures, 'grant/unavailable', 'name/unavailable'] as const,
})

/** The operations on grants, and the reads by one. */
export const grantOperations = {
  depositGrant: operation({
    ...signed,
    summary: 'Let another account read a memory, or the versions of a name',
    description:
      'The owner of a token or a name signs a grant (EIP-712), and brings it itself: an EIP-4361 text that names the grant, the label and the origin of one of its holders proves that, for 120 seconds, and for all holders. docs/access.md has both.',
    body: DepositBody,
    answers: { 201: Deposited },
    failures: [...anyGrantCall, ...failuresOf.depositGrant, 'seal/not-offered'],
  }),
  grants: read({
    tag: 'memory',
    summary: 'Read the grants of an owner',
    description:
      'Returns those that count here, the last signed first. The account proves itself by the headers `x-wallet-address`, `x-timestamp` and `x-signature`, as for names; docs/versions.md has the text that it signs.',
    query: PageParameters,
    answers: { 200: pageRecord(DepositedGrantRecord, 'Grants.') },
    failures: seen.failures,
  }),
  receivedGrants: read({
    tag: 'memory',
    summary: 'Read the grants to an account',
    description:
      'Returns those that count here, the last signed first, of the owners that the account accepted; labels stay with their owners. The account proves itself as for names.',
    query: PageParameters,
    answers: { 200: pageRecord(ReceivedGrantRecord, 'Grants.') },
    failures: seen.failures,
  }),
  acceptGrants: operation({
    ...seen,
    summary: 'Have the grants of an owner listed',
    description:
      'An account accepts an owner that has granted it something here: `GET /api/grants/received` lists that and what the owner grants later. What one reads by the id of a grant does not depend on it. The account proves itself as for names.',
    answers: { 204: Type.Null({ description: 'The grants are listed.' }) },
    failures: [...seen.failures, 'grant/not-found'],
  }),
  ignoreGrants: operation({
    ...seen,
    summary: 'Have the grants of an owner listed no more',
    description:
      'Takes back that an account accepted an owner. The account proves itself as for names.',
    answers: { 204: Type.Null({ description: 'The grants are not listed.' }) },
  }),
  revokeGrant: operation({
    ...signed,
    summary: 'Revoke a grant',
    description:
      'The owner signs (EIP-191) `heirloom:revoke:<chainId>:<registry>:<owner>:<grant>`. Anybody may bring it, at any time and to any server. It needs the grant itself where that was never deposited.',
    params: GrantParams,
    body: RevokeBody,
    answers: revoked,
    failures: [...anyGrantCall, ...failuresOf.revokeGrant],
  }),
  revokeGrants: operation({
    ...signed,
    summary: 'Revoke all grants of an owner',
    description:
      'The owner signs (EIP-191) `heirloom:revoke-all:<chainId>:<registry>:<owner>:<timestamp>`. It ends every grant that was signed until then, also those that nobody has deposited yet.',
    body: RevokeAllBody,
    answers: revoked,
    failures: [...anyGrantCall, ...failuresOf.revokeGrants],
  }),
  grantedVersions: read({
    tag: 'memory',
    summary: 'Read the versions of a granted name',
    description:
      'Returns the versions of the name that a grant is of, the newest first, to its reader, who proves itself as for names. Those whose token was transferred it does not open. Each refusal is the same `access/denied`.',
    params: GrantParams,
    query: PageParameters,
    answers: { 200: GrantedVersionsPage },
    failures: [...anyRead, ...anySignedCall, ...failuresOf.grantedLine],
  }),
  grantedSave: write({
    tag: 'memory',
    summary: 'Save the next version of a granted name',
    description:
      'Saves as `snapshot` does, for the reader of a grant whose rights are `read and save`, who proves itself as for names and is sealed into the version as the one who saved it. The token goes to the owner of the name. Each refusal of the right is the same `access/denied`; it must be there still right before the mint. Where it ends before the mint is settled, the token is no version (`grant/ended`).',
    params: GrantParams,
    body: GrantedVersionBody,
    answers: { 201: Minted },
    failures: [...failuresOf.save, 'grant/ended', ...failuresOf.grantedLine, ...anySignedCall],
  }),
  grantedDownload: granted(
    'download',
    'Open the memory of a token by a grant',
    ' The header `x-grant-expires` of the answer says when the grant ends, in seconds since the Unix epoch; that of a name also has `x-grant-name` and `x-grant-rights`.',
  ),
  grantedOutline: granted('outline', 'Describe what is in a memory, by a grant'),
  grantedPart: granted(
    'part',
    'Read one value of a memory, or those that a path selects, by a grant',
  ),
  grantedSearchIn: granted('searchIn', 'Find a text inside a memory, by a grant'),
}
