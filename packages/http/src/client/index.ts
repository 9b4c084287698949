export type { AutoSnapshot, AutoSnapshotOptions } from './auto-snapshot.ts'
export { type Client, type ClientOptions, createClient } from './client.ts'
export type { Memory } from './download.ts'
export {
  type ClientCode,
  type ClientFailures,
  type FactsOf,
  type HeirloomCode,
  HeirloomError,
  isHeirloomError,
} from './heirloom-error.ts'
export type { Account } from './proof/access-proof.ts'
export type { Proof } from './proof/recorded-hash.ts'
export type * from './requests.ts'
export type * from './responses.ts'
export type { Progress } from './transport/counted-body.ts'
export type { Timers } from './transport/timers.ts'
export type { CallOptions, WriteOptions } from './transport/transport.ts'
