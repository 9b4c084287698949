import type { Catalogue, Clock, MemoryService } from '@heirloom/core'
import type { FastifyInstance } from 'fastify'
import type { Bounds } from '../config/read-bounds.ts'
import { boundReads } from './bounds/bound-reads.ts'
import { absentTokens } from './plugins/absent-tokens.ts'
import { activityRoute } from './routes/activity.ts'
import { eachEarningRoute } from './routes/each-earning.ts'
import { earningsRoute } from './routes/earnings.ts'
import { eventsRoute } from './routes/events.ts'
import { excerptsRoute } from './routes/excerpts.ts'
import { historyRoute } from './routes/history.ts'
import { type CheckIntegrity, integrityRoute } from './routes/integrity.ts'
import { lineageRoute } from './routes/lineage.ts'
import { listingsRoute } from './routes/listings.ts'
import { mcpRoute } from './routes/mcp.ts'
import { ratingsRoute } from './routes/ratings.ts'
import { rentalsRoute } from './routes/rentals.ts'
import { titlesRoute } from './routes/titles.ts'
import { tokensRoute } from './routes/tokens.ts'
import { nameNewestEvent } from './streams/name-newest-event.ts'

/** The parts behind the routes that read many tokens. */
export type Browsing = {
  readonly catalogue: Catalogue
  readonly clock: Clock
  /** Checks the sealed bytes of a token. */
  readonly integrity: CheckIntegrity
  /** The limits and the heartbeat of the event streams. */
  readonly streams?: eventsRoute.Options | undefined
}

/** The parts that rate; without them there is no `/api/memory/:tokenId/ratings`. */
export type RatingParts = Pick<ratingsRoute.Parts, 'clock' | 'ledger' | 'ratings' | 'catchUp'>

type Parts = Browsing &
  Pick<ratingsRoute.Parts, 'gate' | 'deployment'> & {
    readonly service: Pick<MemoryService, 'provenance'>
    readonly rating?: RatingParts | undefined
  }

/** Registers the routes that read many tokens. */
export function browsingRoutes(
  server: FastifyInstance,
  { rating, ...parts }: Parts,
  { streamsPerClient: maxPerClient = 0, mcpPerClient = 0 }: Partial<Bounds>,
): void {
  const { catalogue, integrity, streams } = parts
  server.register(async (reads) => {
    boundReads(reads)
    absentTokens(reads, parts.service)
    nameNewestEvent(reads, catalogue)
    reads.register(listingsRoute(catalogue))
    reads.register(tokensRoute(catalogue))
    reads.register(titlesRoute(catalogue))
    reads.register(lineageRoute(catalogue))
    reads.register(historyRoute(catalogue))
    reads.register(rentalsRoute(parts))
    reads.register(activityRoute(catalogue))
    reads.register(eachEarningRoute(catalogue))
    reads.register(excerptsRoute(catalogue))
    if (rating !== undefined) reads.register(ratingsRoute({ ...parts, ...rating }))
  })
  server.register(integrityRoute(integrity))
  server.register(earningsRoute(catalogue))
  server.register(eventsRoute(parts, { maxPerClient, ...streams }))
  server.register(mcpRoute({ maxPerClient: mcpPerClient }))
}
