import type { Static } from '@sinclair/typebox'
import type { Hex } from 'viem'
import type { RelayBody } from '../../../src/api/relay-schemas.ts'

/** The marks on the chain of a signed act that was carried out. */
export type ActProof =
  | {
      readonly kind: 'order'
      readonly orderHash: Hex
      readonly asset: Hex
      readonly payer: Hex
    }
  | { readonly kind: 'call'; readonly signer: Hex; readonly nonce: string }

/** An act that a wallet signed, for somebody else to send; it can be carried out once at most. */
export type SignedAct = {
  /** The body of the request to the relay. */
  readonly body: Static<typeof RelayBody>
  /** The last second in which it may be carried out, since 1970. */
  readonly deadline: number
  readonly proof: ActProof
}

/** The time that a signed act can be carried out, in seconds; long enough for a slow wallet. */
export const validity = 900

/** Returns the last second in which an act that is signed now may be carried out. */
export const deadlineFromNow = (): number => Math.floor(Date.now() / 1000) + validity
