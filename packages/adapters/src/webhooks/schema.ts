import type { Kysely } from 'kysely'

/** The table of webhooks. Times are milliseconds since 1970. */
export type WebhookTables = {
  webhook: {
    id: string
    /** The contracts whose events it is told of. */
    scope: string
    /** 0 to 99, so that there can be no more than a hundred in a scope. */
    place: number
    url: string
    secret: string
    /** A comma list; absent for every kind. */
    kinds: string | null
    tokenId: string | null
    /** The last event that it was told of or that did not concern it; absent for the beginning. */
    position: string | null
    /** The block from which it was told that events no longer stand, since that event. */
    undone: string | null
    /** What was sent last, if it was not seen to be taken. */
    pending: string | null
    /** The last event that it took. */
    delivered: string | null
    /** How often the next event was sent in vain. */
    attempts: number
    failingSince: number | null
    nextAt: number | null
    problem: string | null
  }
}

/** Makes the table where it is missing. */
async function create({ schema }: Pick<Kysely<WebhookTables>, 'schema'>): Promise<void> {
  await schema
    .createTable('webhook')
    .ifNotExists()
    .addColumn('id', 'text', (it) => it.primaryKey())
    .addColumn('scope', 'text', (it) => it.notNull())
    .addColumn('place', 'integer', (it) => it.notNull())
    .addColumn('url', 'text', (it) => it.notNull())
    .addColumn('secret', 'text', (it) => it.notNull())
    .addColumn('kinds', 'text')
    .addColumn('tokenId', 'text')
    .addColumn('position', 'text')
    .addColumn('undone', 'text')
    .addColumn('pending', 'text')
    .addColumn('delivered', 'text')
    .addColumn('attempts', 'bigint', (it) => it.notNull())
    .addColumn('failingSince', 'bigint')
    .addColumn('nextAt', 'bigint')
    .addColumn('problem', 'text')
    .addUniqueConstraint('webhook_place', ['scope', 'place'])
    .execute()
}

/** How the table is made, and what is there once it is. */
export const webhookTables = { lastMade: 'webhook', create }
