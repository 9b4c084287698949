import type { Hex } from '@heirloom/core'
import type { ReadonlyStatic } from '../api/readonly-static.ts'
import type { RelayBody } from '../api/relay-schemas.ts'

/** The body of `POST /api/relay`: a call, or an order with its payment. */
export type RelayRequest = Pick<ReadonlyStatic<typeof RelayBody>, 'request' | 'payOrder'>

/**
 * A call or an order that the account signed, for a server to relay. It is JSON: store it before it is
 * sent, and pass it to `confirm` after a restart.
 */
export type SignedAct = {
  /** The hash of what was signed: of the request, or of the order (EIP-712). */
  readonly hash: Hex
  readonly body: RelayRequest
  /** The nonce of a call at the forwarder; absent for an order. */
  readonly nonce?: string
  /** The last second in which it can be carried out, since 1970. */
  readonly deadline: number
  /** The height of the chain when it was signed. */
  readonly since: string
}
