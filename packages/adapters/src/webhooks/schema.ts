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

const script = `
CREATE TABLE IF NOT EXISTS "webhook" ("id" text primary key, "scope" text not null, "place" integer not null,
  "url" text not null, "secret" text not null, "kinds" text, "tokenId" text, "position" text,
  "undone" text, "pending" text, "delivered" text, "attempts" bigint not null,
  "failingSince" bigint, "nextAt" bigint, "problem" text,
  constraint "webhook_place" unique ("scope", "place"));
`

/** The versions of the table. */
export const webhookTables: VersionedTables = {
  name: 'The store of webhooks',
  history: 'webhook_version',
  steps: [[script]],
}
