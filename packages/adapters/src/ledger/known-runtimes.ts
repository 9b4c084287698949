import { runtimes } from './contracts.generated.ts'
import { runtimes020 } from './released-runtimes.ts'
import type { RuntimeCode } from './runtime-code.ts'

/** The code of the contracts of one release. */
export type PairRuntimes = {
  readonly [part in 'registry' | 'marketplace' | 'forwarder' | 'depositCode']: RuntimeCode
}

/**
 * The code of the pairs of every release, the newest first. A server opens pairs of each, so one that
 * is released is never removed; test/fixtures/contracts has the code of each release.
 */
export const knownRuntimes: readonly PairRuntimes[] = [runtimes, runtimes020]
