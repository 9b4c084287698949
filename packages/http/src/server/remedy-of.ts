import { causes, diskProblem } from '@heirloom/adapters/internal/platform'

/**
 * Returns what an operator can do about the cause of an error, whatever part noticed it; `undefined`
 * where no cause says.
 */
export function remedyOf(error: unknown): string | undefined {
  const disk = diskProblem(error)
  if (disk !== undefined) return sentenceOf(disk.remedy)
  const source = [...causes(error)].find((it) => isOfBucket(it) || isOfDatabase(it))
  if (source === undefined) return undefined
  const { code, reason } = source as { readonly [member: string]: unknown }
  if (isOfBucket(source)) return bucketRemedies[String(reason)] ?? bucketRemedy
  return databaseRemedies[String(code)] ?? databaseRemedy(String(code))
}

const isOfBucket = (error: object): boolean => Object(error).name === 'ObjectStoreError'
const isOfDatabase = (error: object): boolean => Object(error).severity !== undefined

const sentenceOf = (remedy: string) => `${remedy.charAt(0).toUpperCase()}${remedy.slice(1)}.`

const login = 'Correct the user and the password in DATABASE_URL.'

/** By the SQLSTATE of PostgreSQL. */
const databaseRemedies: Readonly<Record<string, string>> = {
  '08P01':
    'Check the pooler in DATABASE_URL and its log, or set DATABASE_URL to PostgreSQL itself.',
  '25006':
    'Set DATABASE_URL to the primary, and default_transaction_read_only to off: this one takes no writes.',
  '28000': login,
  '28P01': login,
  '3D000': 'Create the database, or correct its name in DATABASE_URL.',
  '42501': 'Let the user of DATABASE_URL create tables in its schema.',
  '53100': 'Free some space on the disk of PostgreSQL.',
  '53300': 'Raise max_connections of PostgreSQL, or end other clients.',
  '57P03': 'Wait until PostgreSQL has started.',
}

const databaseRemedy = (code: string): string | undefined =>
  /^(08|57|58|XX)/.test(code) ? 'Check PostgreSQL and its log.' : undefined

const bucketRemedy = 'Check the endpoint in BLOB_URL, and whether the store answers.'
const credentials =
  'Correct the credentials of the bucket (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY).'
const token = 'Renew the session token of the credentials (AWS_SESSION_TOKEN).'
const place = 'Correct the region and the endpoint in BLOB_URL.'

/** By the answer of an object store. */
const bucketRemedies: Readonly<Record<string, string>> = {
  AccessDenied: 'Let these credentials list, read, write and delete objects of the bucket.',
  NoSuchBucket: 'Correct the name of the bucket in BLOB_URL, or make it.',
  RequestTimeTooSkewed: 'Set the clock of this machine.',
  AuthorizationHeaderMalformed: place,
  PermanentRedirect: place,
  InvalidAccessKeyId: credentials,
  SignatureDoesNotMatch: credentials,
  CredentialsProviderError: credentials,
  ExpiredToken: token,
  InvalidToken: token,
}
