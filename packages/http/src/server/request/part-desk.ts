import type { MemoryService, Pace, PartialRead, PartSource } from '@heirloom/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DownloadBudget, DownloadReservation } from '../bounds/download-budget.ts'
import type { InFlight } from '../bounds/in-flight.ts'
import { serialQueue } from '../bounds/turns.ts'
import type { AcceptedProofs } from './accepted-proofs.ts'
import { clientOf } from './client-of.ts'
import { readProof } from './proof-headers.ts'
import { afterReply } from './send-memory.ts'

/** The parts that read inside memories for requests that carry a proof. */
export type PartDesk = Pick<MemoryService, 'outline' | 'part' | 'searchIn' | 'selectIn'> & {
  readonly gate: Pick<AcceptedProofs, 'challengesOf'>
  readonly budget: DownloadBudget
  /** Counts the requests that are read now. */
  readonly flight: InFlight
}

/** The most requests for parts that are read at once, of all clients and of one. */
export const partsAtOnce = { max: 32, maxPerClient: 8, what: 'reads inside memories at once' }

/** A request and its reply. */
export type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply }

/** The proof of a request, and the bounds of its work. */
export type PartRequest = Omit<PartialRead, 'tokenId'> & {
  readonly reservation: DownloadReservation
}

/**
 * Reads inside a memory for the wallet that a request proves, within the bounds of its client. A
 * memory that is not stored in pieces is in memory as a whole until the read is done, so it counts as
 * a download until then; of another one the list of its pieces and those around the place do. The read takes some of the `places` for reads at once.
 *
 * @throws what `read` throws, `proof/missing`, `proof/malformed`, `request/too-many`, `service/busy`
 */
export async function readInside<T extends PartSource>(
  { gate, budget, flight }: Pick<PartDesk, 'gate' | 'budget' | 'flight'>,
  { request, reply }: Exchange,
  read: (request: PartRequest) => Promise<T>,
  places = 1,
): Promise<T> {
  const proof = readProof(request.headers)
  const client = clientOf(request)
  const leave = flight.enter(client, places)
  const reservation = budget.reservationFor(client)
  const { release, reserve, settle, hold: holdMemory } = reservation
  let isWhole = false
  const beforeOpening: PartialRead['beforeOpening'] = async ({ digest, isInPieces }) => {
    isWhole = !isInPieces
    if (isWhole) await reserve(digest)
  }
  reply.header('cache-control', 'no-store')
  try {
    const challenges = gate.challengesOf(request)
    const bounds = { beforeOpening, holdMemory, pace: pacer(), reservation }
    const done = await read({ proof, challenges, ...bounds })
    if (isWhole) settle(done.documentLength)
    // Not before: what is read stays in memory although its client has left.
    afterReply(reply, release)
    return done
  } catch (error) {
    release()
    throw error
  } finally {
    leave()
  }
}

/** The bytes after which other requests have their turn. */
const bytesAtOnce = 65_536

/** All reads inside memories wait in one row: with a row for each, other requests wait for all. */
const inTurn = serialQueue()

/** Returns a function that lets other requests and other reads have their turn after some bytes. */
export function pacer(): Pace {
  let scanned = 0
  return async (bytes) => {
    scanned += bytes
    if (scanned < bytesAtOnce) return
    scanned = 0
    await inTurn(async () => undefined)
  }
}
