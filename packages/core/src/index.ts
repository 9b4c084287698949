export { type Bundle, type BundleInput, documentOf, type Metadata } from './bundles/bundle.ts'
export {
  type Card,
  type CardBlock,
  type CardInput,
  card,
  decodeCard,
  encodeCard,
  maxCardBytes,
  partCard,
} from './bundles/card.ts'
export {
  areShowable,
  chooseExcerpts,
  compareSample,
  excerptLimits,
  type Sample,
  sampleOf,
} from './bundles/excerpts.ts'
export type { Sha256 } from './bundles/hmac.ts'
export type { UnchangedRun } from './bundles/item-skips.ts'
export { itemLimits } from './bundles/item-walk.ts'
export { type Item, itemsOf } from './bundles/items.ts'
export {
  type CommittedExcerpt,
  type Excerpt,
  type ItemsRoot,
  isUnderRoot,
  itemsRoot,
  maxProofPath,
  rootOfExcerpt,
} from './bundles/items-root.ts'
export {
  type FactCount,
  factPointers,
  factPointersIn,
  type MemoryFacts,
  readFacts,
} from './bundles/memory-facts.ts'
export {
  type Identity,
  type Saver,
  type Saving,
  type SealedSaver,
  saverKinds,
} from './bundles/saver.ts'
export {
  type Originality,
  type OriginalityFacts,
  originalityOf,
  type Registry,
  refuseCopy,
  type Seal,
  type SealContext,
  sameContext,
} from './bundles/seal-context.ts'
export { Failure, failureCodes, isFailure } from './failure.ts'
export type { FailureCode, Failures } from './failure-facts.ts'
export type { Pace } from './json/document-cursor.ts'
export {
  isObject,
  type JsonMembers,
  type JsonText,
  maxJsonDepth,
  parseJson,
  readMembers,
} from './json/json.ts'
export {
  maxOutlined,
  type Outline,
  type OutlineBounds,
  type ValueType,
  valueTypes,
} from './json/outline-of.ts'
export type {
  DocumentStretch,
  ItemRange,
  ItemSlice,
  PathQuery,
  PathRest,
  SelectBounds,
  Selected,
  SelectedValue,
} from './json/path-query.ts'
export {
  escapeToken,
  maxPointerLength,
  parsePointer,
  printPointer,
  unescapeToken,
} from './json/pointer.ts'
export type { DocumentMatch, SearchBounds } from './json/search-document.ts'
export {
  type DocumentReader,
  documentStart,
  type ScanPoint,
  type Segment,
  type Survey,
  surveySegment,
  wholeDocument,
} from './json/segments.ts'
export type { Match, MatchBounds, Matches } from './json/select-values.ts'
export { foldText, type TextMatch } from './json/text-matcher.ts'
export { failuresOf, type MemoryService, memoryService } from './memory-service.ts'
export {
  type BlobPlace,
  type BlobStorage,
  type BlobStorageModule,
  type BlobStore,
  type BlobVerification,
  type CopyCount,
  type CopyRefusal,
  type LengthBound,
  type LocalReads,
  type OpenBlobStore,
  type PeerStorage,
  type Stretch,
  viewOf,
  whileOpen,
} from './ports/blob-store.ts'
export type {
  ActivityQuery,
  CardQuery,
  Catalogue,
  EventBatch,
  FacetCount,
  Facets,
  LineagePart,
  ListingsFilter,
  ListingsQuery,
  MarketFigures,
  Offer,
  Page,
  PageInput,
  PriceRange,
  PriceRanges,
  TokensQuery,
} from './ports/catalogue.ts'
export type { BundleReader, Cipher, Line, SealOptions } from './ports/cipher.ts'
export type { Clock } from './ports/clock.ts'
export { type Erasures, readsWithoutErased, refuseErased, withoutErased } from './ports/erasures.ts'
export type {
  DepositedGrant,
  GrantBounds,
  GrantId,
  GrantPair,
  GrantRequest,
  Grants,
  GrantsInput,
  Revocation,
} from './ports/grants.ts'
export type { KeyService, KeyServiceModule } from './ports/key-service.ts'
export {
  type Ledger,
  type LedgerWrite,
  ledgerWrites,
  type MintResult,
  type Receipt,
  type SignedText,
  type Statement,
  type TypedHash,
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
export type { Openings, OpeningsOf } from './ports/openings.ts'
export type { LedgerWith, Ports } from './ports/ports.ts'
export {
  everyProfile,
  type OldProfiles,
  type ProfileRequest,
  type Profiles,
} from './ports/profiles.ts'
export type { Ratings } from './ports/ratings.ts'
export {
  type Answer,
  type Answered,
  answerQuestion,
  type Comparable,
  type Misspelt,
  mergeAnswers,
  type Near,
  type PhraseRank,
  phraseRank,
  type Question,
  type WordStatistics,
} from './recall/answer-question.ts'
export { parseItems } from './recall/recall-items.ts'
export { type IndexBounds, indexSteps, type WordIndex, wordIndex } from './recall/word-index.ts'
export type { Language, Languages, Stem } from './recall/words.ts'
export {
  type Access,
  admit,
  type Challenge,
  challenge,
  type Holding,
  type Proof,
  proofWindowSeconds,
  type Right,
  refuseStale,
} from './tokens/access.ts'
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
} from './tokens/catalogued-token.ts'
export { type Grant, grantLabel, grantStatement, longestGrant } from './tokens/grant.ts'
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
} from './tokens/heir.ts'
export {
  currencyOf,
  type DollarPrices,
  highestDollarPrice,
  highestPrice,
  isActive,
  type Listing,
  type LiveTerms,
  listableTerms,
  maxRentalDays,
  noPrices,
  type OrderTerms,
  offersNothing,
  orderTerms,
  type Prices,
  rentalDays,
  type Terms,
} from './tokens/listing.ts'
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
} from './tokens/migration.ts'
export {
  advance,
  familyOf,
  type MigrationOutcome,
  noProgress,
  sourceIn,
} from './tokens/migration-progress.ts'
export { type OpenedScope, openingWithin, type RecordedOpening } from './tokens/opening.ts'
export {
  type Order,
  type OrderAct,
  type OrderState,
  orderActs,
  orderStates,
} from './tokens/order.ts'
export {
  type MarkedProfile,
  type Profile,
  profileLimits,
  skeletonOf,
  withoutQuotes,
} from './tokens/profile.ts'
export { type Provenance, requireFound } from './tokens/provenance.ts'
export {
  commentLimits,
  type Opinion,
  opinion,
  type PaidAct,
  type Payment,
  paymentBy,
  type RatedToken,
  type Rating,
  type Score,
  type ScoreCounts,
} from './tokens/rating.ts'
export {
  type LeftOutLine,
  type LineToken,
  type RecoveredLine,
  recoverLines,
} from './tokens/recover-lines.ts'
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
} from './tokens/royalty.ts'
export {
  allWordsBonus,
  maxSearchWords,
  maxWordLength,
  minSearchWordLength,
  scoredRanks,
  searchedFieldCount,
  searchRank,
  searchScore,
  searchWords,
  stemOf,
  type WeightedWord,
  wordsByField,
  wordsOf,
  wordWeight,
} from './tokens/search.ts'
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
} from './tokens/token-event.ts'
export type { Budget, Idempotency } from './tokens/write-terms.ts'
export { buy } from './use-cases/buy.ts'
export { download } from './use-cases/download.ts'
export { erase, type Holdings } from './use-cases/erase.ts'
export { fork } from './use-cases/fork.ts'
export {
  depositGrant,
  endGrants,
  forgetGranted,
  type GrantedReads,
  type GrantParts,
  grantedLine,
  grantedRight,
  maySaveStill,
  type NameEnds,
  type OwnerCheck,
  ownerCheck,
  readsByRight,
  renameGranted,
  revokeGrant,
  revokeGrants,
} from './use-cases/grants.ts'
export { list } from './use-cases/list.ts'
export type { Opening, PartialRead, PartSource } from './use-cases/open-document.ts'
export { proveAccount, type ReaderProof } from './use-cases/prove-account.ts'
export { proveCreator } from './use-cases/prove-creator.ts'
export { rate } from './use-cases/rate.ts'
export { blockCursor, readEvents, type SubscriberPosition } from './use-cases/read-events.ts'
export {
  type Answering,
  type Found,
  type FoundMatch,
  outline,
  part,
  type SearchedMemory,
  searchIn,
  selectIn,
} from './use-cases/read-inside.ts'
export { readSalt, readSealed } from './use-cases/read-sealed.ts'
export { listing, provenance, readOpenings } from './use-cases/read-token.ts'
export { rent } from './use-cases/rent.ts'
export { royalty } from './use-cases/royalty.ts'
export { parentOf, save } from './use-cases/save.ts'
export { seal } from './use-cases/seal.ts'
export { removeBlobs, type StoredBlobs } from './use-cases/seal-bundle.ts'
export { setProfile } from './use-cases/set-profile.ts'
export { snapshot } from './use-cases/snapshot.ts'
export {
  type Account,
  type Currency,
  currencies,
  type Digest,
  type Dollars,
  type Hash,
  type Hex,
  type Instant,
  type Salt,
  type TokenId,
  type Wei,
} from './values/branded.ts'
export { decimalPattern, dollarDecimals, dollars, tokenId, wei } from './values/decimal.ts'
export { account, digest, hash, nobody, salt, sameAccount, storageUri } from './values/hex.ts'
export {
  lineName,
  longestName,
  type Name,
  name,
  type OwnedName,
  ownerOfAccount,
  readLineName,
} from './values/name.ts'
export {
  compareCodePoints,
  firstLetters,
  type KnownWord,
  nearestWord,
  typosAllowed,
} from './values/nearest-word.ts'
export { printTime } from './values/print-time.ts'
export { day, fromSeconds, instant, later, toSeconds } from './values/time.ts'
