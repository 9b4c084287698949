import { setTimeout } from 'node:timers/promises'
import { type Catalogue, Failure, isFailure } from '@heirloom/core'
import type { Kysely } from 'kysely'
import type { Pause } from './signal.ts'
import { hooks as hooksOf } from './webhook-store.ts'
import { isPublicAddress } from './public-address.ts'
import { receiverUrl } from './receiver-url.ts'
import { type Lead, rounds } from './delivery-loop.ts'
import { type Send, sender } from './send.ts'
import { type WebhookTables, webhookTables } from './schema.ts'
import type { Told, WebhookEvent } from './delivery.ts'
import type { Wanted, Webhook } from './webhook.ts'

export type { WebhookTables } from './schema.ts'
export type { Told, Undone, WebhookEvent } from './delivery.ts'
export type { Failing, Kind, Wanted, Webhook } from './webhook.ts'

/** Addresses that are told of events. */
export type Webhooks = {
  /**
   * Adds an address, which is told of what happens from now on, and returns the secret that its
   * deliveries are signed with. It is told nowhere else.
   *
   * @throws `value/invalid`, `webhook/too-many`, `webhook/unavailable`, `catalogue/unavailable`
   */
  add(wanted: Wanted): Promise<Webhook & { readonly secret: string }>
  /** Returns all addresses. @throws `webhook/unavailable` */
  all(): Promise<readonly Webhook[]>
  /** Removes an address. @throws `webhook/not-found`, `webhook/unavailable` */
  remove(id: string): Promise<void>
  close(): Promise<void>
}

export declare namespace webhooks {
  type Options = {
    readonly db: Kysely<WebhookTables>
    /** Makes tables in it, one process at a time. */
    readonly create: (tables: typeof webhookTables) => Promise<void>
    /** Names the contracts: servers that work with the same pair tell the same addresses. */
    readonly scope: string
    readonly catalogue: Pick<Catalogue, 'happened' | 'newest' | 'onChange'>
    /** Waits for the right to deliver. */
    readonly lead: Lead
    /** Writes what is told as JSON. */
    readonly print: (told: Told) => string
    /** Allows receivers on this machine and in private networks. */
    readonly toPrivate: boolean
    readonly observe?: ((event: WebhookEvent) => void) | undefined
    /** How messages are sent, waited for and spread over time; the system's ways when absent. */
    readonly send?: Send
    readonly now?: () => number
    readonly pause?: Pause
    readonly random?: () => number
  }
}

/** Opens the webhooks of a database and delivers to them until they are closed. */
export async function webhooks(options: webhooks.Options): Promise<Webhooks> {
  await options.create(webhookTables)
  const { db, scope, toPrivate, catalogue, observe = () => undefined } = options
  const hooks = hooksOf(db, scope)
  const {
    send = sender({ allows: toPrivate ? () => true : isPublicAddress }),
    now = Date.now,
    random = Math.random,
  } = options
  const ways = { send, now, random, pause: options.pause ?? pause }
  const { lead, print } = options
  const delivering = rounds({ hooks, catalogue, lead, print, observe, ...ways })
  return {
    add: async ({ url: text, ...more }) => {
      const wanted = { url: receiverUrl(text, { toPrivate }), ...more }
      const newest = await catalogue.newest()
      const made = await asked('add one', () => hooks.add(wanted, newest))
      delivering.wake()
      return { ...wanted, ...made, delivered: undefined, failing: undefined }
    },
    all: () => asked('list them', hooks.all),
    remove: async (id) => {
      if (await asked('remove one', () => hooks.remove(id))) return
      throw new Failure('webhook/not-found', { id })
    },
    close: delivering.close,
  }
}

const pause: Pause = (milliseconds, signal) =>
  setTimeout(milliseconds, undefined, { signal }).catch(() => undefined)

async function asked<T>(operation: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (cause) {
    if (isFailure(cause)) throw cause
    throw new Failure('webhook/unavailable', { operation }, { cause })
  }
}
