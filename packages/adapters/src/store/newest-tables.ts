/** The SQLite statements that create the newest version of the tables. */
export const newestTables = `
CREATE TABLE "lane" ("id" text primary key, "nextNonce" bigint not null, "epoch" bigint not null);
CREATE TABLE "spending" ("lane" text not null, "day" bigint not null, "spent" text not null,
  constraint "spending_day" primary key ("lane", "day"));
CREATE TABLE "budgetSpending" ("lane" text not null, "day" bigint not null, "name" text not null,
  "spent" text not null, constraint "budget_spending_day" primary key ("lane", "day", "name"));
CREATE TABLE "job" ("id" text primary key, "lane" text not null, "operation" text not null,
  "to" text not null, "data" text not null, "value" text not null, "key" text, "fingerprint" text,
  "budget" text, "state" text not null, "nonce" bigint, "txHash" text, "outcome" text,
  "acceptedAt" bigint not null, "requestId" text, "traceparent" text, constraint "job_key" unique ("lane", "key"));
CREATE TABLE "slot" ("lane" text not null, "nonce" bigint not null, "state" text not null,
  "jobs" text not null, "to" text not null, "data" text not null, "value" text not null,
  "gas" text not null, "reserved" text not null, "day" bigint not null, "signedAt" bigint not null,
  "blockNumber" bigint, "blockHash" text, constraint "slot_nonce" primary key ("lane", "nonce"));
CREATE TABLE "attempt" ("hash" text primary key, "lane" text not null, "nonce" bigint not null,
  "raw" text not null, "maxFeePerGas" text not null, "maxPriorityFeePerGas" text not null,
  "cancels" integer not null, "signedAt" bigint not null);
CREATE INDEX "attempt_slot" on "attempt" ("lane", "nonce");
CREATE TABLE "seal" ("id" text primary key, "state" text not null, "registry" text not null,
  "creator" text not null, "client" text not null, "proof" text not null, "key" text,
  "body" text not null, "bytes" bigint not null, "contentHash" text, "digest" text, "card" text,
  "recipient" text, "parent" text, "storedAt" bigint not null, "expiresAt" bigint not null,
  constraint "seal_proof" unique ("proof"), constraint "seal_key" unique ("key"));
CREATE INDEX "seal_state" on "seal" ("state", "expiresAt");
CREATE INDEX "seal_digest" on "seal" ("digest");
CREATE INDEX "seal_card" on "seal" ("card");
CREATE TABLE "memoryName" ("id" text primary key, "registry" text not null, "owner" text not null,
  "name" text not null, "version" bigint not null, "hold" text,
  constraint "name_text" unique ("registry", "owner", "name"));
CREATE TABLE "nameVersion" ("id" text primary key, "name" text not null, "state" text not null,
  "holder" text not null, "heldAt" bigint not null, "version" bigint, "tokenId" text, "txHash" text,
  "contentHash" text, "digest" text, "creator" text, "recipient" text, "documentBytes" bigint,
  "storedBytes" bigint, "savedBy" text not null, "savedAt" bigint, "key" text, "fingerprint" text,
  "job" text, "seal" text, "grantId" text, constraint "name_version_key" unique ("key"));
CREATE INDEX "name_version" on "nameVersion" ("name", "version");
CREATE TABLE "upgrade" ("version" bigint primary key, "at" bigint not null);
CREATE INDEX "job_unsent" ON "job" ("lane", "state", "acceptedAt") WHERE "state" = 'queued' OR "state" = 'failed';
`
