import { hash, randomBytes, randomUUID } from 'node:crypto'
import {
  registryId,
  type SealNote,
  type SealNotes,
  type SealRequest,
} from '@heirloom/adapters/internal/seal-notes'
import {
  account,
  type Clock,
  Failure,
  type Hex,
  instant,
  type MemoryService,
  type OpenBlobStore,
  proofWindowSeconds,
  type Registry,
  removeBlobs,
  type Salt,
  type SaveRequest,
  salt,
  type seal,
} from '@heirloom/core'
import type { SealSettings } from '../../config/read-limits.ts'
import { type HeldName, holdName, type SealNames } from './hold-name.ts'

/** A request that a creator has proven, whose body may not have arrived yet. */
export type ProvenRequest = Pick<seal.Input, 'creator'> & {
  /** The client that the seal counts for. */
  readonly client: string
  /** The time of the proof, in seconds since the Unix epoch. */
  readonly timestamp: number
  /** The sha256 of the body, which the creator signed. */
  readonly bodyDigest: Hex
  readonly idempotencyKey: string | undefined
}

/** A seal that a creator has proven to ask for. */
export type SealInput = ProvenRequest &
  Omit<seal.Input, 'beforeStoring'> & {
    /** The name that the memory is saved to; none when absent. */
    readonly save?: SaveRequest | undefined
  }

/** A seal, and the salt with which its creator can verify the content hash. */
export type CheckableSeal = SealNote & { readonly salt: Salt }

/** Seals memories for creators. */
export type Sealing = {
  /**
   * Refuses a request beyond the bounds before its body is read. A repeated request passes.
   *
   * @throws `seal/too-many`, `seal/no-room`
   */
  readonly admit: (request: ProvenRequest) => Promise<void>
  /** Seals a memory once for each proof; a repeated request gets the first result. */
  readonly seal: (input: SealInput) => Promise<CheckableSeal>
}

export declare namespace sealing {
  type Parts = {
    readonly seal: MemoryService['seal']
    readonly readSalt: MemoryService['readSalt']
    readonly notes: Pick<SealNotes, 'find' | 'requireRoom' | 'reserve' | 'complete' | 'release'>
    readonly blobStore: Pick<OpenBlobStore, 'claim' | 'remove'>
    /** The names that seals are saved to; without them a request with a name is refused. */
    readonly names?: SealNames | undefined
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

/** Returns the sealing for creators, which bounds what it stores and notes it durably. */
export function sealing(parts: sealing.Parts): Sealing {
  const { notes, registry, settings } = parts
  const running = new Map<string, Promise<CheckableSeal>>()
  return {
    admit: async (proven) => {
      const request = requestOf(registry, proven)
      const isKnown = running.has(request.proof) || (await notes.find(request)) !== undefined
      if (!isKnown) await notes.requireRoom(request, settings.bounds)
    },
    seal: (input) => {
      const request = requestOf(registry, input)
      const known = running.get(request.proof)
      if (known !== undefined) return known
      const made = findOrSeal(parts, request, input).finally(() => running.delete(request.proof))
      running.set(request.proof, made)
      return made
    },
  }
}

function requestOf(place: Registry, proven: ProvenRequest): SealRequest {
  const { creator, client, timestamp, bodyDigest: body, idempotencyKey } = proven
  const registry = registryId(place)
  const sum = (...parts: readonly unknown[]) => hash('sha256', parts.join('\n'))
  const key = idempotencyKey && sum(registry, creator, idempotencyKey)
  return { creator, client, proof: sum(registry, creator, timestamp, body), key, body }
}

async function findOrSeal(
  parts: sealing.Parts,
  request: SealRequest,
  input: SealInput,
): Promise<CheckableSeal> {
  const { notes, clock } = parts
  const found = await notes.find(request)
  if (found === undefined) return makeSeal(parts, request, input)
  if (found.body !== request.body) throw new Failure('idempotency/key-reused', {})
  if (found.state === 'expired') throw staleProof(input, clock)
  if (found.note !== undefined) return addSalt(parts, found.note)
  // Another process works on it, or was killed while it did.
  if (found.storedAt > clock.now() - abandonedAfter) throw new Failure('service/busy', { limit: 1 })
  await notes.release(found.id)
  return makeSeal(parts, request, input)
}

/** The notes have no salt: with it, their reader could guess a small memory by its content hash. */
const addSalt = async (
  { readSalt }: Pick<sealing.Parts, 'readSalt'>,
  note: SealNote,
): Promise<CheckableSeal> => ({
  ...note,
  salt: await readSalt({ digest: note.digest, creator: account(note.creator) }),
})

const drawSalt = (): Salt => salt(`0x${randomBytes(32).toString('hex')}`)

function staleProof({ timestamp }: SealInput, clock: Clock): Failure {
  const windowSeconds = proofWindowSeconds
  return new Failure('proof/stale', {
    signedAt: timestamp * 1000,
    now: instant(clock.now()),
    windowSeconds,
  })
}

async function makeSeal(
  parts: sealing.Parts,
  request: SealRequest,
  input: SealInput,
): Promise<CheckableSeal> {
  const id = randomUUID()
  const held = await holdName(parts.names, input, id)
  try {
    return await sealHeld({ ...parts, id, held }, request, input)
  } catch (error) {
    await held?.release()
    throw error
  }
}

type SealParts = sealing.Parts & { readonly id: string; readonly held: HeldName | undefined }

async function sealHeld(
  parts: SealParts,
  request: SealRequest,
  input: SealInput,
): Promise<CheckableSeal> {
  const { id, held, notes, clock, settings, requireRoom } = parts
  const { bounds, lifetime } = settings
  const storedAt = clock.now()
  const expiresAt = storedAt + lifetime
  let storedBytes = 0
  const beforeStoring = async (bytes: number) => {
    await requireRoom?.(bytes)
    const isReserved = await notes.reserve(
      { ...request, id },
      { bytes, storedAt, expiresAt, bounds },
    )
    if (isReserved === undefined) throw new Failure('service/busy', { limit: 1 })
    storedBytes = bytes
  }
  const { salt = drawSalt() } = input
  const sealed = await parts
    .seal({ ...input, ...held?.next, salt, beforeStoring })
    .catch(async (error: unknown) => {
      if (storedBytes > 0) await notes.release(id).catch(() => undefined)
      throw error
    })
  const isCardOwn = input.salt === undefined
  await noteBlobs({ ...parts, isCardOwn }, { ...sealed, storedBytes })
  const { creator, body } = request
  const { contentHash, digest, card, recipient, parent } = sealed
  const blobs = { contentHash, digest, card, recipient, parent }
  return { id, creator, body, storedAt, expiresAt, ...blobs, salt }
}

type Stored = seal.Output & { readonly storedBytes: number }

const sizesOf = ({
  documentBytes,
  storedBytes,
}: Pick<Stored, 'documentBytes' | 'storedBytes'>) => ({
  documentBytes,
  storedBytes,
})

type NotingParts = SealParts & { readonly isCardOwn: boolean }

/**
 * Hands the blobs over from the log of the blob store to their note. A process that is killed before
 * the note is durable leaves orphans, which the next start removes.
 */
async function noteBlobs(
  { id, held, notes, blobStore, isCardOwn, onNoted, onTrouble = () => undefined }: NotingParts,
  { contentHash, digest, card, recipient, parent, creator, ...sizes }: Stored,
): Promise<void> {
  const blobs = { contentHash, digest, card, recipient, parent }
  const note = async () => {
    await held?.note({ contentHash, digest, creator, recipient, ...sizesOf(sizes) })
    if (!(await notes.complete(id, blobs))) throw new Failure('service/busy', { limit: 1 })
  }
  await note().catch(async (error: unknown) => {
    await notes.release(id).catch(() => undefined)
    // Another memory may have the same card, under the same salt.
    await removeBlobs(blobStore, { digest, card: isCardOwn ? card : undefined })
    throw error
  })
  const claims = [digest, ...(card === undefined ? [] : [card])]
  // Async, because a module's own claim may not be.
  const claim = async (it: (typeof claims)[number]) => blobStore.claim(it)
  await Promise.all(claims.map((it) => claim(it).catch(onTrouble)))
  await onNoted?.().catch(onTrouble)
}
