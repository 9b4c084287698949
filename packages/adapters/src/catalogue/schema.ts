import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Hex } from 'viem'
import type { FullText } from './full-text.ts'

/** Changes with the tables and with what is written to them; another one is made from nothing. */
export const schemaVersion = 4

/** What a catalogue is of. */
export type Identity = {
  readonly chainId: number
  readonly genesis: Hex
  readonly registry: Hex
  readonly marketplace: Hex
}

/** Returns the one text that names what a catalogue is of and how it is kept. */
export function nameOf({ chainId, genesis, registry, marketplace }: Identity): string {
  const parts = [schemaVersion, chainId, genesis, registry, marketplace]
  return parts.join(':').toLowerCase()
}

/** Returns a short name of a catalogue that a database can use for a part of itself. */
export const shortNameOf = (identity: Identity): string =>
  `heirloom_catalogue_${createHash('sha256').update(nameOf(identity)).digest('hex').slice(0, 16)}`

/**
 * The tables of a catalogue. Accounts and hashes are in lower case, amounts decimal texts of one
 * width, so that their order is that of the numbers; times are seconds since 1970.
 */
export type Database = {
  meta: {
    id: 1
    name: string
    /** Grows with each commit; one that expects another version is refused. */
    version: number
    /** The last block that was read. */
    block: number
    /** The newest block there was to read then. */
    head: number
    /** How often blocks were taken back. */
    reorganisations: number
  }
  /** Blocks that a reorganisation could take back. */
  block: { number: number; hash: string }
  /** Blocks with events that were taken back, for those who were told of them. */
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
    /** What is told of it, as JSON. */
    said: string
  }
  token: TokenRow
  /** Each renewal has a row; the last one ends last. */
  rental: { tokenId: number; renter: string; block: number; logIndex: number; expiresAt: number }
  /** What an account had earned in all after an event. */
  income: IncomeRow
  card: CardRow
  seal: SealRow
  /** What is found by words: a row for each card that is shown, as its database keeps it. */
  search: { rowid: number; terms: string }
  tag: { tag: string; tokenId: number }
}

export type TokenRow = {
  id: number
  /** The token whose card it shows: itself, or that from which licensed forks lead to it. */
  source: number
  contentHash: string
  digest: string
  creator: string
  parent: number | null
  royaltyBps: number | null
  /** The shares of the claims on it in basis points, the oldest first, with a space between. */
  claims: string
  /** How many licensed forks lead to it in a line. */
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
  /** Absent when it is not listed. */
  listedAt: number | null
}

export type IncomeRow = {
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
  /** `wanted` has no block yet; `refused` holds no card of its memory. */
  state: 'wanted' | 'shown' | 'refused'
  /** How often its block was looked for in vain, and when to look again, in milliseconds since 1970. */
  looks: number
  lookAt: number
  category: string | null
  /** The card, as JSON. */
  card: string | null
}

/** What the head of a sealed memory says, by its digest. */
export type SealRow = {
  digest: string
  /** `wanted` until its head was found here and was authentic. */
  state: 'wanted' | 'read'
  /** How often it was looked for in vain, and when to look again, in milliseconds since 1970. */
  looks: number
  lookAt: number
  /** The creator it was sealed for, empty where that is of another registry; absent until it is read. */
  sealedFor: string | null
  /** The content hash that it names; absent until it is read. */
  sealedContent: string | null
}

/** The columns of each table, in the order in which rows are written. */
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
    /** A text in byte order. */
    readonly bytewise: string
    readonly fullText: Pick<FullText, 'tables'>
  }
}

/** Makes the tables of a catalogue that has read nothing yet. */
export async function createTables(
  db: Kysely<Database>,
  { name, bytewise, fullText }: createTables.Options,
): Promise<void> {
  const all = [...tables(bytewise), ...fullText.tables]
  for (const table of all) await sql.raw(table).execute(db)
  const nothing = { version: 0, block: -1, head: -1, reorganisations: 0 }
  await db
    .insertInto('meta')
    .values({ id: 1, name, ...nothing })
    .execute()
}
