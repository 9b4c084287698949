import type { KeyServiceEvent } from '@heirloom/adapters/signer'
import type { FailureCode } from '@heirloom/core'
import type { FastifyBaseLogger } from 'fastify'

/** Logs once that the key service of the agent wallet failed, and once that it is back. */
export type KeyServiceWatch = {
  readonly observe: (event: KeyServiceEvent) => void
  /** Passes all events on from now on. */
  readonly pass: (to: (event: KeyServiceEvent) => void) => void
}

/** Opens the watch of a key service; it logs nothing until there is a log. */
export function keyServiceWatch(
  logger: () => Pick<FastifyBaseLogger, 'warn' | 'info'> | undefined,
): KeyServiceWatch {
  let logged: FailureCode | undefined
  let pass: ((event: KeyServiceEvent) => void) | undefined
  return {
    observe: (event) => {
      pass?.(event)
      const [log, { failure }] = [logger(), event]
      if (log === undefined || failure?.code === logged) return
      logged = failure?.code
      if (failure === undefined) log.info('the key service answers again')
      else log.warn({ err: failure }, 'the key service fails; this is logged again once it answers')
    },
    pass: (to) => {
      pass = to
    },
  }
}
