import type { Account, Digest, Instant, TokenId } from '../values/branded.ts'
import { day, instant, later } from '../values/time.ts'
import type { Access, Right } from './access.ts'

/** The extent of an opening: all of a memory, values or names in it, or what a search found. */
export type OpenedScope = 'whole' | 'part' | 'search'

/** Requests of one kind, in one stretch of time, that were answered from a memory. */
export type RecordedOpening = {
  readonly tokenId: TokenId
  readonly digest: Digest
  /** The owner at that time, to whom alone it is shown. */
  readonly owner: Account
  readonly right: Right
  /** The reader; absent for renters, of whom only their number and the day are recorded. */
  readonly account?: Account | undefined
  /** The extent; absent for renters. */
  readonly scope?: OpenedScope | undefined
  /** The time of the block at which the right was read; absent for renters. */
  readonly asOf?: Instant | undefined
  /** The start of the stretch. */
  readonly at: Instant
  /** The length of the stretch: a second, an hour for one who opens very often, a day (UTC) for renters. */
  readonly seconds: number
  readonly count: number
}

/** A request that was answered from a memory, and the right that admitted it. */
export type Admitted = {
  readonly tokenId: TokenId
  readonly account: Account
  readonly scope: OpenedScope
  readonly right: Right
  readonly access: Pick<Access, 'asOf' | 'digest' | 'owner'>
}

/**
 * Returns the record of a request that was answered from a memory. Its time is never before the block
 * that gave the right, however slow the clock is.
 */
export function openingOf(admitted: Admitted, now: Instant): RecordedOpening {
  const { tokenId, account, scope, right, access } = admitted
  const { asOf, digest, owner } = access
  const at = later(now, asOf)
  const opening = { tokenId, digest, owner, right, at, count: 1 }
  if (right.kind === 'rental') return openingWithin(opening, day / 1000)
  return openingWithin({ ...opening, account, scope, asOf }, 1)
}

/** Returns an opening with a stretch of another length, in seconds. */
export const openingWithin = (
  opening: Omit<RecordedOpening, 'seconds'>,
  seconds: number,
): RecordedOpening => ({
  ...opening,
  at: instant(opening.at - (opening.at % (seconds * 1000))),
  seconds,
})
