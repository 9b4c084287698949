import { sealNotes } from '@heirloom/adapters/internal/seal-notes'
import type { JobStore } from '@heirloom/adapters/job-store'
import type { Clock, MemoryService, OpenBlobStore, Registry } from '@heirloom/core'
import { readSealSettings } from '../src/config/read-limits.ts'
import { type Sealing, sealing } from '../src/server/seals/sealing.ts'

/** The default settings of seals, as of a server that others reach. */
export const sealSettings = readSealSettings({}, false)

export declare namespace sealingOver {
  type Parts = Partial<Omit<sealing.Parts, 'notes'>> & {
    readonly service: Pick<MemoryService, 'seal' | 'readSalt'>
    readonly clock: Clock
    readonly registry: Registry
    readonly blobStore?: Pick<OpenBlobStore, 'claim' | 'remove'>
  }
}

const ignore = async () => undefined

/** Returns the sealing of a service, whose notes are in a job store. */
export const sealingOver = (
  store: JobStore,
  { service, blobStore = { claim: ignore, remove: ignore }, ...parts }: sealingOver.Parts,
): Sealing =>
  sealing({
    notes: sealNotes(store, parts.registry),
    blobStore,
    settings: sealSettings,
    ...parts,
    seal: service.seal,
    readSalt: service.readSalt,
  })
