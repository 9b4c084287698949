import { settingNames } from '../../../packages/http/src/config/settings.ts'

/** The variables that the client of an S3 store reads by itself, and those of Node and of glibc. */
const foreign = [
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_REGION',
  'NODE_ENV',
  'PATH',
  'GLIBC_TUNABLES',
]

/** The names of all variables that the server reads. */
export const knownVariables: ReadonlySet<string> = new Set([...foreign, ...settingNames])
