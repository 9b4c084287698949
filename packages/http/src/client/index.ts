export type {
  Change,
  Conflict,
  Diff,
  Resolution,
  Resolve,
} from '@heirloom/adapters/internal/diff/change'
export type {
  Encoding,
  Finding,
  FindingKind,
  HeldString,
  Scan,
  Severity,
} from '@heirloom/adapters/internal/scan/finding'
export type { Account } from './access-proof.ts'
export type { AutoSnapshot, AutoSnapshotOptions } from './auto-snapshot.ts'
export { type Client, type ClientOptions, createClient } from './client.ts'
export type { Download, DownloadOptions, Memory } from './download.ts'
export type { Erase, EraseTerms } from './erase.ts'
export type { EventStream, EventsOptions, Watch, WatchOptions } from './events.ts'
export type { GrantCalls, GrantedMemories } from './grants.ts'
export {
  type ClientCode,
  type ClientFailures,
  type FactsOf,
  type HeirloomCode,
  HeirloomError,
  isHeirloomError,
} from './heirloom-error.ts'
export type { QuarantinedMemory, ScanChoice, ScannedMemory, Scans } from './memory-scan.ts'
export type { MemoryOptions, NamedMemory, SavedVersion, SaveInput } from './named-memory.ts'
export type { MemoryPart, Parts } from './parts.ts'
export type { ProfileInput, SetProfile } from './profiles.ts'
export type { Rate, RateInput } from './ratings.ts'
export type { Proof } from './recorded-hash.ts'
export type * from './requests.ts'
export type * from './responses.ts'
export type { Progress } from './transport/decode-response.ts'
export type { Timers } from './transport/retries.ts'
export type { CallOptions, WriteOptions } from './transport/transport.ts'
export type { Merged, MergeInput, VersionInput } from './versions.ts'
