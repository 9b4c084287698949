import type { Hex } from 'viem'
import type { Store } from '../../store/store.ts'

/**
 * Returns the subscription of the lane of a wallet to the changes of other processes: those of other
 * lanes wake nobody here, of which a server with hundreds of tenants has as many. A notification
 * without a lane is for all.
 */
export const laneChanges =
  ({ subscribe }: Pick<Store, 'subscribe'>, wallet: Hex): ((listener: () => void) => () => void) =>
  (listener) =>
    subscribe((lane) => {
      if (lane === undefined || lane.endsWith(`:${wallet.toLowerCase()}`)) listener()
    })
