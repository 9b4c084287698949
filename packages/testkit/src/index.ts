export { arbitraryCard, arbitraryCardBlock } from './arbitraries/card.ts'
export {
  arbitraryBundleText,
  arbitraryCodePoint,
  arbitraryJsonText,
  arbitraryMalformedJson,
  arbitraryMetadataText,
  arbitraryMutatedJson,
  arbitraryObjectText,
  arbitraryStringText,
  type BundleText,
} from './arbitraries/json.ts'
export {
  arbitraryBps,
  arbitraryDollarTerms,
  arbitraryPrice,
  arbitraryTerms,
  arbitraryUnlistablePrice,
  arbitraryWei,
  type DollarTerms,
} from './arbitraries/money.ts'
export {
  arbitraryAccount,
  arbitraryBlob,
  arbitraryBytes32,
  arbitraryContext,
  arbitraryDays,
  arbitraryDigest,
  arbitraryHash,
  arbitraryInstant,
  arbitrarySalt,
  arbitraryTokenId,
} from './arbitraries/values.ts'
export { memoryBlobStorage } from './fakes/blob-storage.ts'
export { memoryBlobStore } from './fakes/blob-store.ts'
export { memoryCatalogue } from './fakes/catalogue/catalogue.ts'
export { memoryCipher, type RandomBytes, seededBytes } from './fakes/cipher.ts'
export { type StoppedClock, stoppedClock } from './fakes/clock.ts'
export { type ErasablePorts, erasePartsOver, erasingOver, memoryErasures } from './fakes/erasing.ts'
export { memoryGrants } from './fakes/grants.ts'
export { memoryHarness, startingBalance, withServices } from './fakes/harness.ts'
export { memoryKeyService } from './fakes/key-service.ts'
export { type MemoryChain, memoryChain, memoryLedger } from './fakes/ledger.ts'
export { memoryNames } from './fakes/names.ts'
export { memoryOpenings } from './fakes/openings.ts'
export { memoryProfiles } from './fakes/profiles.ts'
export { memoryRatings } from './fakes/ratings.ts'
export {
  type BlobStorageHarness,
  type CatalogueHarness,
  type DepositActs,
  type HeirActs,
  type LedgerHarness,
  type OrderRecord,
  type PaidOrder,
  type Party,
  pauperKey,
  pauperWallet,
  type SealChoices,
  type ServiceHarness,
  walletKeys,
  wallets,
} from './harness.ts'
export { blobStorageLaws } from './laws/blob-storage.ts'
export { blobStoreLaws } from './laws/blob-store.ts'
export { catalogueLaws } from './laws/catalogue.ts'
export { cipherLaws } from './laws/cipher.ts'
export { clockLaws } from './laws/clock.ts'
export { grantsLaws } from './laws/grants.ts'
export { keyServiceLaws } from './laws/key-service.ts'
export { checkLaws, type Law, type LawResult, type Opener } from './laws/law.ts'
export { ledgerLaws } from './laws/ledger.ts'
export { namesLaws } from './laws/names.ts'
export { openingsLaws } from './laws/openings.ts'
export { profilesLaws } from './laws/profiles.ts'
export { ratingsLaws } from './laws/ratings.ts'
export { runModel, type Tally } from './model/run-model.ts'
