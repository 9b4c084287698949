import type { Event, Page, Token } from '../../../src/client/responses.ts'
import { addressOf } from '../api/address-of.ts'
import { getJson } from '../api/get-json.ts'
import { useResource } from '../api/use-resource.ts'
import { isSameAccount } from '../text/account.ts'
import { mayHavePaid } from './may-have-paid.ts'

/**
 * Returns whether an account may have paid for a memory, and so may rate it; false until that is
 * known. The server checks again.
 */
export function useHasPaid(token: Token, account: string | undefined): boolean {
  const isCandidate = account !== undefined && !isSameAccount(account, token.creator)
  const path = addressOf('activity', { account, token: token.tokenId, limit: 100 })
  const { value } = useResource(isCandidate ? path : '', (signal) =>
    getJson<Page<Event>>(path, signal),
  )
  return isCandidate && value !== undefined && mayHavePaid(value, account)
}
