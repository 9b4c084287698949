import { type Account, Failure, type Wei, wei } from '@heirloom/core'
import type { Static } from '@sinclair/typebox'
import { readAddress } from '../../api/address.ts'
import type { AcquireBody } from '../../api/market-schemas.ts'

/** The known members of the body of a purchase, a rental or a fork. */
const known = ['durationDays', 'maxPrice', 'maxRoyaltyBps', 'recipient']

/**
 * Reads the recipient and the price limit of an acquisition. Refuses a member that looks like a
 * misspelt limit, because the request would be paid without the limit.
 *
 * @throws `request/malformed`, `value/invalid`
 */
export function readAcquisition(body: Static<typeof AcquireBody>): {
  readonly recipient: Account | undefined
  readonly maxPrice: Wei | undefined
} {
  const { recipient, maxPrice } = body
  const misspelt = Object.keys(body).find(
    (name) => !known.includes(name) && /price|royalt|recipient/i.test(name),
  )
  if (misspelt !== undefined) {
    const where = `body/${misspelt.slice(0, 100)}`
    const problem = `is not known here; the limits are ${known.slice(1).join(', ')}`
    throw new Failure('request/malformed', { where, problem })
  }
  return {
    recipient: recipient === undefined ? undefined : readAddress(recipient),
    maxPrice: maxPrice === undefined ? undefined : wei(maxPrice),
  }
}
