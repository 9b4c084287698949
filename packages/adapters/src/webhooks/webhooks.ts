import { setTimeout } from 'node:timers/promises'
import { type Catalogue, Failure, isFailure } from '@heirloom/core'
import type { Kysely } from 'kysely'
import type { VersionedTables } from '../platform/sql/migrate-tables.ts'
import type { WebhookEvent, WebhookMessage } from './delivery.ts'
import { deliveryLoop, type Lead, type Pause } from './delivery-loop.ts'
import { isPublicAddress, receiverUrl } from './receiver-url.ts'
import { type WebhookTables, webhookTables } from './schema.ts'
import { type Send, sender } from './send.ts'
import type { Subscription, Webhook } from './webhook.ts'
import { webhookStore } from './webhook-store.ts'

export type { ReorganisedMessage, WebhookEvent, WebhookMessage } from './delivery.ts'
export type { WebhookTables } from './schema.ts'
export type { DeliveryProblem, EventKind, Subscription, Webhook } from './webhook.ts'

/** The webhooks of a server, which receive events until they are removed. */
export type Webhooks = {
  /**
   * Adds a webhook that receives events from now on, and returns the secret that signs its
   * deliveries. The secret is shown only here.
   *
   * @throws `value/invalid`, `webhook/too-many`, `webhook/unavailable`, `catalogue/unavailable`
   */
  add(subscription: Subscription): Promise<Webhook & { readonly secret: string }>
  /** Returns all webhooks. @throws `webhook/unavailable` */
  all(): Promise<readonly Webhook[]>
  /** Removes a webhook. @throws `webhook/not-found`, `webhook/unavailable` */
  remove(id: string): Promise<void>
  close(): Promise<void>
}

export declare namespace webhooks {
  type Options = {
    readonly db: Kysely<WebhookTables>
    /** Brings tables of the database to their newest version, one process at a time. */
    readonly migrate: (tables: VersionedTables) => Promise<void>
    /** The name of the contracts: servers with the same contracts share their webhooks. */
    readonly scope: string
    readonly catalogue: Pick<Catalogue, 'eventsAfter' | 'newestEventId' | 'onChange'>
    /** Waits until this process is the leader, which delivers. */
    readonly lead: Lead
    /** Encodes a message as JSON. */
    readonly print: (message: WebhookMessage) => string
    /** Allows receivers on this machine and in private networks. */
    readonly toPrivate: boolean
    readonly observe?: ((event: WebhookEvent) => void) | undefined
    /** The network, the clock and the randomness of deliveries; those of the system when absent. */
    readonly send?: Send
    readonly now?: () => number
    readonly pause?: Pause
    readonly random?: () => number
  }
}

/** Opens the webhooks of a database and delivers events to them until they are closed. */
export async function webhooks(options: webhooks.Options): Promise<Webhooks> {
  await options.migrate(webhookTables)
  const { db, scope, toPrivate, catalogue, observe = () => undefined } = options
  const store = webhookStore(db, scope)
  const {
    send = sender({ allows: toPrivate ? () => true : isPublicAddress }),
    now = Date.now,
    random = Math.random,
  } = options
  const system = { send, now, random, pause: options.pause ?? pause }
  const { lead, print } = options
  const loop = deliveryLoop({ store, catalogue, lead, print, observe, ...system })
  return {
    add: async ({ url: text, ...filter }) => {
      const subscription = { url: receiverUrl(text, { toPrivate }), ...filter }
      const newest = await catalogue.newestEventId()
      const added = await translateErrors('add one', () => store.add(subscription, newest))
      loop.wake()
      return { ...subscription, ...added, delivered: undefined, failing: undefined }
    },
    all: () => translateErrors('list them', store.all),
    remove: async (id) => {
      if (await translateErrors('remove one', () => store.remove(id))) return
      throw new Failure('webhook/not-found', { id })
    },
    close: loop.close,
  }
}

const pause: Pause = (milliseconds, signal) =>
  setTimeout(milliseconds, undefined, { signal }).catch(() => undefined)

/** Runs work whose foreign errors become `webhook/unavailable`. */
async function translateErrors<T>(operation: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (isFailure(cause)) throw cause
    throw new Failure('webhook/unavailable', { operation }, { cause })
  }
}
