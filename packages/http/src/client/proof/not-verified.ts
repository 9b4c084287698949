import { HeirloomError } from '../heirloom-error.ts'

/** Returns the error of a memory that does not match the record. */
export const notVerified = (
  tokenId: string,
  problem: string,
): HeirloomError<'client/not-verified'> =>
  new HeirloomError({
    code: 'client/not-verified',
    facts: { tokenId, problem },
    message: `The memory of token ${tokenId} does not match the record: ${problem}.`,
  })
