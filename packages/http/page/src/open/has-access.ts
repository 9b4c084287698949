import { mostRentals } from '../../../src/api/most-rentals.ts'
import type { Rental } from '../../../src/client/responses.ts'
import { isSameAccount } from '../text/account.ts'

/** Returns whether an account may open a memory; `undefined` if the page cannot know. */
export function hasAccess(
  account: string | undefined,
  owner: string,
  rentals: readonly Pick<Rental, 'renter'>[] | undefined,
): boolean | undefined {
  if (isSameAccount(owner, account)) return true
  if (rentals?.some(({ renter }) => isSameAccount(renter, account))) return true
  return rentals === undefined || rentals.length >= mostRentals ? undefined : false
}
