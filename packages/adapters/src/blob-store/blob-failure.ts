import { type Digest, Failure } from '@heirloom/core'
import { isSystemError, MissingBlock, UnreachableBlocks } from './block-error.ts'

/** Returns the failure of an operation that the store could not perform, as on a full disk. */
export const unavailable = (operation: string, cause: unknown): Failure<'blob/unavailable'> =>
  new Failure('blob/unavailable', { operation }, { cause })

/**
 * Returns the failure of a read: `blob/unavailable` for an error of the disk or of a store that does
 * not answer, else one of the blocks.
 */
export function blobFailure({
  digest,
  error,
  missing,
}: {
  readonly digest: Digest
  readonly error: unknown
  /** The failure code for a missing block. */
  readonly missing: 'blob/not-found' | 'blob/corrupt'
}): Failure {
  if (isSystemError(error) || error instanceof UnreachableBlocks)
    return unavailable('read a blob', error)
  const code = error instanceof MissingBlock ? missing : 'blob/corrupt'
  return new Failure(code, { digest }, { cause: error })
}
