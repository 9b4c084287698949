import { type Digest, Failure } from '@heirloom/core'
import { isSystemError, MissingBlock } from './block-error.ts'

/** Makes the failure of a store that does not do what it is asked, such as on a full disk. */
export const unavailable = (operation: string, cause: unknown): Failure<'blob/unavailable'> =>
  new Failure('blob/unavailable', { operation }, { cause })

/** Makes the failure of a blob that was not read: the disk's, or that of the blocks. */
export function blobFailure({
  wanted,
  error,
  missing,
}: {
  readonly wanted: Digest
  readonly error: unknown
  /** What a missing block means. */
  readonly missing: 'blob/not-found' | 'blob/corrupt'
}): Failure {
  if (isSystemError(error)) return unavailable('read a blob', error)
  const code = error instanceof MissingBlock ? missing : 'blob/corrupt'
  return new Failure(code, { digest: wanted }, { cause: error })
}
