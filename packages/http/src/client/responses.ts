import type {
  EarningRecord,
  EarningsRecord,
  FacetsRecord,
  IntegrityRecord,
  LineageRecord,
  ListedTerms,
  RentalsRecord,
  TokenRecord,
} from '../api/schemas/catalogue-schemas.ts'
import type { EventRecord } from '../api/schemas/event-schemas.ts'
import type { ExcerptsRecord } from '../api/schemas/excerpts-schemas.ts'
import type {
  DepositedGrantRecord,
  GrantedVersionsPage,
  GrantRecord,
  OtherGrantRecord,
  ReceivedGrantRecord,
} from '../api/schemas/grant-schemas.ts'
import type {
  EnsAccountRecord,
  EnsNamesRecord,
  ProfileRecord,
  ProfilesRecord,
  TitlesRecord,
} from '../api/schemas/lookup-schemas.ts'
import type {
  Forked as ForkedSchema,
  ListingRecord,
  Rented as RentedSchema,
  Written as WrittenSchema,
} from '../api/schemas/market-schemas.ts'
import type {
  Erased as ErasedSchema,
  Minted as MintedSchema,
  OpeningRecord,
  ProvenanceRecord,
} from '../api/schemas/memory-schemas.ts'
import type {
  ForgottenRecord,
  NameRecord,
  RenamedRecord,
  VersionRecord,
} from '../api/schemas/name-schemas.ts'
import type {
  FoundRecord,
  OutlinedRecord,
  OutlineRecord,
  SelectedRecord,
} from '../api/schemas/part-schemas.ts'
import type {
  RatingCountsRecord,
  RatingRecord,
  RatingsRecord,
} from '../api/schemas/rating-schemas.ts'
import type { ReadonlyStatic } from '../api/schemas/schema-parts.ts'
import type {
  DeploymentRecord,
  Given as GivenSchema,
  HeirRecord,
  WalletRecord,
} from '../api/schemas/wallet-schemas.ts'

// The types are derived from the schemas of the API, which are their only source.

/** The response of `snapshot`. */
export type Minted = ReadonlyStatic<typeof MintedSchema>
/** A name and its last version. */
export type SavedName = ReadonlyStatic<typeof NameRecord>
/** A name that has another text now, and how many grants of it ended. */
export type RenamedName = ReadonlyStatic<typeof RenamedRecord>
/** The number of grants that ended with a forgotten name. */
export type ForgottenName = ReadonlyStatic<typeof ForgottenRecord>
/** A version of a name. */
export type NamedVersion = ReadonlyStatic<typeof VersionRecord>
/** A page of the versions of a name. */
export type NamedVersions = Page<NamedVersion>
/** The response of `list`, `buy` and `royalty`. */
export type Written = ReadonlyStatic<typeof WrittenSchema>
/** The response of `rent`. */
export type Rented = ReadonlyStatic<typeof RentedSchema>
/** The response of `erase`. */
export type Erased = ReadonlyStatic<typeof ErasedSchema>
/** The leave of an owner that another account may read a memory, as the owner signed it. */
export type Grant = ReadonlyStatic<typeof GrantRecord>
/** A grant that is there beside one of the same. */
export type OtherGrant = ReadonlyStatic<typeof OtherGrantRecord>
/** A page of the versions of a granted name, and the account whose name it is. */
export type GrantedVersions = ReadonlyStatic<typeof GrantedVersionsPage>
/** A page of the grants of an owner. */
export type GrantsPage = Page<ReadonlyStatic<typeof DepositedGrantRecord>>
/** A page of the grants to a reader. */
export type ReceivedGrantsPage = Page<ReadonlyStatic<typeof ReceivedGrantRecord>>
/** The response of `fork`. */
export type Forked = ReadonlyStatic<typeof ForkedSchema>
/** The response of `faucet`. */
export type Given = ReadonlyStatic<typeof GivenSchema>
/** The types, sizes and counts of a value in a memory and of what is below it. */
export type MemoryOutline = ReadonlyStatic<typeof OutlineRecord>
/** A value below the one that an outline describes. */
export type OutlinedValue = ReadonlyStatic<typeof OutlinedRecord>
/** Places inside a memory where a text occurs. */
export type FoundInMemory = ReadonlyStatic<typeof FoundRecord>
/** Values of a memory that a JSONPath selects. */
export type SelectedInMemory = ReadonlyStatic<typeof SelectedRecord>
/** The record of a token on the chain. */
export type Provenance = ReadonlyStatic<typeof ProvenanceRecord>
/** The current terms of a token. */
export type Listing = ReadonlyStatic<typeof ListingRecord>
/** The current terms of a listed token, and when they were set. */
export type Listed = ReadonlyStatic<typeof ListedTerms>
/** A token with its owner, card and terms, as the catalogue knows it. */
export type Token = ReadonlyStatic<typeof TokenRecord>
/** The numbers of the listings that match a query. */
export type Facets = ReadonlyStatic<typeof FacetsRecord>
/** The public description of a memory. */
export type Card = NonNullable<Token['card']>
/** The relation of a token to its parent. */
export type Link = NonNullable<Token['link']>
/** The ancestors and descendants of a token, and the royalty split of a price. */
export type Lineage = ReadonlyStatic<typeof LineageRecord>
/** An ancestor or descendant, and its link to its parent. */
export type Relative = Lineage['ancestors'][number]
/** The division of a price into royalties and the rest for the seller. */
export type Split = Lineage['split']
/** An event of a token. */
export type Event = ReadonlyStatic<typeof EventRecord>
/** The excerpts that a memory shows, with their proofs. */
export type Excerpts = ReadonlyStatic<typeof ExcerptsRecord>
/** The active rentals of a token. */
export type Rentals = ReadonlyStatic<typeof RentalsRecord>
/** An active rental. */
export type Rental = Rentals['items'][number]
/** A rating of a token by an account that paid for it. */
export type Rating = ReadonlyStatic<typeof RatingRecord>
/** A page of the ratings of a token, and how many have each score. */
export type Ratings = ReadonlyStatic<typeof RatingsRecord>
/** Requests of one kind that were answered from a memory. */
export type Opening = ReadonlyStatic<typeof OpeningRecord>
/** The result of a check of the sealed bytes of a token. */
export type Integrity = ReadonlyStatic<typeof IntegrityRecord>
/** The earnings of an account. */
export type Earnings = ReadonlyStatic<typeof EarningsRecord>
/** A payment that an account received. */
export type Earning = ReadonlyStatic<typeof EarningRecord>
/** The numbers of the ratings of several tokens with each score. */
export type RatingCounts = ReadonlyStatic<typeof RatingCountsRecord>

/** The titles of several tokens. */
export type Titles = ReadonlyStatic<typeof TitlesRecord>
/** The words of an account about itself, which are no proof of who it is. */
export type Profile = ReadonlyStatic<typeof ProfileRecord>
/** The profiles of several accounts. */
export type Profiles = ReadonlyStatic<typeof ProfilesRecord>
/** The ENS names of accounts. */
export type EnsNames = ReadonlyStatic<typeof EnsNamesRecord>
/** The account that an ENS name leads to. */
export type EnsAccount = ReadonlyStatic<typeof EnsAccountRecord>
/** The heir of an account, and when the heir may act. */
export type Heir = ReadonlyStatic<typeof HeirRecord>
/** The chain, the contracts and the agent wallet of a server. */
export type Deployment = ReadonlyStatic<typeof DeploymentRecord>
/** The balance and the spending limits of the agent wallet. */
export type Wallet = ReadonlyStatic<typeof WalletRecord>
/** A page of results. Pass `next` as `after` to read the next page; `null` at the end. */
export type Page<Item> = { readonly items: readonly Item[]; readonly next: string | null }
/** An item of an event stream: an event, or the notice of a reorganisation. */
export type StreamEvent = Event | Reorganisation
/** A reorganisation of the chain: earlier events from `block` on are void, later ones replace them. */
export type Reorganisation = {
  /** The id to resume the stream after. */
  readonly id: string
  readonly kind: 'reorganised'
  /** The number of the first void block, a decimal string. */
  readonly block: string
}
