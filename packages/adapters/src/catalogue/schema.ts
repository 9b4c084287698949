import { createHash } from 'node:crypto'
import type { Currency } from '@heirloom/core'
import { type Kysely, sql } from 'kysely'
import type { Hex } from 'viem'
import type { FullText } from './full-text.ts'
import { noPrice } from './projection/stored-event.ts'
import {
  bigint,
  bytes,
  createStatement,
  integer,
  type MutableRowOf,
  mutable,
  nullable,
  oneOf,
  type RowOf,
  sortable,
  type TableSyntax,
  table,
  text,
} from './table.ts'

/** The version of the tables and of their content; a catalogue of another version is rebuilt. */
export const schemaVersion = 22

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

const meta = table(
  {
    id: integer,
    name: text,
    /** Grows by 1 with each commit; a commit that expects another version fails. */
    version: bigint,
    /** The last indexed block. */
    block: bigint,
    /** The newest block that could be indexed at that time. */
    head: bigint,
    /** The number of reorganisations so far. */
    reorganisations: bigint,
    /** The last block of which nothing is missing, as headers prove or a second reading does. */
    confirmed: bigint,
    /** The blocks whose events are in doubt, as JSON; null for none. */
    doubt: nullable(text),
  },
  ['id'],
)

/** A transaction with events, by the place of its first one. */
const mined = table({ block: bigint, logIndex: bigint, blockHash: bytes, txHash: bytes }, [
  'block',
  'logIndex',
])

const event = table(
  {
    block: bigint,
    logIndex: bigint,
    /** The index of the first event of its transaction. */
    firstLog: bigint,
    at: bigint,
    tokenId: bigint,
    kind: text,
    /** Its fields; see `encodeColumns`. */
    said: bytes,
  },
  ['block', 'logIndex'],
)

const token = table(
  {
    id: bigint,
    /** The token whose card it shows: itself, or the one that its line of licensed forks starts at. */
    source: bigint,
    /** The first version of its memory: its maker declared each later one to derive from one before. */
    family: bigint,
    contentHash: bytes,
    digest: bytes,
    creator: bytes,
    /** The creator of its source. */
    maker: bytes,
    /** The first owner of its source. */
    keeper: bytes,
    /** The title of the card that it shows; empty without one. */
    title: sortable,
    parent: nullable(bigint),
    royaltyBps: nullable(integer),
    /** The royalty claims on it in basis points, the oldest first, separated by spaces. */
    claims: text,
    /** The number of licensed forks between its source and itself. */
    depth: integer,
    /** The numbers of the accounts that have rented it, and of its licensed forks. */
    rentals: mutable(bigint),
    forks: mutable(bigint),
    owner: mutable(bytes),
    block: bigint,
    logIndex: bigint,
    /** The index of the first event of the transaction that minted it. */
    firstLog: bigint,
    at: bigint,
    price: mutable(sortable),
    rentalPricePerDay: mutable(sortable),
    forkPrice: mutable(sortable),
    /** The ERC-20 token that its prices are in; null when they are in wei. */
    asset: mutable(nullable(bytes)),
    forkRoyaltyBps: mutable(integer),
    /** Null when it is not listed. */
    listedAt: mutable(nullable(bigint)),
  },
  ['id'],
)

/** Each renewal has a row; the last one ends last. */
const rental = table(
  { tokenId: bigint, renter: bytes, block: bigint, logIndex: bigint, expiresAt: bigint },
  ['tokenId', 'renter', 'block', 'logIndex'],
)

/** Each naming has a row; the last one of an account counts. */
const heir = table({ account: text, block: bigint, logIndex: bigint, heir: nullable(text) }, [
  'account',
  'block',
  'logIndex',
])

/** The total earnings of an account, or of everyone, in a currency after each event that changed them. */
const earnings = table(
  {
    account: text,
    currency: oneOf<Currency>(),
    block: bigint,
    logIndex: bigint,
    sales: text,
    rentals: text,
    forks: text,
    royalties: text,
    credit: text,
  },
  ['account', 'currency', 'block', 'logIndex'],
)

const card = table(
  {
    tokenId: bigint,
    block: bigint,
    digest: bytes,
    /** `wanted`: the block was not found yet; `refused`: the block holds no card of this token. */
    state: oneOf<'wanted' | 'shown' | 'refused'>(),
    /** The failed lookups so far. */
    looks: bigint,
    /** The time of the next lookup, in milliseconds since 1970. */
    lookAt: bigint,
    title: nullable(sortable),
    category: nullable(sortable),
    /** The card, as JSON. */
    card: nullable(text),
  },
  ['tokenId'],
)

/** Stands for the creator in another registry. No database takes empty bytes for what they are. */
export const nobodyOfOurs = Uint8Array.of(0)

/** The facts in the head of a sealed bundle, by its digest. */
const seal = table(
  {
    digest: bytes,
    /**
     * `wanted` until its head was found in this store and was authentic. Earlier programs look for `read`
     * seals, whose digests are texts: they would take these for those of another installation.
     */
    state: mutable(oneOf<'wanted' | 'found'>()),
    /** The failed lookups so far. */
    looks: mutable(bigint),
    /** The time of the next lookup, in milliseconds since 1970. */
    lookAt: mutable(bigint),
    /** The creator it was sealed for; `nobodyOfOurs` in another registry, null until it was read. */
    sealedFor: mutable(nullable(bytes)),
    /** The content hash in the head; null until it was read. */
    sealedContent: mutable(nullable(bytes)),
    /** The root of its items; null without one. */
    itemsRoot: mutable(nullable(bytes)),
    /** The excerpts under this root with their proofs, as JSON; null for none. */
    excerpts: mutable(nullable(text)),
    /** The format that it was imported from, as the excerpts say; null for none. */
    format: mutable(nullable(sortable)),
  },
  ['digest'],
)

/**
 * The tables of a catalogue. Accounts and hashes in texts are in lower case, prices are sortable
 * decimals, times are seconds since 1970.
 */
export const tables = {
  meta,
  /** Blocks that a reorganisation can still undo. */
  block: table({ number: bigint, hash: text }, ['number']),
  /** Undone blocks with events, for readers that have seen those events. */
  undone: table({ number: bigint, hash8: bytes, reorganisation: bigint }, ['number', 'hash8']),
  reorganisation: table({ id: bigint, fromBlock: bigint }, ['id']),
  mined,
  event,
  token,
  rental,
  heir,
  income: earnings,
  card,
  seal,
  /** The digests of erased memories, whose listings are none. */
  erased: table({ digest: bytes }, ['digest']),
  tag: table({ tag: sortable, tokenId: bigint }, ['tag', 'tokenId']),
  /** The words of the cards that are shown, and the number of cards that have each. */
  word: table({ word: sortable, cards: bigint }, ['word']),
} as const

export type Tables = { [name in keyof typeof tables]: RowOf<(typeof tables)[name]> }

export type Database = Tables & {
  /** The full-text index: a row for each card that is shown. */
  search: { rowid: number; terms: string }
}

/** The transaction of a row that joins it. */
export type MinedColumns = Pick<Tables['mined'], 'blockHash' | 'txHash'>
export type EventRow = Tables['event'] & MinedColumns
export type TokenRow = Tables['token']
/** The columns of a token that its later events change. */
export type TokenChange = Partial<MutableRowOf<typeof token>>
export type EarningsRow = Tables['income']
export type CardRow = Tables['card']
export type SealRow = Tables['seal']

/** The state of what is to be looked up, as a literal: SQLite compares no parameter with an index's condition. */
export const pendingState = sql.lit('wanted' as const)

/** The state of seals whose bundles are in this store, as a literal, too. */
export const foundState = sql.lit('found' as const)

type Sorted = { readonly column: string; readonly as: string; readonly where: string }

/** Returns an index of listings for each direction: many are equal, and the lower id comes first. */
const bothWays = ({ column, as, where }: Sorted): readonly string[] =>
  ['ASC', 'DESC'].map(
    (direction) => `CREATE INDEX "token_${column}${as}_${direction}"
      ON token ("${column}" ${direction}, id, family) WHERE "listedAt" IS NOT NULL AND ${where}`,
  )

const indices: readonly string[] = [
  'CREATE INDEX event_token ON event ("tokenId", block, "logIndex")',
  `CREATE INDEX event_rental ON event (at) WHERE kind IN ('rental', 'dollar-rental')`,
  'CREATE INDEX token_content ON token ("contentHash", id)',
  'CREATE INDEX token_sealed ON token (digest, creator, id) WHERE "royaltyBps" IS NULL',
  'CREATE INDEX token_owner ON token (owner, id)',
  'CREATE INDEX token_creator ON token (creator, id)',
  'CREATE INDEX token_parent ON token (parent, id)',
  'CREATE INDEX token_source ON token (source, id)',
  // With all that tells which member of a family comes first, so that a large family is one part of it.
  `CREATE INDEX token_family ON token (family, title, id, source, owner, keeper, digest, "listedAt",
    price, "rentalPricePerDay", "forkPrice", asset, rentals, forks) WHERE "listedAt" IS NOT NULL`,
  // A walk of the families passes over the other members of one by the index alone.
  'CREATE INDEX token_listed ON token (id, family) WHERE "listedAt" IS NOT NULL',
  'CREATE INDEX "token_listedAt" ON token ("listedAt", id, family) WHERE "listedAt" IS NOT NULL',
  ...['rentals', 'forks'].flatMap((column) => bothWays({ column, as: '', where: `${column} > 0` })),
  ...['price', 'rentalPricePerDay', 'forkPrice'].flatMap((column) => [
    ...bothWays({ column, as: '', where: `"${column}" > '${noPrice}' AND asset IS NULL` }),
    ...bothWays({
      column,
      as: '_dollar',
      where: `"${column}" > '${noPrice}' AND asset IS NOT NULL`,
    }),
  ]),
  'CREATE INDEX rental_renter ON rental (renter, "tokenId")',
  'CREATE INDEX heir_heir ON heir (heir, block, "logIndex")',
  'CREATE INDEX heir_block ON heir (block)',
  'CREATE INDEX income_block ON income (block)',
  'CREATE INDEX card_look ON card ("lookAt") WHERE state = \'wanted\'',
  'CREATE INDEX card_category ON card (category)',
  'CREATE INDEX seal_look ON seal ("lookAt") WHERE state = \'wanted\'',
  'CREATE INDEX seal_content ON seal ("sealedContent") WHERE state = \'found\'',
  'CREATE INDEX tag_token ON tag ("tokenId")',
]

export declare namespace createTables {
  type Options = {
    readonly name: string
    readonly syntax: TableSyntax
    readonly fullText: Pick<FullText, 'tables'>
  }
}

/** Creates the tables of an empty catalogue. */
export async function createTables(
  db: Kysely<Database>,
  { name, syntax, fullText }: createTables.Options,
): Promise<void> {
  const own = Object.entries(tables).map(([table, it]) => createStatement(table, it, syntax))
  for (const statement of [...own, ...indices, ...fullText.tables]) {
    await sql.raw(statement).execute(db)
  }
  const start = { version: 0, block: -1, head: -1, reorganisations: 0, confirmed: -1, doubt: null }
  await db
    .insertInto('meta')
    .values({ id: 1, name, ...start })
    .execute()
}
