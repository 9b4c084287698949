export { type Access, admit } from './domain/access.ts'
export { type Account, account, nobody, sameAccount } from './domain/account.ts'
export type { Budget } from './domain/budget.ts'
export { type Bundle, type BundleInput, documentOf, type Metadata } from './domain/bundle.ts'
export {
  type Card,
  type CardOf,
  card,
  documentOfCard,
  longestCardBlock,
  readCard,
} from './domain/card.ts'
export {
  type CataloguedToken,
  type Earnings,
  type Happening,
  type HistoryEntry,
  inShort,
  type Lineage,
  type Link,
  linkOf,
  type Place,
  type Relative,
  type Rental,
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
export type { Idempotency } from './domain/idempotency.ts'
export {
  deepest,
  isObject,
  type JsonMembers,
  type JsonText,
  parseJson,
  readMembers,
} from './domain/json.ts'
export { type Listing, listableTerms, type Terms } from './domain/listing.ts'
export { highestPrice, type Wei, wei } from './domain/money.ts'
export { type Originality, type OriginalityFacts, originalityOf } from './domain/originality.ts'
export { type Challenge, challenge, type Proof, proofWindowSeconds } from './domain/proof.ts'
export type { Provenance } from './domain/provenance.ts'
export { isActive, longestRental, rentalDays } from './domain/rental.ts'
export {
  type Carried,
  type Claim,
  claimsOn,
  deepestLineage,
  type ForkRoyalty,
  forkRoyalty,
  type Licensed,
  mostClaims,
  nextRoyalty,
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
  mostSearchWords,
  searchedFields,
  searchRank,
  searchWords,
  shortestSearchWord,
  wordsByField,
} from './domain/search.ts'
export { day, fromSeconds, type Instant, instant, toSeconds } from './domain/time.ts'
export { existing, type TokenId, tokenId } from './domain/token.ts'
export { longestWord, wordsOf } from './domain/words.ts'
export { Failure, type FailureCode, type Failures, failureCodes, isFailure } from './failure.ts'
export { type MemoryService, memoryService } from './memory-service.ts'
export type { BlobStore } from './ports/blob-store.ts'
export type {
  CardQuery,
  Catalogue,
  Happened,
  ListingsQuery,
  Offer,
  Page,
  PageInput,
  PriceRange,
  TokensQuery,
} from './ports/catalogue.ts'
export type { Cipher } from './ports/cipher.ts'
export type { Clock } from './ports/clock.ts'
export type { Ledger, LedgerWrite, Minted, Receipt, Statement, Written } from './ports/ledger.ts'
export type { Ports } from './ports/ports.ts'
export { buy } from './use-cases/buy.ts'
export { download } from './use-cases/download.ts'
export { fork } from './use-cases/fork.ts'
export { list } from './use-cases/list.ts'
export { listing } from './use-cases/listing.ts'
export { type Heard, news, placeOf } from './use-cases/read-events.ts'
export { provenance } from './use-cases/provenance.ts'
export { rent } from './use-cases/rent.ts'
export { royalty } from './use-cases/royalty.ts'
export { snapshot } from './use-cases/snapshot.ts'
