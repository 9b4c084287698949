import { type Digest, Failure } from '@heirloom/core'
import { isSystemError, MissingBlock, UndeliveredBlock, UnreachableBlocks } from './block-error.ts'

/** Returns the failure of an operation that the store could not perform, as on a full disk. */
export const unavailable = (operation: string, cause: unknown): Failure<'blob/unavailable'> =>
  new Failure('blob/unavailable', { operation }, { cause })

/**
 * Returns the failure of a read: `blob/unavailable` for an error of the disk, of a store or peers that
 * do not answer, or a part that no peer sent in time; else one of the blocks.
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
  if (error instanceof UndeliveredBlock && missing === 'blob/corrupt')
    return unavailable('get a part of a blob from its peers in time', error)
  const code = error instanceof MissingBlock ? missing : 'blob/corrupt'
  return new Failure(code, { digest }, { cause: error })
}
