import { Failure } from '../failure.ts'
import type { Account, Instant } from '../values/branded.ts'
import { day, instant, later } from '../values/time.ts'

/** The fewest and the most days of silence, and those of notice. */
export const heirDayLimits = { least: 30, most: 3650 } as const

/** The most tokens that an heir takes over in one act. */
export const mostTakenOver = 200

/** An account's arrangement: who takes over its tokens, after how much silence and notice. */
export type HeirPlan = {
  readonly account: Account
  readonly heir: Account
  /** The days without a sign of life after which the heir may announce the takeover. */
  readonly silenceDays: number
  /** The days from the announcement to the takeover. */
  readonly noticeDays: number
  /** The time of the account's last sign of life. */
  readonly lastSign: Instant
  /** The time of the announcement; absent unless it was after the last sign of life. */
  readonly announcedAt: Instant | undefined
}

/**
 * The states of a plan: the account is `active`, or `silent` for so long that the heir may announce; the
 * takeover is `announced`, or `due`, so that the heir may take over.
 */
export const heirStates = ['active', 'silent', 'announced', 'due'] as const

/** The state of a plan. */
export type HeirState = (typeof heirStates)[number]

/**
 * Returns `days` when it is a valid silence or notice: a whole number from 30 to 3650.
 *
 * @throws `heir/bad-delay`
 */
export function heirDays(days: number): number {
  const { least, most } = heirDayLimits
  if (!Number.isInteger(days) || days < least || days > most) {
    throw new Failure('heir/bad-delay', { days, least, most })
  }
  return days
}

/** Returns the first time when the heir may announce, unless the account gives a sign before. */
export const silentAt = ({ lastSign, silenceDays }: HeirPlan): Instant =>
  instant(lastSign + silenceDays * day)

/** Returns the first time when the heir may take over; `undefined` before the announcement. */
export const takeoverAt = ({ announcedAt, noticeDays }: HeirPlan): Instant | undefined =>
  announcedAt === undefined ? undefined : instant(announcedAt + noticeDays * day)

/** Returns the first time when the heir may take over if the account gives no more sign of life. */
export function earliestTakeover(plan: HeirPlan, now: Instant): Instant {
  const announced = later(silentAt(plan), now)
  return takeoverAt(plan) ?? instant(announced + plan.noticeDays * day)
}

/** Returns the state of a plan at a time. */
export function heirStateOf(plan: HeirPlan, now: Instant): HeirState {
  const due = takeoverAt(plan)
  if (due !== undefined) return now < due ? 'announced' : 'due'
  return now < silentAt(plan) ? 'active' : 'silent'
}
