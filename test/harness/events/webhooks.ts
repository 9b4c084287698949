import { setImmediate } from 'node:timers/promises'
import { type Store, sqliteStore } from '@heirloom/adapters/store'
import type { webhooks } from '@heirloom/adapters/webhooks'
import { onTestFinished } from 'vitest'
import { sender } from '../../../packages/adapters/src/webhooks/send.ts'
import { webhooksOver } from '../../../packages/http/test/open-webhooks.ts'
import type { Happenings } from './event-history.ts'

/** A time that passes as fast as anybody waits for it. */
export function hurriedTime() {
  let now = 1_800_000_000_000
  return {
    now: () => now,
    pause: async (milliseconds: number) => {
      await setImmediate()
      now += milliseconds
    },
  }
}

/** Opens a store that the test closes at its end. */
export async function openStore(): Promise<Store> {
  const store = await sqliteStore(':memory:')
  onTestFinished(store.close)
  return store
}

type More = Partial<webhooks.Options>

/** Opens webhooks that may be sent anywhere, in a time that passes quickly. */
export const openWebhooks = (
  store: Store,
  { catalogue }: Pick<Happenings, 'catalogue'>,
  more: More = {},
) =>
  webhooksOver(store, {
    catalogue,
    send: sender({ allows: () => true, timeout: 50 }),
    random: () => 0.5,
    ...hurriedTime(),
    ...more,
  })

/** Asks for every event. */
export const everything = { kinds: undefined, tokenId: undefined }
