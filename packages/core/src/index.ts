export { type Access, admit } from './domain/access.ts'
export { type Account, account, nobody, sameAccount } from './domain/account.ts'
export type { Budget } from './domain/budget.ts'
export { type Bundle, type BundleInput, documentOf, type Metadata } from './domain/bundle.ts'
export {
  type Card,
  type CardBlock,
  type CardInput,
  card,
  decodeCard,
  encodeCard,
  maxCardBytes,
  partCard,
} from './domain/card.ts'
export {
  type CataloguedToken,
  type Earning,
  type EarningKind,
  type Earnings,
  type EarningsIn,
  type Family,
  type HistoryEntry,
  type Lineage,
  type Link,
  type LogPosition,
  linkOf,
  type Relative,
  type Rental,
  type Source,
  type TitledToken,
  trimCard,
} from './domain/catalogued-token.ts'
export { decimalPattern } from './domain/decimal.ts'
export {
  areShowable,
  chooseExcerpts,
  compareSample,
  excerptLimits,
  type Sample,
  sampleOf,
} from './domain/excerpts.ts'
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
export type { Sha256 } from './domain/hmac.ts'
export type { Idempotency } from './domain/idempotency.ts'
export type { UnchangedRun } from './domain/item-skips.ts'
export { itemLimits } from './domain/item-walk.ts'
export { type Item, itemsOf } from './domain/items.ts'
export {
  type CommittedExcerpt,
  type Excerpt,
  type ItemsRoot,
  isUnderRoot,
  itemsRoot,
  maxProofPath,
  rootOfExcerpt,
} from './domain/items-root.ts'
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
  type FactCount,
  factPointers,
  factPointersIn,
  type MemoryFacts,
  readFacts,
} from './domain/memory-facts.ts'
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
  lineName,
  longestName,
  type Name,
  name,
  type OwnedName,
  readLineName,
} from './domain/name.ts'
export {
  compareCodePoints,
  firstLetters,
  type KnownWord,
  nearestWord,
  typosAllowed,
} from './domain/nearest-word.ts'
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
export type { Pace } from './domain/parts/document-cursor.ts'
export {
  maxOutlined,
  type Outline,
  type OutlineBounds,
  type ValueType,
  valueTypes,
} from './domain/parts/outline-of.ts'
export type {
  DocumentStretch,
  ItemRange,
  ItemSlice,
  PathQuery,
  PathRest,
  SelectBounds,
  Selected,
  SelectedValue,
} from './domain/parts/path-query.ts'
export {
  escapeToken,
  maxPointerLength,
  parsePointer,
  printPointer,
  unescapeToken,
} from './domain/parts/pointer.ts'
export type { DocumentMatch, Found, SearchBounds } from './domain/parts/search-document.ts'
export type { Match, MatchBounds, Matches } from './domain/parts/select-values.ts'
export type { TextMatch } from './domain/parts/text-matcher.ts'
export { printTime } from './domain/print-time.ts'
export { type Challenge, challenge, type Proof, proofWindowSeconds } from './domain/proof.ts'
export type { Provenance } from './domain/provenance.ts'
export {
  commentLimits,
  type Opinion,
  opinion,
  type PaidAct,
  type Payment,
  paymentBy,
  type Rating,
  type Score,
  type ScoreCounts,
} from './domain/rating.ts'
export {
  type LeftOutLine,
  type LineToken,
  type RecoveredLine,
  recoverLines,
} from './domain/recover-lines.ts'
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
export {
  type DocumentReader,
  documentStart,
  type ScanPoint,
  type Segment,
  type Survey,
  surveySegment,
  wholeDocument,
} from './domain/segments.ts'
export { day, fromSeconds, type Instant, instant, later, toSeconds } from './domain/time.ts'
export { requireFound, type TokenId, tokenId } from './domain/token.ts'
export {
  accountsIn,
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
export { failuresOf, type MemoryService, memoryService } from './memory-service.ts'
export type {
  BlobPlace,
  BlobStorage,
  BlobStorageModule,
  BlobVerification,
  CopyCount,
  CopyRefusal,
  LocalReads,
  OpenBlobStore,
  PeerStorage,
} from './ports/blob-storage.ts'
export { type BlobStore, type LengthBound, type Stretch, viewOf } from './ports/blob-store.ts'
export type {
  ActivityQuery,
  CardQuery,
  Catalogue,
  EventBatch,
  FacetCount,
  Facets,
  ListingsFilter,
  ListingsQuery,
  Offer,
  Page,
  PageInput,
  PriceRange,
  PriceRanges,
  TokensQuery,
} from './ports/catalogue.ts'
export type { BundleReader, Cipher, Line, SealOptions } from './ports/cipher.ts'
export type { Clock } from './ports/clock.ts'
export type { Erasures } from './ports/erasures.ts'
export type { KeyService, KeyServiceModule } from './ports/key-service.ts'
export {
  type Ledger,
  type LedgerWrite,
  ledgerWrites,
  type MintResult,
  type Receipt,
  type Statement,
  type WriteResult,
} from './ports/ledger.ts'
export type {
  HoldId,
  HoldResult,
  NamedMint,
  NameRecord,
  Names,
  NamesPage,
  SavedVersion,
  SaveRequest,
  SealedVersion,
} from './ports/names.ts'
export type { LedgerWith, Ports } from './ports/ports.ts'
export type { Ratings } from './ports/ratings.ts'
export { whileOpen } from './ports/while-open.ts'
export { readsWithoutErased, refuseErased, withoutErased } from './ports/without-erased.ts'
export type { ReaderProof } from './use-cases/admit-reader.ts'
export { buy } from './use-cases/buy.ts'
export { download } from './use-cases/download.ts'
export { erase, type Holdings } from './use-cases/erase.ts'
export { fork } from './use-cases/fork.ts'
export { list } from './use-cases/list.ts'
export { listing } from './use-cases/listing.ts'
export type { Opening, PartialRead, PartSource } from './use-cases/open-document.ts'
export { outline } from './use-cases/outline.ts'
export { part } from './use-cases/part.ts'
export { proveAccount } from './use-cases/prove-account.ts'
export { proveCreator } from './use-cases/prove-creator.ts'
export { provenance } from './use-cases/provenance.ts'
export { rate } from './use-cases/rate.ts'
export { blockCursor, readEvents, type SubscriberPosition } from './use-cases/read-events.ts'
export { readSalt } from './use-cases/read-salt.ts'
export { readSealed } from './use-cases/read-sealed.ts'
export { rent } from './use-cases/rent.ts'
export { royalty } from './use-cases/royalty.ts'
export { parentOf, save } from './use-cases/save.ts'
export { seal } from './use-cases/seal.ts'
export { removeBlobs, type StoredBlobs } from './use-cases/seal-bundle.ts'
export { searchIn } from './use-cases/search-in.ts'
export { selectIn } from './use-cases/select-in.ts'
export { snapshot } from './use-cases/snapshot.ts'
