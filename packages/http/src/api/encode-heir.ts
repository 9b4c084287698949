import {
  type Account,
  earliestTakeover,
  type HeirPlan,
  heirStateOf,
  type Instant,
  silentAt,
  toSeconds,
} from '@heirloom/core'
import type { ReadonlyStatic } from './schema-parts.ts'
import type { HeirRecord } from './wallet-schemas.ts'

/** The heir of an account in responses, without the accounts that name it. */
type Encoded = Omit<ReadonlyStatic<typeof HeirRecord>, 'heirOf' | 'next'>

/** Encodes what an account has arranged, at a time, as the API does. */
export function encodeHeir(account: Account, plan: HeirPlan | undefined, now: Instant): Encoded {
  if (plan === undefined) return { account, state: 'none', ...nothing }
  const { heir, silenceDays, noticeDays, lastSign, announcedAt } = plan
  return {
    account,
    heir,
    state: heirStateOf(plan, now),
    silenceDays,
    noticeDays,
    lastSignAt: seconds(lastSign),
    silentAt: seconds(silentAt(plan)),
    announcedAt: announcedAt === undefined ? null : seconds(announcedAt),
    takeoverAt: seconds(earliestTakeover(plan, now)),
  }
}

const nothing = {
  heir: null,
  silenceDays: null,
  noticeDays: null,
  lastSignAt: null,
  silentAt: null,
  announcedAt: null,
  takeoverAt: null,
}

const seconds = (moment: Instant) => `${toSeconds(moment)}`
