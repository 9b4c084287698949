import { setTimeout as pause } from 'node:timers/promises'
import { Failure } from '@heirloom/core'

/** The notice that a server is about to stop, so that balancers send it no more requests. */
export type StopNotice = {
  /** Says so, and waits until balancers have seen it. Says nothing where they need no time. */
  readonly give: () => Promise<void>
  /** The check of readiness; absent where no notice is ever given. @throws `service/stopping` */
  readonly check?: () => Promise<void>
}

/** Returns the notice of a server whose balancers need `delay` seconds to see it. */
export function stopNotice(delay: number): StopNotice {
  if (delay === 0) return { give: async () => undefined }
  let isGiven = false
  return {
    give: async () => {
      isGiven = true
      await pause(1000 * delay)
    },
    check: async () => {
      if (isGiven) throw new Failure('service/stopping', {})
    },
  }
}
