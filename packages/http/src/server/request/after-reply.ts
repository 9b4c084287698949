import type { FastifyReply } from 'fastify'

/**
 * Runs an act once a reply was sent or its connection is closed; at once where it was closed before,
 * since no event follows then.
 */
export function afterReply({ raw }: FastifyReply, act: () => void): void {
  if (raw.destroyed) act()
  else raw.once('finish', act).once('close', act)
}
