import { noDeadline } from '@heirloom/adapters/internal/orders'
import { toSeconds } from '@heirloom/core'

/** The time between two deadlines, in seconds: a week. */
const period = 604_800n

/** The most that the clock of a server may be ahead of its chain, in seconds. */
const clockError = 60n

/** The time of a chain and that of a server, in seconds since 1970. */
type Times = { readonly asOf: bigint; readonly now: bigint }

/**
 * Returns the deadline of an order whose client gives none, in seconds since 1970: the last second of
 * the week (UTC, from Thursday to Wednesday). All requests of a week make the same order, and the next
 * one is offered only once no block can carry out the old one any more, so a retry is never charged
 * twice. On an idle chain, whose time stands still, the clock decides, with a minute for its error.
 */
export function deadlineAt({ asOf, now }: Times): bigint {
  const time = asOf > now - clockError ? asOf : now - clockError
  return (time / period + 1n) * period - 1n
}

/**
 * Returns the deadlines that an order of the same request may have had, and whose money may wait at its
 * address: that of the week before, and that of the orders that had none.
 */
export const earlierDeadlines = (deadline: bigint): readonly bigint[] => [deadline - period, never]

/** Returns whether a deadline is one that a server gives. */
export const isGiven = (deadline: bigint): boolean =>
  deadline === never || (deadline + 1n) % period === 0n

/** The deadline of a fork or a royalty, whose name in the request is to be good for ever. */
export const never: bigint = BigInt(toSeconds(noDeadline))
