export { type Access, admit } from './domain/access.ts'
export { type Account, account, nobody, sameAccount } from './domain/account.ts'
export type { Budget } from './domain/budget.ts'
export { type Bundle, type BundleInput, documentOf, type Metadata } from './domain/bundle.ts'
export {
  type Card,
  type CardBlock,
  card,
  decodeCard,
  encodeCard,
  maxCardBytes,
} from './domain/card.ts'
export {
  type CataloguedToken,
  type Earnings,
  type EarningsIn,
  type HistoryEntry,
  type Lineage,
  type Link,
  type LogPosition,
  linkOf,
  type Relative,
  type Rental,
  trimCard,
} from './domain/catalogued-token.ts'
export { decimalPattern } from './domain/decimal.ts'
export {
  type Digest,
  digest,
  type Hash,
  type Hex,
  hash,
  type Salt,
  salt,
  storageUri,
} from './domain/hash.ts'
export {
  earliestTakeover,
  type HeirPlan,
  type HeirState,
  heirDayLimits,
  heirDays,
  heirStateOf,
  heirStates,
  mostTakenOver,
  silentAt,
  takeoverAt,
} from './domain/heir.ts'
export type { Idempotency } from './domain/idempotency.ts'
export {
  isObject,
  type JsonMembers,
  type JsonText,
  maxJsonDepth,
  parseJson,
  readMembers,
} from './domain/json.ts'
export {
  currencyOf,
  type DollarPrices,
  type Listing,
  type LiveTerms,
  listableTerms,
  noPrices,
  offersNothing,
  type Prices,
  type Terms,
} from './domain/listing.ts'
export {
  courseOf,
  isOffered,
  type MigratingToken,
  type MigrationCourse,
  type MigrationPlan,
  type MigrationProgress,
  type MigrationStep,
  maxMigrationBatch,
  needsSetUp,
  nextStep,
  planMigration,
  type RunningRental,
  rentalName,
  type StayReason,
  tokensMintedBy,
} from './domain/migration.ts'
export {
  advance,
  familyOf,
  type MigrationOutcome,
  noProgress,
  sourceIn,
} from './domain/migration-progress.ts'
export {
  type Currency,
  currencies,
  type Dollars,
  dollarDecimals,
  dollars,
  highestDollarPrice,
  highestPrice,
  type Wei,
  wei,
} from './domain/money.ts'
export {
  type Order,
  type OrderAct,
  type OrderState,
  type OrderTerms,
  orderActs,
  orderStates,
  orderTerms,
} from './domain/order.ts'
export { type Originality, type OriginalityFacts, originalityOf } from './domain/originality.ts'
export { printTime } from './domain/print-time.ts'
export { type Challenge, challenge, type Proof, proofWindowSeconds } from './domain/proof.ts'
export type { Provenance } from './domain/provenance.ts'
export { isActive, maxRentalDays, rentalDays } from './domain/rental.ts'
export {
  type Claim,
  type ClaimShares,
  claimsOn,
  type ForkRoyalty,
  forkRoyalty,
  forkRoyaltyOfShares,
  type LineageMember,
  maxClaims,
  maxLineageDepth,
  royaltyShare,
  type Split,
  shareOf,
  splitPrice,
  wholeBps,
} from './domain/royalty.ts'
export {
  type Registry,
  refuseCopy,
  type Seal,
  type SealContext,
  sameContext,
} from './domain/seal-context.ts'
export {
  maxSearchWords,
  minSearchWordLength,
  searchedFieldCount,
  searchRank,
  searchWords,
  wordsByField,
} from './domain/search.ts'
export { day, fromSeconds, type Instant, instant, later, toSeconds } from './domain/time.ts'
export { requireFound, type TokenId, tokenId } from './domain/token.ts'
export {
  convertEvent,
  type EncodedEvent,
  type EncodedFields,
  type EventCodec,
  type EventEncoding,
  type EventFieldType,
  type EventFieldValues,
  type EventKind,
  eventFields,
  eventKinds,
  type TokenEvent,
} from './domain/token-event.ts'
export { maxWordLength, wordsOf } from './domain/words.ts'
export { Failure, type FailureCode, type Failures, failureCodes, isFailure } from './failure.ts'
export { type MemoryService, memoryService } from './memory-service.ts'
export type {
  BlobPlace,
  BlobStorage,
  BlobStorageModule,
  BlobVerification,
  CopyCount,
  CopyRefusal,
  OpenBlobStore,
  PeerStorage,
} from './ports/blob-storage.ts'
export type { BlobStore } from './ports/blob-store.ts'
export type {
  CardQuery,
  Catalogue,
  EventBatch,
  ListingsQuery,
  Offer,
  Page,
  PageInput,
  PriceRange,
  PriceRanges,
  TokensQuery,
} from './ports/catalogue.ts'
export type { Cipher } from './ports/cipher.ts'
export type { Clock } from './ports/clock.ts'
export type { KeyService, KeyServiceModule } from './ports/key-service.ts'
export type {
  Ledger,
  LedgerWrite,
  MintResult,
  Receipt,
  Statement,
  WriteResult,
} from './ports/ledger.ts'
export type { LedgerWith, Ports } from './ports/ports.ts'
export { whileOpen } from './ports/while-open.ts'
export { buy } from './use-cases/buy.ts'
export { download } from './use-cases/download.ts'
export { fork } from './use-cases/fork.ts'
export { list } from './use-cases/list.ts'
export { listing } from './use-cases/listing.ts'
export { proveAccount } from './use-cases/prove-account.ts'
export { proveCreator } from './use-cases/prove-creator.ts'
export { provenance } from './use-cases/provenance.ts'
export { blockCursor, readEvents, type SubscriberPosition } from './use-cases/read-events.ts'
export { readSalt } from './use-cases/read-salt.ts'
export { rent } from './use-cases/rent.ts'
export { royalty } from './use-cases/royalty.ts'
export { seal } from './use-cases/seal.ts'
export { removeBlobs, type StoredBlobs } from './use-cases/seal-bundle.ts'
export { snapshot } from './use-cases/snapshot.ts'
