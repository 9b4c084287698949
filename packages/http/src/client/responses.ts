import type { Static, TSchema } from '@sinclair/typebox'
import type {
  EarningsRecord,
  IntegrityRecord,
  LineageRecord,
  ListedTerms,
  RentalsRecord,
  TokenRecord,
} from '../api/catalogue-schemas.ts'
import type { EventRecord } from '../api/event-schemas.ts'
import type {
  DeploymentRecord,
  Forked as ForkedSchema,
  ListingRecord,
  Minted as MintedSchema,
  ProvenanceRecord,
  Rented as RentedSchema,
  WalletRecord,
  Written as WrittenSchema,
} from '../api/schemas.ts'

// Every type here is what a schema of the server says, so that there is no second source.

/** What a schema describes, to be read and not written to. */
export type Told<Schema extends TSchema> = Readonlike<Static<Schema>>

type Readonlike<T> = T extends object ? { readonly [name in keyof T]: Readonlike<T[name]> } : T

/** What a snapshot answers. */
export type Minted = Told<typeof MintedSchema>
/** What any other write answers. */
export type Written = Told<typeof WrittenSchema>
/** What a rent answers. */
export type Rented = Told<typeof RentedSchema>
/** What a fork answers. */
export type Forked = Told<typeof ForkedSchema>
/** What the chain records of a token. */
export type Provenance = Told<typeof ProvenanceRecord>
/** The live terms of a token. */
export type Listing = Told<typeof ListingRecord>
/** The live terms of a token that is listed, and since when they are. */
export type Listed = Told<typeof ListedTerms>
/** A token as the catalogue shows it. */
export type Token = Told<typeof TokenRecord>
/** What a memory shows of itself. */
export type Card = NonNullable<Token['card']>
/** How a token is tied to its parent. */
export type Link = NonNullable<Token['link']>
/** Where a token comes from, what came of it, and who would be paid. */
export type Lineage = Told<typeof LineageRecord>
/** A token of a lineage. */
export type Relative = Lineage['ancestors'][number]
/** Who would receive how much of a price. */
export type Split = Lineage['split']
/** Something that happened to a token. */
export type Event = Told<typeof EventRecord>
/** The rentals of a token that run now. */
export type Rentals = Told<typeof RentalsRecord>
/** A rental that runs now. */
export type Rental = Rentals['items'][number]
/** Whether the sealed bytes of a token are there and whole. */
export type Integrity = Told<typeof IntegrityRecord>
/** What an account has earned. */
export type Earnings = Told<typeof EarningsRecord>
/** Which chain the server works with, and where its contracts are. */
export type Deployment = Told<typeof DeploymentRecord>
/** What the server's wallet holds and may spend. */
export type Wallet = Told<typeof WalletRecord>
/** A page of something; `next` asks for the one after it. */
export type Page<Item> = { readonly items: readonly Item[]; readonly next: string | null }
/** What comes through a stream: an event, or that what was told from a block on no longer stands. */
export type Heard = Event | Reorganised
/** What was told from a block on no longer stands; what follows takes its place. */
export type Reorganised = {
  readonly id: string
  readonly kind: 'reorganised'
  readonly block: string
}
