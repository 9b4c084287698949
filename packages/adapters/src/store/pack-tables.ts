import type { Digest } from '@heirloom/core'
import type { VersionedTables } from '../platform/sql/migrate-tables.ts'

/** The tables of packs. Times are milliseconds since 1970, by the clock of the store. */
export type PackTables = {
  /** The packs that this installation stored. */
  pack: PackRow
  /** The blobs of versions that refer to packs, whether they have a token or not. */
  packRoot: {
    digest: Digest
    /** The registry that it was sealed for: `<chain id>:<address>`, in lower case. */
    registry: string
    /** The account that may mint it, in lower case. */
    creator: string
    /** The digests of its packs, as JSON. */
    packs: string
    storedAt: number
  }
}

/** A pack, which versions of one creator in one registry share. */
export type PackRow = {
  digest: Digest
  registry: string
  creator: string
  /** A `condemned` pack is being removed, on every server that has it, or was. */
  state: 'stored' | 'condemned'
  /** Until then it is not removed, whatever refers to it; for a condemned one when that was decided. */
  leasedUntil: number
}

const script = `
CREATE TABLE "pack" ("digest" text primary key, "registry" text not null, "creator" text not null,
  "state" text not null, "leasedUntil" bigint not null);
CREATE INDEX "pack_state" on "pack" ("state", "leasedUntil");
CREATE TABLE "packRoot" ("digest" text primary key, "registry" text not null,
  "creator" text not null, "packs" text not null, "storedAt" bigint not null);
CREATE INDEX "pack_root_creator" on "packRoot" ("registry", "creator");
`

/** The versions of the tables. */
export const packTables: VersionedTables = {
  name: 'The notes on packs',
  history: 'pack_version',
  steps: [[script]],
}
