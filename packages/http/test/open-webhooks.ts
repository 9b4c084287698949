import { type JobStore, sqliteJobStore } from '@heirloom/adapters/job-store'
import { type WebhookTables, webhooks } from '@heirloom/adapters/webhooks'
import { memoryCatalogue, memoryChain, stoppedClock } from '@heirloom/testkit'
import { printDelivery } from '../src/server/operations/print-token.ts'

/** Opens webhooks over a database in memory. */
export async function openWebhooks(options: Partial<webhooks.Options> = {}) {
  const store = await sqliteJobStore(':memory:')
  const opened = await webhooksOver(store, options)
  const close = async () => {
    await opened.close()
    await store.close()
  }
  return { webhooks: opened, store, close }
}

/** Opens webhooks over a store, by default of a catalogue without events. */
export const webhooksOver = (store: JobStore, options: Partial<webhooks.Options> = {}) =>
  webhooks({
    db: store.db.withTables<WebhookTables>(),
    migrate: store.migrate,
    scope: 'here',
    catalogue: memoryCatalogue({ chain: memoryChain({ clock: stoppedClock() }) }),
    lead: (stop) => store.lead('webhooks', stop),
    print: printDelivery,
    toPrivate: true,
    ...options,
  })
