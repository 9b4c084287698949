import { Type } from '@sinclair/typebox'
import { anyBody, anyRead } from '../problem.ts'
import { PageParameters, querySchema } from '../schemas/catalogue-queries.ts'
import { pageRecord } from '../schemas/catalogue-schemas.ts'
import {
  ForgetAfter,
  ForgottenRecord,
  NameParams,
  NameRecord,
  RenameBody,
  RenamedRecord,
  VersionRecord,
} from '../schemas/name-schemas.ts'
import { anySignedCall } from './memory.ts'
import { byKey, operation } from './operation.ts'

const anyNamesCall = [
  ...anyRead,
  ...anySignedCall,
  'api-key/out-of-scope',
  'name/malformed',
  'name/no-owner',
  'name/unavailable',
  'request/not-authorized',
  'service/busy',
] as const

const proven =
  'An account proves itself by the headers `x-wallet-address`, `x-timestamp` and `x-signature`; docs/versions.md has the text that it signs.'

// A wallet that may seal reads and changes its own names by a proof.
const common = { tag: 'names', security: byKey, openedBy: 'seal' } as const
const reading = { ...common, scope: 'read' } as const
const changing = { ...common, scope: 'write', params: NameParams } as const

const anyChange = [
  ...anyNamesCall,
  'name/held',
  'name/not-found',
  'request/foreign-origin',
] as const

/** The operations on private names. */
export const nameOperations = {
  names: operation({
    ...reading,
    summary: 'Read your private names',
    description: `Returns the names of the API key, tenant or account with their last versions. ${proven}`,
    query: PageParameters,
    answers: { 200: pageRecord(NameRecord, 'Names.') },
    failures: anyNamesCall,
  }),
  findName: operation({
    ...reading,
    summary: 'Read the last version of a name',
    description: `Returns the last version of a name; its slashes are written %2F. ${proven}`,
    params: NameParams,
    query: querySchema({}),
    answers: { 200: NameRecord },
    failures: [...anyNamesCall, 'name/not-found'],
  }),
  versions: operation({
    ...reading,
    summary: 'Read the versions of a name',
    description: `Returns who saved what when, the newest first. ${proven}`,
    params: NameParams,
    query: PageParameters,
    answers: { 200: pageRecord(VersionRecord, 'Versions.') },
    failures: [...anyNamesCall, 'name/not-found'],
  }),
  renameName: operation({
    ...changing,
    summary: 'Rename a name',
    description: `Gives a name and all its versions another one; 409 where that has versions. The grants of the name end. ${proven}`,
    query: querySchema({}),
    body: RenameBody,
    answers: { 200: RenamedRecord },
    failures: [...anyChange, ...anyBody, 'grant/unavailable', 'name/taken'],
  }),
  forgetName: operation({
    ...changing,
    summary: 'Forget a name',
    description:
      'Forgets a name and the list of its versions, and ends its grants. Their tokens and memories stay.',
    query: querySchema({ after: ForgetAfter }),
    answers: { 200: ForgottenRecord, 204: Type.Null({ description: 'The name is forgotten.' }) },
    failures: [...anyChange, 'grant/unavailable', 'name/moved'],
  }),
}
