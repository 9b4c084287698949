import type { Hex } from '@heirloom/core'

/** The server and the registry that a signed request is for: it counts nowhere else. */
export type SignedPlace = {
  /** The host of the server as its clients use it, with its port where the URL has one. */
  readonly host: string
  readonly chainId: number
  readonly registry: Hex
}
