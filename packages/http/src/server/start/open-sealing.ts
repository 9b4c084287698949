import type { SqlCatalogue } from '@heirloom/adapters/catalogue'
import { systemClock } from '@heirloom/adapters/clock'
import { decideFailedMints } from '@heirloom/adapters/internal/failed-mints'
import { mintedTokens } from '@heirloom/adapters/internal/minted-tokens'
import { memoize } from '@heirloom/adapters/internal/platform'
import { countSeals, type SealNotes, sealNotes } from '@heirloom/adapters/internal/seal-notes'
import type { JobStore } from '@heirloom/adapters/job-store'
import {
  Failure,
  type Instant,
  type MemoryService,
  type OpenBlobStore,
  type Registry,
} from '@heirloom/core'
import type { Config } from '../../config/config.ts'
import { freeDisk, leastFree } from '../folder-place.ts'
import type { OpenChain } from '../open-chain.ts'
import type { SealNames } from '../seals/hold-name.ts'
import { mintWatch } from '../seals/mint-watch.ts'
import { type Sealing, sealing } from '../seals/sealing.ts'
import { reorgDepthOf } from './open-on-chain.ts'

type Input = {
  readonly config: Pick<Config, 'seals' | 'chain'>
  readonly folder: string
  readonly chain: Pick<OpenChain, 'source' | 'contracts'>
  readonly store: JobStore
  readonly blobStore: OpenBlobStore
  readonly catalogue: SqlCatalogue
  readonly registry: Registry
  readonly names: SealNames
  readonly service: Pick<MemoryService, 'seal' | 'readSalt'>
  readonly onTrouble: (error: unknown) => void
}

/** Opens the sealing for wallets that mint themselves, and the watch for their mints. */
export function openSealing(input: Input, resources: AsyncDisposableStack): Sealing {
  const { config, chain, store, blobStore, catalogue, registry, names, service, onTrouble } = input
  const { bounds, lifetime } = config.seals
  const notes = sealNotes(store, registry)
  const clock = systemClock()
  const { source, contracts } = chain
  const place = { chain: source, contracts }
  const minted = (since: Instant) => mintedTokens({ ...place, since })
  const failed = () => decideFailedMints({ ...place, store, reorgDepth: reorgDepthOf(config) })
  const stored = { notes, blobStore, clock, onTrouble }
  const watch = mintWatch({ ...stored, catalogue, minted, failed, lifetime })
  resources.defer(watch.close)
  return sealing({
    ...stored,
    ...service,
    names,
    registry,
    settings: { bounds, lifetime },
    requireRoom: roomCheck(input, notes),
    onNoted: watch.wake,
  })
}

/** The time that the bytes stored for wallets are cached, in milliseconds. */
const countedFor = 5000

const retryAfterSeconds = 60

/** Returns a check that refuses to store more for wallets than the settings and the disk allow. */
function roomCheck(
  { config, folder, store }: Input,
  notes: Pick<SealNotes, 'unsweptBytes'>,
): (bytes: number) => Promise<void> {
  const { storedBytes: limit } = config.seals
  const countBytes = async () => {
    const { unminted, minted } = await countSeals(store)
    return unminted.bytes + minted.bytes + (await notes.unsweptBytes())
  }
  const count = memoize(countBytes, { resultFor: countedFor })
  return async (bytes) => {
    // What wallets store must never fill the disk of the operator's own memories.
    const free = (await freeDisk(folder)) - 4 * leastFree
    if (free < bytes) {
      throw new Failure('seal/no-room', { limit: Math.max(free, 0), retryAfterSeconds })
    }
    if (limit === 0) return
    if ((await count()) + bytes <= limit) return
    throw new Failure('seal/no-room', { limit, retryAfterSeconds })
  }
}
