import type { Event, Page } from '../../../src/client/responses.ts'
import { isSameAccount } from '../text/account.ts'

/**
 * Returns whether the events of a memory that name an account show that it bought, rented or forked
 * it, or that it was bought, rented or forked for it. Where more events follow, it may have.
 */
export const mayHavePaid = ({ items, next }: Page<Event>, account: string): boolean =>
  next !== null || items.some((event) => isPayment(event, account))

const isPayment = (event: Event, account: string): boolean =>
  payersIn(event).some((it) => isSameAccount(it, account))

function payersIn(event: Event): readonly string[] {
  switch (event.kind) {
    case 'sale':
      return [event.buyer, event.recipient]
    case 'rental':
    case 'dollar-rental':
      return [event.renter, event.payer]
    case 'fork':
      return [event.forker, event.recipient]
    case 'dollar-sale':
    case 'dollar-fork':
      return [event.recipient, event.payer]
    default:
      return []
  }
}
