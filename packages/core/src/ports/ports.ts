import type { BlobStore } from './blob-store.ts'
import type { Cipher } from './cipher.ts'
import type { Clock } from './clock.ts'
import type { Ledger } from './ledger.ts'
import type { Names } from './names.ts'
import type { Openings } from './openings.ts'

/** The ports that the use cases work through. */
export type Ports = {
  readonly blobStore: BlobStore
  readonly cipher: Cipher
  readonly clock: Clock
  readonly ledger: Ledger
  /** The store of names; without it nothing can be saved to a name. */
  readonly names?: Names | undefined
  /** The record of openings of memories; without it none are recorded. */
  readonly openings?: Pick<Openings, 'record'> | undefined
}

/** A ledger with some of its methods, and with those that make a write of its agent once. */
export type LedgerWith<method extends keyof Ledger> = {
  readonly ledger: Pick<Ledger, 'agent' | 'recall' | method>
}
