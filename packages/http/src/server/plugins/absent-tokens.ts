import { Failure, isFailure, type MemoryService } from '@heirloom/core'
import type { FastifyInstance } from 'fastify'
import { failureReply } from './failure-reply.ts'

/**
 * Asks the chain where the catalogue finds no token: only the chain says that a token does not exist.
 * Routes that are registered afterwards reply `catalogue/behind` where it does.
 */
export function absentTokens(
  reads: FastifyInstance,
  service: Pick<MemoryService, 'provenance'>,
): void {
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
