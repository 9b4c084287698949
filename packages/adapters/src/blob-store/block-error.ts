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
