import type { Token } from '../../../src/client/responses.ts'
import { isSameAccount } from '../text/account.ts'

/** Returns whether an account made the memory of a token: a fork holds the memory of its source. */
export const isMadeBy = ({ creator, source }: Pick<Token, 'creator' | 'source'>, account: string) =>
  isSameAccount(source?.creator ?? creator, account)
