import type { Rental } from '../../../src/client/responses.ts'
import { mostRentals } from '../../../src/api/most-rentals.ts'
import { isSame } from '../text/account.ts'

/** Tells whether an account may open a memory; `undefined` where the page cannot know. */
export function isLetIn(
  account: string | undefined,
  owner: string,
  rentals: readonly Pick<Rental, 'renter'>[] | undefined,
): boolean | undefined {
  if (isSame(owner, account)) return true
  if (rentals?.some(({ renter }) => isSame(renter, account))) return true
  return rentals === undefined || rentals.length >= mostRentals ? undefined : false
}
