import { releaseBuffer } from '@heirloom/adapters/internal/platform'
import {
  type Erasures,
  type MemoryService,
  type provenance,
  type save,
  type snapshot,
  tokenId,
  toSeconds,
} from '@heirloom/core'
import { encodeListing } from '../../api/encode-records.ts'
import type { AnswerOf } from '../../api/operations/operations.ts'
import type { ServiceFor } from '../keys/tenants.ts'
import type { NameOwners } from '../request/name-owners.ts'
import { type NamedSave, readSave, readSnapshot } from '../request/read-snapshot.ts'
import { type MemoryDesk, sendMemory } from '../request/send-memory.ts'
import type { Handler, Handlers } from './serve-operation.ts'

type SnapshotParts = {
  readonly serviceFor: ServiceFor<'snapshot' | 'save'>
  readonly owners: NameOwners
}

/** Returns the handler of a snapshot. */
export const snapshotHandler =
  ({ serviceFor, owners }: SnapshotParts): Handler<'snapshot'> =>
  async (request) => {
    const { receivedBody, idempotency, caller } = request
    const input = { ...readSnapshot(request), idempotency, budget: caller }
    const save = readSave(request.body)
    const service = serviceFor(caller)
    const saveTo = (to: NamedSave) => service.save({ ...input, ...to, ...owners.ofCaller(request) })
    const minting = save === undefined ? service.snapshot(input) : saveTo(save)
    const minted: snapshot.Output & Partial<save.Output> = await minting.finally(
      () => receivedBody && releaseBuffer(receivedBody.bytes),
    )
    return {
      tokenId: minted.tokenId.toString(),
      contentHash: minted.contentHash,
      storageUri: minted.storageUri,
      txHash: minted.txHash,
      timestamp: minted.timestamp,
      ...(minted.version !== undefined && { version: minted.version }),
      ...(minted.isUnchanged && { unchanged: true }),
    }
  }

/** Returns the handler of a download. */
export const downloadHandler =
  (desk: MemoryDesk): Handler<'download'> =>
  async (request, reply) =>
    sendMemory(desk, { request, reply }, tokenId(request.params.tokenId))

type ReadParts = Pick<MemoryService, 'provenance' | 'listing'> & {
  /** Returns when a memory was erased; absent where none can be. */
  readonly erasedAt?: Erasures['find'] | undefined
}

/** Returns the handlers of the reads of one token from the chain. */
export const chainReads = ({
  provenance,
  listing,
  erasedAt = () => undefined,
}: ReadParts): Handlers<'provenance' | 'listing'> => ({
  provenance: async ({ params }) => {
    const record = await provenance({ tokenId: tokenId(params.tokenId) })
    const erased = erasedAt(record.digest)
    return {
      ...encodeProvenance(record),
      ...(erased !== undefined && { erasedAt: `${toSeconds(erased)}` }),
    }
  },
  listing: async ({ params }) => encodeListing(await listing({ tokenId: tokenId(params.tokenId) })),
})

/** Encodes the record of a token. */
export const encodeProvenance = (record: provenance.Output): AnswerOf<'provenance'> => ({
  tokenId: `${record.tokenId}`,
  contentHash: record.contentHash,
  storageUri: record.storageUri,
  creator: record.creator,
  parent: `${record.parent ?? 0n}`,
  timestamp: `${toSeconds(record.mintedAt)}`,
})
