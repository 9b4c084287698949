import { randomUUID } from 'node:crypto'
import { Failure, tokenId } from '@heirloom/core'
import type { Insertable, Kysely, Selectable, Updateable } from 'kysely'
import type { WebhookTables } from './schema.ts'
import {
  type DeliveryPosition,
  type DeliveryProblem,
  type EventKind,
  newSecret,
  type Subscription,
  type Webhook,
} from './webhook.ts'

/** The most webhooks of a scope. */
export const maxWebhooks = 100

/** A webhook and its position in the course of events. */
export type StoredWebhook = Webhook & { readonly position: DeliveryPosition }

/** The part of a webhook that deliveries change. */
type Progress = Pick<StoredWebhook, 'position' | 'delivered' | 'failing'>

/** Stores webhooks in a database. */
export type WebhookStore = {
  /** Adds a webhook that receives the events after an event. @throws `webhook/too-many` */
  add(
    subscription: Subscription,
    after: string | undefined,
  ): Promise<{ readonly id: string; secret: string }>
  /** Returns all webhooks, in the order of their places. */
  all(): Promise<readonly StoredWebhook[]>
  secretOf(id: string): Promise<string | undefined>
  /** Returns whether the webhook existed. */
  remove(id: string): Promise<boolean>
  /** Saves progress; returns false when the webhook is gone or another process has changed it. */
  saveProgress(webhook: StoredWebhook, progress: Progress): Promise<boolean>
}

/** Returns the webhooks of a scope, whose table exists. */
export function webhookStore(db: Kysely<WebhookTables>, scope: string): WebhookStore {
  const own = db.selectFrom('webhook').where('scope', '=', scope)
  return {
    add: async (subscription, after) => add(db, { scope, after: after ?? null, ...subscription }),
    all: async () => (await own.selectAll().orderBy('place').execute()).map(decodeWebhook),
    secretOf: async (id) =>
      (await own.select('secret').where('id', '=', id).executeTakeFirst())?.secret,
    remove: async (id) => {
      const removal = db.deleteFrom('webhook').where('scope', '=', scope).where('id', '=', id)
      return (await removal.executeTakeFirst()).numDeletedRows > 0n
    },
    saveProgress: (webhook, progress) => saveProgress(db, webhook, progress),
  }
}

type Row = Selectable<WebhookTables['webhook']>

const initial = { undone: null, pending: null, delivered: null, attempts: 0 }

type NewWebhook = Subscription & { readonly scope: string; readonly after: string | null }

async function add(
  db: Kysely<WebhookTables>,
  { scope, after: position, url, kinds, tokenId: token }: NewWebhook,
): Promise<{ readonly id: string; readonly secret: string }> {
  const [id, secret] = [randomUUID(), newSecret()]
  const filter = { kinds: kinds?.join(',') ?? null, tokenId: token?.toString() ?? null }
  const row = { id, secret, scope, position, url, ...filter, ...initial }
  // Another replica may occupy the free place first.
  while (!(await occupy(db, row, await freePlace(db, scope))));
  return { id, secret }
}

async function freePlace(db: Kysely<WebhookTables>, scope: string): Promise<number> {
  const rows = await db
    .selectFrom('webhook')
    .select('place')
    .where('scope', '=', scope)
    .orderBy('place')
    .execute()
  const gap = rows.findIndex(({ place }, index) => place !== index)
  const place = gap === -1 ? rows.length : gap
  if (place < maxWebhooks) return place
  throw new Failure('webhook/too-many', { limit: maxWebhooks })
}

async function occupy(
  db: Kysely<WebhookTables>,
  row: Omit<Insertable<WebhookTables['webhook']>, 'place'>,
  place: number,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('webhook')
    .values({ ...row, place })
    .onConflict((it) => it.columns(['scope', 'place']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

async function saveProgress(
  db: Kysely<WebhookTables>,
  { id, position }: StoredWebhook,
  progress: Progress,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('webhook')
    .set(encodeProgress(progress))
    .where('id', '=', id)
    .where('position', 'is not distinct from', position.event ?? null)
    .where('undone', 'is not distinct from', position.reportedFrom?.toString() ?? null)
    .where('pending', 'is not distinct from', position.pending ?? null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

function encodeProgress({
  position,
  delivered,
  failing,
}: Progress): Updateable<WebhookTables['webhook']> {
  const { event = null, reportedFrom, pending = null } = position
  const { since = null, nextAt = null, problem = null, attempts = 0 } = failing ?? {}
  return {
    position: event,
    undone: reportedFrom?.toString() ?? null,
    pending,
    delivered: delivered ?? null,
    failingSince: since,
    nextAt,
    problem,
    attempts,
  }
}

function decodeWebhook(row: Row): StoredWebhook {
  const { id, url, kinds, position, undone, pending, delivered } = row
  return {
    id,
    url,
    kinds: kinds === null ? undefined : (kinds.split(',') as EventKind[]),
    tokenId: row.tokenId === null ? undefined : tokenId(row.tokenId),
    position: {
      event: position ?? undefined,
      reportedFrom: undone === null ? undefined : BigInt(undone),
      pending: pending ?? undefined,
    },
    delivered: delivered ?? undefined,
    failing: decodeProblem(row),
  }
}

function decodeProblem({ attempts, failingSince, nextAt, problem }: Row) {
  if (failingSince === null || nextAt === null || problem === null) return undefined
  return { attempts, since: failingSince, nextAt, problem } satisfies DeliveryProblem
}
