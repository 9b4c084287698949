import type { Kysely } from 'kysely'
import type { VersionedTables } from '../platform/sql/migrate-tables.ts'

/** The table of webhooks. Times are milliseconds since 1970. */
export type WebhookTables = {
  webhook: {
    id: string
    /** The contracts whose events it receives. */
    scope: string
    /** 0 to 99 and unique in a scope, which limits a scope to a hundred webhooks. */
    place: number
    url: string
    secret: string
    /** Kinds of events, separated by commas; null for every kind. */
    kinds: string | null
    tokenId: string | null
    /** The last event that was delivered or not subscribed to; null for the beginning. */
    position: string | null
    /** The first block of the reorganisation that was delivered since that event. */
    undone: string | null
    /** The event that was sent, but not confirmed as delivered. */
    pending: string | null
    /** The last delivered event. */
    delivered: string | null
    /** The failed attempts to deliver the next event. */
    attempts: number
    failingSince: number | null
    nextAt: number | null
    problem: string | null
  }
}

async function createTable({ schema }: Kysely<WebhookTables>): Promise<void> {
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

/** The SQLite statement that creates the newest version of the table. */
const newestTable = `
CREATE TABLE "webhook" ("id" text primary key, "scope" text not null, "place" integer not null,
  "url" text not null, "secret" text not null, "kinds" text, "tokenId" text, "position" text,
  "undone" text, "pending" text, "delivered" text, "attempts" bigint not null,
  "failingSince" bigint, "nextAt" bigint, "problem" text,
  constraint "webhook_place" unique ("scope", "place"));
`

/** The versions of the table. */
export const webhookTables: VersionedTables = {
  name: 'The store of webhooks',
  history: 'webhook_version',
  steps: [createTable],
  newest: newestTable,
}
