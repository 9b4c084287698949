/** A block that is not in the store; the name is the one that IPFS libraries look for. */
export class MissingBlock extends Error {
  override readonly name = 'NotFoundError'

  constructor() {
    super('The block is not in the store.')
  }
}

/** A block whose bytes do not have the digest it is kept under. */
export class CorruptBlock extends Error {
  override readonly name = 'CorruptBlockError'

  constructor() {
    super('The block does not match its digest.')
  }
}

/** Tells an answer of the operating system, such as EIO or ENOSPC, from any other error. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}
