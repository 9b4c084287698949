import { type Catalogue, type Clock, Failure, isFailure, type MemoryService } from '@heirloom/core'
import type { FastifyInstance } from 'fastify'
import type { Bounds } from '../config/read-bounds.ts'
import type { KeylessAct } from './api-keys/key-ring.ts'
import { boundReads } from './bounds/bound-reads.ts'
import { type ProfileParts, profileHandlers } from './operations/accounts.ts'
import { type CheckIntegrity, catalogueReads, unboundedReads } from './operations/catalogue.ts'
import { ratingHandlers } from './operations/ratings.ts'
import { serveOperations } from './operations/serve-operation.ts'
import { compressReads } from './plugins/compress-reads.ts'
import { failureReply } from './plugins/failure-reply.ts'
import { eventsRoute } from './routes/events.ts'
import { mcpRoute } from './routes/mcp.ts'
import { discoveryRoutes } from './x402/discovery.ts'
import type { PaidActs } from './x402/paid-acts.ts'

/** The parts behind the routes that read many tokens. */
export type Browsing = {
  readonly catalogue: Catalogue
  readonly clock: Clock
  /** Checks the sealed bytes of a token. */
  readonly integrity: CheckIntegrity
  /** The limits and the heartbeat of the event streams. */
  readonly streams?: eventsRoute.Options | undefined
}

/** The parts that rate; without them there is no operation `rate`. */
export type RatingParts = Pick<ratingHandlers.Parts, 'clock' | 'ledger' | 'ratings' | 'catchUp'>

type Parts = Browsing &
  Pick<ratingHandlers.Parts, 'gate' | 'deployment'> & {
    readonly service: Pick<MemoryService, 'provenance'>
    readonly rating?: RatingParts | undefined
    /** Without it there is no operation on profiles. */
    readonly profiling?: ProfileParts | undefined
    /** The acts that need no API key. */
    readonly keyless: readonly KeylessAct[]
    /** Acts that are paid by x402; without them there is no list of them. */
    readonly paidActs?: PaidActs | undefined
  }

/** Registers the routes that read many tokens. */
export function browsingRoutes(
  server: FastifyInstance,
  { rating, profiling, paidActs, ...parts }: Parts,
  { streamsPerClient: maxPerClient = 0, mcpPerClient = 0 }: Partial<Bounds>,
): void {
  const { catalogue, clock, integrity, streams } = parts
  server.register(async (reads) => {
    boundReads(reads)
    compressReads(reads)
    absentTokens(reads, parts.service)
    nameNewestEvent(reads, catalogue)
    const { deployment: place } = parts
    serveOperations(reads, catalogueReads(catalogue, clock, { place, ratings: rating?.ratings }))
    if (paidActs !== undefined) discoveryRoutes(reads, { ...parts, paidActs })
    if (rating !== undefined) serveOperations(reads, ratingHandlers({ ...parts, ...rating }))
    if (profiling !== undefined) {
      serveOperations(reads, profileHandlers({ ...parts, ...profiling }))
    }
  })
  serveOperations(server, unboundedReads(catalogue, integrity))
  server.register(eventsRoute(parts, { maxPerClient, ...streams }))
  server.register(mcpRoute({ maxPerClient: mcpPerClient }))
}

/**
 * Names the newest event before each read in the header `x-newest-event`, `start` before the first, so
 * that a reader can subscribe to the events after it and misses none.
 *
 * @throws `catalogue/unavailable`
 */
function nameNewestEvent(
  routes: FastifyInstance,
  { newestEventId }: Pick<Catalogue, 'newestEventId'>,
): void {
  routes.addHook('preHandler', async (_, reply) => {
    reply.header('x-newest-event', (await newestEventId()) ?? 'start')
  })
}

/**
 * Asks the chain where the catalogue finds no token: only the chain says that a token does not exist.
 * Routes that are registered afterwards reply `catalogue/behind` where it does.
 */
function absentTokens(reads: FastifyInstance, service: Pick<MemoryService, 'provenance'>): void {
  reads.setErrorHandler(async (error, request, reply) =>
    failureReply(await judge(service, error), request, reply),
  )
}

async function judge(
  { provenance }: Pick<MemoryService, 'provenance'>,
  error: unknown,
): Promise<unknown> {
  if (!isFailure(error, 'token/not-found')) return error
  const { tokenId } = error.facts
  try {
    await provenance({ tokenId })
  } catch (failure) {
    return failure
  }
  return new Failure('catalogue/behind', { problem: `it has not read token ${tokenId} yet` })
}
