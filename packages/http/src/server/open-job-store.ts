import { join } from 'node:path'
import {
  causes,
  diskProblem,
  folderFailure,
  isDamaged,
  reasonOf,
} from '@heirloom/adapters/internal/platform'
import { type JobStore, postgresJobStore, sqliteJobStore } from '@heirloom/adapters/job-store'
import { Failure, isFailure } from '@heirloom/core'
import type { Config } from '../config/config.ts'
import { remedyOf } from './remedy-of.ts'

/** The file in the data folder that holds the jobs, where no database is configured. */
export const jobFile = 'jobs.sqlite'

/**
 * Opens the job store, in the configured database or in a file of the data folder.
 *
 * @throws `config/invalid`, `folder/in-use`, `folder/unusable`
 */
export async function openJobStore(
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
  folder: string,
): Promise<JobStore> {
  try {
    if (databaseUrl === undefined) return await sqliteJobStore(join(folder, jobFile))
    return await postgresJobStore(databaseUrl)
  } catch (cause) {
    if (isFailure(cause)) throw cause
    throw storeRefusal({ databaseUrl, folder, file: jobFile, what: 'its jobs' }, cause)
  }
}

type Store = Pick<Config, 'databaseUrl'> & {
  readonly folder: string
  readonly file: string
  /** The words for what the server stores there. */
  readonly what: string
}

/** Returns the failure of a database, or of a file in the data folder, that a server cannot use. */
export function storeRefusal({ databaseUrl, folder, file, what }: Store, cause: unknown): Failure {
  const isFile = databaseUrl === undefined
  if (isFile && (isDamaged(cause) || diskProblem(cause))) return folderFailure(folder, cause, file)
  const name = isFile ? 'DATA_DIR' : 'DATABASE_URL'
  const remedy = remedyOf(cause)
  const advice = remedy === undefined ? '' : `. ${remedy.slice(0, -1)}`
  const problem = `does not let the server store ${what} there: ${reasonOf([...causes(cause)].at(-1) ?? cause)}${advice}`
  return new Failure('config/invalid', { name, problem }, { cause })
}
