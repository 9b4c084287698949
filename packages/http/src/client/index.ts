export type { Account } from './access-proof.ts'
export type * from './asked.ts'
export type { AutoSnapshot, AutoSnapshotOptions } from './auto-snapshot.ts'
export { type Client, type ClientOptions, createClient } from './client.ts'
export type { Progress } from './counted-body.ts'
export type { Memory } from './download.ts'
export {
  type ClientCode,
  type ClientFailures,
  type FactsOf,
  type HeirloomCode,
  HeirloomError,
  isHeirloomError,
} from './heirloom-error.ts'
export type { Proof } from './recorded-hash.ts'
export type { Timers } from './timers.ts'
export type * from './told.ts'
export type { CallOptions, WriteOptions } from './transport.ts'
