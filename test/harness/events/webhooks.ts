import { setImmediate } from 'node:timers/promises'
import { type JobStore, sqliteJobStore } from '@heirloom/adapters/job-store'
import type { webhooks } from '@heirloom/adapters/webhooks'
import { onTestFinished } from 'vitest'
import { sender } from '../../../packages/adapters/src/webhooks/send.ts'
import { webhooksOver } from '../../../packages/http/test/open-webhooks.ts'
import type { EventHistory } from './event-history.ts'

/** Returns a clock on which every pause ends at once. */
export function fastClock() {
  let now = 1_800_000_000_000
  return {
    now: () => now,
    pause: async (milliseconds: number) => {
      await setImmediate()
      now += milliseconds
    },
  }
}

/** Opens a store that is closed at the end of the test. */
export async function openStore(): Promise<JobStore> {
  const store = await sqliteJobStore(':memory:')
  onTestFinished(store.close)
  return store
}

/** Opens webhooks that may be sent to any address, on a fast clock. */
export const openWebhooks = (
  store: JobStore,
  { catalogue }: Pick<EventHistory, 'catalogue'>,
  options: Partial<webhooks.Options> = {},
) =>
  webhooksOver(store, {
    catalogue,
    send: sender({ allows: () => true, timeout: 60_000 }),
    random: () => 0.5,
    ...fastClock(),
    ...options,
  })

/** A subscription to every event. */
export const allEvents = { kinds: undefined, tokenId: undefined }
