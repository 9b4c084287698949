import type { Account, Digest, Hash, Hex } from '@heirloom/core'

/** A private name. */
export type NameRow = {
  id: string
  /** The registry of its tokens: `<chain id>:<address>`, in lower case. */
  registry: string
  /** An API key, a tenant, an account or the operator. */
  owner: string
  name: string
  /** The number of its last version; 0 before the first. */
  version: number
  /** The save that holds it; null while there is none. */
  hold: string | null
}

/** A version of a name, or a save that may become one. */
export type NameVersionRow = {
  /** The id of the hold. */
  id: string
  /** The id of its name. */
  name: string
  state: NameVersionState
  /** The process that holds the name; it gives the hold up when it ends before the mint begins. */
  holder: string
  /** Milliseconds since 1970. */
  heldAt: number
  /** Null until it is saved. */
  version: number | null
  tokenId: string | null
  txHash: Hex | null
  /** The pair that the mint records, noted before it begins. */
  contentHash: Hash | null
  digest: Digest | null
  creator: Account | null
  recipient: Account | null
  documentBytes: number | null
  storedBytes: number | null
  savedBy: string
  /** Milliseconds since 1970. */
  savedAt: number | null
  /** The sha256 of registry, owner and idempotency key. */
  key: string | null
  fingerprint: string | null
  /** The job that mints it. */
  job: string | null
  /** The seal that its wallet mints. */
  seal: string | null
  /** The grant by which it is saved; null for a save of the owner. */
  grantId: string | null
}

/**
 * `held` begins no mint until its job is stored; `minting` is decided by its job, `sealed` by the mint
 * of its seal; `saved` is a version; the token of `refused` is none, because its grant had ended.
 */
export type NameVersionState = 'held' | 'minting' | 'sealed' | 'saved' | 'refused'

/** The SQL statements that create the tables of names. */
export const names = `
CREATE TABLE "memoryName" ("id" text primary key, "registry" text not null, "owner" text not null,
  "name" text not null, "version" bigint not null, "hold" text,
  constraint "name_text" unique ("registry", "owner", "name"));
CREATE TABLE "nameVersion" ("id" text primary key, "name" text not null, "state" text not null,
  "holder" text not null, "heldAt" bigint not null, "version" bigint, "tokenId" text, "txHash" text,
  "contentHash" text, "digest" text, "creator" text, "recipient" text, "documentBytes" bigint,
  "storedBytes" bigint, "savedBy" text not null, "savedAt" bigint, "key" text, "fingerprint" text,
  "job" text, "seal" text, constraint "name_version_key" unique ("key"));
CREATE INDEX "name_version" on "nameVersion" ("name", "version");
`

/** Adds the grants by which versions are saved. */
export const grantsOfNames = 'ALTER TABLE "nameVersion" ADD COLUMN "grantId" text;'
