import { hash } from 'node:crypto'
import type { SealNote, SealNotes, SealRequest } from '@heirloom/adapters/internal/seal-notes'
import {
  type Clock,
  Failure,
  type Hex,
  type Idempotency,
  instant,
  type MemoryService,
  type OpenBlobStore,
  proofWindowSeconds,
  type Registry,
  removeBlobs,
  type seal,
} from '@heirloom/core'
import type { SealSettings } from '../../config/read-seal-settings.ts'

/** A seal that a creator has proven to ask for. */
export type SealInput = Omit<seal.Input, 'beforeStoring'> & {
  /** The client that the seal counts for. */
  readonly client: string
  /** The time of the proof, in seconds since the Unix epoch. */
  readonly timestamp: number
  /** The sha256 of the body, which the creator signed. */
  readonly bodyDigest: Hex
  readonly idempotency: Idempotency | undefined
}

/** Seals a memory once for each proof; a repeated request gets the first result. */
export type SealOnce = (input: SealInput) => Promise<SealNote>

export declare namespace sealOnce {
  type Parts = {
    readonly seal: MemoryService['seal']
    readonly notes: Pick<SealNotes, 'find' | 'reserve' | 'complete' | 'release'>
    readonly blobStore: Pick<OpenBlobStore, 'claim' | 'remove'>
    readonly registry: Registry
    readonly clock: Clock
    readonly settings: Pick<SealSettings, 'bounds' | 'lifetime'>
    /** Runs before blobs are stored; may throw to refuse them. */
    readonly requireRoom?: (bytes: number) => Promise<void>
    /** Runs after a seal was noted and before it is answered. */
    readonly onNoted?: () => Promise<void>
    readonly onTrouble?: (error: unknown) => void
  }
}

/** The time after which a reservation counts as that of a process that was killed, in milliseconds. */
export const abandonedAfter = 60_000

/** Returns the function that seals for creators, bounds what it stores, and notes it durably. */
export function sealOnce(parts: sealOnce.Parts): SealOnce {
  const running = new Map<string, Promise<SealNote>>()
  return (input) => {
    const request = requestOf(parts.registry, input)
    const known = running.get(request.proof)
    if (known !== undefined) return known
    const sealing = findOrSeal(parts, request, input).finally(() => running.delete(request.proof))
    running.set(request.proof, sealing)
    return sealing
  }
}

function requestOf({ chainId, address }: Registry, input: SealInput): SealRequest {
  const { creator, client, timestamp, bodyDigest: body, idempotency } = input
  const registry = `${chainId}:${address.toLowerCase()}`
  const sum = (...parts: readonly unknown[]) => hash('sha256', parts.join('\n'))
  const key = idempotency && sum(registry, creator, idempotency.key)
  return { registry, creator, client, proof: sum(registry, creator, timestamp, body), key, body }
}

async function findOrSeal(
  parts: sealOnce.Parts,
  request: SealRequest,
  input: SealInput,
): Promise<SealNote> {
  const { notes, clock } = parts
  const found = await notes.find(request)
  if (found === undefined) return makeSeal(parts, request, input)
  if (found.body !== request.body) throw new Failure('idempotency/key-reused', {})
  if (found.state === 'expired') throw staleProof(input, clock)
  if (found.note !== undefined) return found.note
  // Another process works on it, or was killed while it did.
  if (found.storedAt > clock.now() - abandonedAfter) throw new Failure('service/busy', { limit: 1 })
  await notes.release(found.id)
  return makeSeal(parts, request, input)
}

function staleProof({ timestamp }: SealInput, clock: Clock): Failure {
  const windowSeconds = proofWindowSeconds
  return new Failure('proof/stale', {
    ...{ signedAt: timestamp * 1000, now: instant(clock.now()), windowSeconds },
  })
}

async function makeSeal(
  parts: sealOnce.Parts,
  request: SealRequest,
  input: SealInput,
): Promise<SealNote> {
  const { notes, clock, settings, requireRoom } = parts
  const { bounds, lifetime } = settings
  const storedAt = clock.now()
  const expiresAt = storedAt + lifetime
  let id: string | undefined
  const beforeStoring = async (bytes: number) => {
    await requireRoom?.(bytes)
    id = await notes.reserve(request, { bytes, storedAt, expiresAt, bounds })
    if (id === undefined) throw new Failure('service/busy', { limit: 1 })
  }
  const sealed = await parts.seal({ ...input, beforeStoring }).catch(async (error: unknown) => {
    if (id !== undefined) await notes.release(id).catch(() => undefined)
    throw error
  })
  await noteBlobs(parts, id, sealed)
  const { creator, body } = request
  const { contentHash, digest, card, recipient, parent } = sealed
  const blobs = { contentHash, digest, card, recipient, parent }
  return { id: id ?? '', creator, body, expiresAt, ...blobs }
}

/**
 * Hands the blobs over from the log of the blob store to their note. A process that is killed before
 * the note is durable leaves orphans, which the next start removes.
 */
async function noteBlobs(
  { notes, blobStore, onNoted, onTrouble = () => undefined }: sealOnce.Parts,
  id: string | undefined,
  { contentHash, digest, card, recipient, parent }: seal.Output,
): Promise<void> {
  const blobs = { contentHash, digest, card, recipient, parent }
  if (id === undefined || !(await notes.complete(id, blobs))) {
    await removeBlobs(blobStore, blobs)
    throw new Failure('service/busy', { limit: 1 })
  }
  const claims = [digest, ...(card === undefined ? [] : [card])]
  // Async, because a module's own claim may not be.
  const claim = async (it: (typeof claims)[number]) => blobStore.claim(it)
  await Promise.all(claims.map((it) => claim(it).catch(onTrouble)))
  await onNoted?.().catch(onTrouble)
}
