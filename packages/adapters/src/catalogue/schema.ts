import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Hex } from 'viem'
import type { FullText } from './full-text.ts'

/** The version of the tables and of their content; a catalogue of another version is rebuilt. */
export const schemaVersion = 4

/** The chain and the contracts of a catalogue. */
export type Identity = {
  readonly chainId: number
  readonly genesis: Hex
  readonly registry: Hex
  readonly marketplace: Hex
}

/** Returns the name of a catalogue: its schema version, chain and contracts. */
export function catalogueName({ chainId, genesis, registry, marketplace }: Identity): string {
  const parts = [schemaVersion, chainId, genesis, registry, marketplace]
  return parts.join(':').toLowerCase()
}

/** Returns the name of the PostgreSQL schema of a catalogue. */
export const schemaName = (identity: Identity): string =>
  `heirloom_catalogue_${createHash('sha256').update(catalogueName(identity)).digest('hex').slice(0, 16)}`

/**
 * The tables of a catalogue. Accounts and hashes are in lower case, prices are sortable decimals,
 * times are seconds since 1970.
 */
export type Database = {
  meta: {
    id: 1
    name: string
    /** Grows by 1 with each commit; a commit that expects another version fails. */
    version: number
    /** The last indexed block. */
    block: number
    /** The newest block that could be indexed at that time. */
    head: number
    /** The number of reorganisations so far. */
    reorganisations: number
  }
  /** Blocks that a reorganisation can still undo. */
  block: { number: number; hash: string }
  /** Undone blocks with events, for readers that have seen those events. */
  undone: { number: number; hash8: string; reorganisation: number }
  reorganisation: { id: number; fromBlock: number }
  event: {
    block: number
    logIndex: number
    blockHash: string
    txHash: string
    at: number
    tokenId: number
    kind: string
    /** Its fields, as JSON. */
    said: string
  }
  token: TokenRow
  /** Each renewal has a row; the last one ends last. */
  rental: { tokenId: number; renter: string; block: number; logIndex: number; expiresAt: number }
  /** The total earnings of an account after each event that changed them. */
  income: EarningsRow
  card: CardRow
  seal: SealRow
  /** The full-text index: a row for each card that is shown. */
  search: { rowid: number; terms: string }
  tag: { tag: string; tokenId: number }
}

export type TokenRow = {
  id: number
  /** The token whose card it shows: itself, or the one that its line of licensed forks starts at. */
  source: number
  contentHash: string
  digest: string
  creator: string
  parent: number | null
  royaltyBps: number | null
  /** The royalty claims on it in basis points, the oldest first, separated by spaces. */
  claims: string
  /** The number of licensed forks between its source and itself. */
  depth: number
  owner: string
  block: number
  logIndex: number
  blockHash: string
  txHash: string
  at: number
  price: string
  rentalPricePerDay: string
  forkPrice: string
  forkRoyaltyBps: number
  /** Null when it is not listed. */
  listedAt: number | null
}

export type EarningsRow = {
  account: string
  block: number
  logIndex: number
  sales: string
  rentals: string
  forks: string
  royalties: string
  credit: string
}

export type CardRow = {
  tokenId: number
  block: number
  digest: string
  /** `wanted`: the block was not found yet; `refused`: the block holds no card of this token. */
  state: 'wanted' | 'shown' | 'refused'
  /** The failed lookups so far, and the time of the next one, in milliseconds since 1970. */
  looks: number
  lookAt: number
  category: string | null
  /** The card, as JSON. */
  card: string | null
}

/** The facts in the head of a sealed bundle, by its digest. */
export type SealRow = {
  digest: string
  /** `wanted` until its head was found in this store and was authentic. */
  state: 'wanted' | 'read'
  /** The failed lookups so far, and the time of the next one, in milliseconds since 1970. */
  looks: number
  lookAt: number
  /** The creator it was sealed for; empty for another registry, null until it was read. */
  sealedFor: string | null
  /** The content hash in the head; null until it was read. */
  sealedContent: string | null
}

/** The columns of each table, in the order in which rows are inserted. */
export const columns = {
  event: ['block', 'logIndex', 'blockHash', 'txHash', 'at', 'tokenId', 'kind', 'said'],
  token: [
    ...['id', 'source', 'contentHash', 'digest', 'creator', 'parent', 'royaltyBps'],
    ...['claims', 'depth', 'owner'],
    ...['block', 'logIndex', 'blockHash', 'txHash', 'at', 'price', 'rentalPricePerDay'],
    ...['forkPrice', 'forkRoyaltyBps', 'listedAt'],
  ],
  rental: ['tokenId', 'renter', 'block', 'logIndex', 'expiresAt'],
  income: [...['account', 'block', 'logIndex', 'sales', 'rentals', 'forks', 'royalties', 'credit']],
  card: ['tokenId', 'block', 'digest', 'state', 'looks', 'lookAt', 'category', 'card'],
  seal: ['digest', 'state', 'looks', 'lookAt', 'sealedFor', 'sealedContent'],
  block: ['number', 'hash'],
  tag: ['tag', 'tokenId'],
} as const satisfies { readonly [table in keyof Database]?: readonly string[] }

const tables = (bytewise: string): readonly string[] => [
  `CREATE TABLE meta (id integer PRIMARY KEY, name text NOT NULL, version bigint NOT NULL,
    block bigint NOT NULL, head bigint NOT NULL, reorganisations bigint NOT NULL)`,
  'CREATE TABLE block (number bigint PRIMARY KEY, hash text NOT NULL)',
  `CREATE TABLE undone (number bigint NOT NULL, hash8 text NOT NULL,
    reorganisation bigint NOT NULL, PRIMARY KEY (number, hash8))`,
  'CREATE TABLE reorganisation (id bigint PRIMARY KEY, "fromBlock" bigint NOT NULL)',
  `CREATE TABLE event (block bigint NOT NULL, "logIndex" bigint NOT NULL,
    "blockHash" text NOT NULL, "txHash" text NOT NULL, at bigint NOT NULL,
    "tokenId" bigint NOT NULL, kind text NOT NULL, said text NOT NULL,
    PRIMARY KEY (block, "logIndex"))`,
  'CREATE INDEX event_token ON event ("tokenId", block, "logIndex")',
  `CREATE TABLE token (id bigint PRIMARY KEY, source bigint NOT NULL,
    "contentHash" text NOT NULL, digest text NOT NULL, creator text NOT NULL, parent bigint,
    "royaltyBps" integer, claims text NOT NULL, depth integer NOT NULL, owner text NOT NULL, block bigint NOT NULL,
    "logIndex" bigint NOT NULL, "blockHash" text NOT NULL, "txHash" text NOT NULL,
    at bigint NOT NULL, price ${bytewise} NOT NULL, "rentalPricePerDay" ${bytewise} NOT NULL,
    "forkPrice" ${bytewise} NOT NULL, "forkRoyaltyBps" integer NOT NULL, "listedAt" bigint)`,
  'CREATE INDEX token_content ON token ("contentHash", id)',
  'CREATE INDEX token_sealed ON token (digest, creator, id) WHERE "royaltyBps" IS NULL',
  'CREATE INDEX token_owner ON token (owner, id)',
  'CREATE INDEX token_creator ON token (creator, id)',
  'CREATE INDEX token_parent ON token (parent, id)',
  'CREATE INDEX token_source ON token (source, id)',
  'CREATE INDEX token_block ON token (block)',
  ...['listedAt', 'price', 'rentalPricePerDay', 'forkPrice'].map(
    (column) => `CREATE INDEX "token_${column}" ON token ("${column}", id)
      WHERE "listedAt" IS NOT NULL`,
  ),
  `CREATE TABLE rental ("tokenId" bigint NOT NULL, renter text NOT NULL, block bigint NOT NULL,
    "logIndex" bigint NOT NULL, "expiresAt" bigint NOT NULL,
    PRIMARY KEY ("tokenId", renter, block, "logIndex"))`,
  'CREATE INDEX rental_renter ON rental (renter, "tokenId")',
  'CREATE INDEX rental_block ON rental (block)',
  `CREATE TABLE income (account text NOT NULL, block bigint NOT NULL,
    "logIndex" bigint NOT NULL, sales text NOT NULL, rentals text NOT NULL, forks text NOT NULL,
    royalties text NOT NULL, credit text NOT NULL, PRIMARY KEY (account, block, "logIndex"))`,
  'CREATE INDEX income_block ON income (block)',
  `CREATE TABLE card ("tokenId" bigint PRIMARY KEY, block bigint NOT NULL, digest text NOT NULL,
    state text NOT NULL, looks bigint NOT NULL, "lookAt" bigint NOT NULL, category text,
    card text)`,
  'CREATE INDEX card_look ON card (state, "lookAt")',
  'CREATE INDEX card_category ON card (category)',
  'CREATE INDEX card_block ON card (block)',
  `CREATE TABLE seal (digest text PRIMARY KEY, state text NOT NULL, looks bigint NOT NULL,
    "lookAt" bigint NOT NULL, "sealedFor" text, "sealedContent" text)`,
  'CREATE INDEX seal_look ON seal (state, "lookAt")',
  'CREATE INDEX seal_content ON seal ("sealedContent") WHERE state = \'read\'',
  'CREATE TABLE tag (tag text NOT NULL, "tokenId" bigint NOT NULL, PRIMARY KEY (tag, "tokenId"))',
  'CREATE INDEX tag_token ON tag ("tokenId")',
]

export declare namespace createTables {
  type Options = {
    readonly name: string
    /** The SQL type of a text that sorts by its bytes. */
    readonly bytewise: string
    readonly fullText: Pick<FullText, 'tables'>
  }
}

/** Creates the tables of an empty catalogue. */
export async function createTables(
  db: Kysely<Database>,
  { name, bytewise, fullText }: createTables.Options,
): Promise<void> {
  const all = [...tables(bytewise), ...fullText.tables]
  for (const table of all) await sql.raw(table).execute(db)
  const initial = { version: 0, block: -1, head: -1, reorganisations: 0 }
  await db
    .insertInto('meta')
    .values({ id: 1, name, ...initial })
    .execute()
}
