import { type Digest, Failure } from '@heirloom/core'

/** Returns the failure of an operation that the store could not perform, as on a full disk. */
export const unavailable = (operation: string, cause: unknown): Failure<'blob/unavailable'> =>
  new Failure('blob/unavailable', { operation, reason: reasonOf(cause) }, { cause })

/** Returns the code with which the system or an object store refused, such as `ENOSPC` or `AccessDenied`. */
function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { reason, code, cause } = error as Error & { reason?: unknown; code?: unknown }
  const word = [reason, isSystemError(error) && code].find((it) => typeof it === 'string')
  return typeof word === 'string' ? word : reasonOf(cause)
}

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

/** A block that is not in the store; IPFS libraries recognise the error by its name. */
export class MissingBlock extends Error {
  override readonly name = 'NotFoundError'

  constructor() {
    super('The block is not in the store.')
  }
}

/** A block whose bytes do not match the digest it is stored under. */
export class CorruptBlock extends Error {
  override readonly name = 'CorruptBlockError'

  constructor() {
    super('The block does not match its digest.')
  }
}

/** A block that is not in the store, and that no peer sent in time: one of them may have it. */
export class UndeliveredBlock extends MissingBlock {}

/** A store that refused to read or write a block, or did not answer; says nothing about the block. */
export class UnreachableBlocks extends Error {
  override readonly name = 'UnreachableBlocksError'
}

/** Reports whether an error comes from the operating system, such as EIO or ENOSPC. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}
