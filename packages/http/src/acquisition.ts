import { type Account, type Wei, wei } from '@heirloom/core'
import type { Static } from '@sinclair/typebox'
import { readAddress } from './address.ts'
import type { AcquireBody } from './schemas.ts'

/** Reads for whom a token is acquired, and for how much at most. */
export function readAcquisition({ recipient, maxPrice }: Static<typeof AcquireBody>): {
  readonly recipient: Account | undefined
  readonly maxPrice: Wei | undefined
} {
  return {
    recipient: recipient === undefined ? undefined : readAddress(recipient),
    maxPrice: maxPrice === undefined ? undefined : wei(maxPrice),
  }
}
