import { Failure } from '@heirloom/core'

/** Returns the failure of a module that BLOB_STORE names and a server cannot use. */
export const wrongModule = (problem: string, cause?: unknown): Failure<'config/invalid'> =>
  new Failure('config/invalid', { name: 'BLOB_STORE', problem }, { cause })
