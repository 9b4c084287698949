import { HeirloomError } from '../heirloom-error.ts'

/** Returns the error for what is not what is recorded. */
export const notVerified = (
  tokenId: string,
  problem: string,
): HeirloomError<'client/not-verified'> =>
  new HeirloomError({
    code: 'client/not-verified',
    facts: { tokenId, problem },
    message: `What came for token ${tokenId} is not what is recorded: ${problem}.`,
  })
