import { randomUUID } from 'node:crypto'
import { Failure, tokenId } from '@heirloom/core'
import type { Insertable, Kysely, Selectable, Updateable } from 'kysely'
import { newSecret } from './signature.ts'
import type { WebhookTables } from './schema.ts'
import type { Failing, Kind, Position, Wanted, Webhook } from './webhook.ts'

/** How many webhooks are kept at most. */
export const mostWebhooks = 100

/** A webhook and how far it has been told of events. */
export type Hook = Webhook & { readonly position: Position }

/** What changes of a webhook. */
type Progress = Pick<Hook, 'position' | 'delivered' | 'failing'>

/** Keeps webhooks in a database. */
export type Hooks = {
  /** Adds a webhook that is told of what happens after an event. @throws `webhook/too-many` */
  add(wanted: Wanted, after: string | undefined): Promise<{ readonly id: string; secret: string }>
  /** Returns all of them, the oldest place first. */
  all(): Promise<readonly Hook[]>
  secretOf(id: string): Promise<string | undefined>
  /** Returns whether the webhook was there. */
  remove(id: string): Promise<boolean>
  /** Notes progress and returns true, unless the webhook is gone or somebody else noted some meanwhile. */
  note(hook: Hook, progress: Progress): Promise<boolean>
}

/** Returns the webhooks of a scope, whose table was made. */
export function hooks(db: Kysely<WebhookTables>, scope: string): Hooks {
  const own = db.selectFrom('webhook').where('scope', '=', scope)
  return {
    add: async (wanted, after) => add(db, { scope, after: after ?? null, ...wanted }),
    all: async () => (await own.selectAll().orderBy('place').execute()).map(hookOf),
    secretOf: async (id) =>
      (await own.select('secret').where('id', '=', id).executeTakeFirst())?.secret,
    remove: async (id) => {
      const removal = db.deleteFrom('webhook').where('scope', '=', scope).where('id', '=', id)
      return (await removal.executeTakeFirst()).numDeletedRows > 0n
    },
    note: (hook, progress) => note(db, hook, progress),
  }
}

type Row = Selectable<WebhookTables['webhook']>

const fresh = { undone: null, pending: null, delivered: null, attempts: 0 }

type New = Wanted & { readonly scope: string; readonly after: string | null }

async function add(
  db: Kysely<WebhookTables>,
  { scope, after: position, url, kinds, tokenId: about }: New,
): Promise<{ readonly id: string; readonly secret: string }> {
  const [id, secret] = [randomUUID(), newSecret()]
  const wanted = { url, kinds: kinds?.join(',') ?? null, tokenId: about?.toString() ?? null }
  const row = { id, secret, scope, position, ...wanted, ...fresh }
  // Another replica may take the place that was free a moment ago.
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
  const gap = rows.findIndex(({ place }, at) => place !== at)
  const place = gap === -1 ? rows.length : gap
  if (place < mostWebhooks) return place
  throw new Failure('webhook/too-many', { limit: mostWebhooks })
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

async function note(
  db: Kysely<WebhookTables>,
  { id, position }: Hook,
  progress: Progress,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('webhook')
    .set(changeOf(progress))
    .where('id', '=', id)
    .where('position', 'is not distinct from', position.event ?? null)
    .where('undone', 'is not distinct from', position.undone?.toString() ?? null)
    .where('pending', 'is not distinct from', position.pending ?? null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

function changeOf({ position, delivered, failing }: Progress): Change {
  const { event = null, undone, pending = null } = position
  const { since = null, nextAt = null, problem = null, attempts = 0 } = failing ?? {}
  return {
    ...{ position: event, undone: undone?.toString() ?? null, pending },
    delivered: delivered ?? null,
    ...{ failingSince: since, nextAt, problem, attempts },
  }
}

type Change = Updateable<WebhookTables['webhook']>

function hookOf(row: Row): Hook {
  const { id, url, kinds, position, undone, pending, delivered } = row
  return {
    ...{ id, url, kinds: kinds === null ? undefined : (kinds.split(',') as Kind[]) },
    tokenId: row.tokenId === null ? undefined : tokenId(row.tokenId),
    position: {
      event: position ?? undefined,
      undone: undone === null ? undefined : BigInt(undone),
      pending: pending ?? undefined,
    },
    delivered: delivered ?? undefined,
    failing: failingOf(row),
  }
}

function failingOf({ attempts, failingSince, nextAt, problem }: Row): Failing | undefined {
  if (failingSince === null || nextAt === null || problem === null) return undefined
  return { attempts, since: failingSince, nextAt, problem }
}
