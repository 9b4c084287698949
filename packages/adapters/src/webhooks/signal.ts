/** Wakes who waits for it; a ring that nobody waits for wakes the next one who does. */
export type Bell = {
  ring(): void
  /** Returns at the next ring, after so many milliseconds, or when it is stopped. */
  heard(milliseconds: number, stop: AbortSignal): Promise<void>
}

/** Waits for so many milliseconds, or until it is stopped. */
export type Pause = (milliseconds: number, stop: AbortSignal) => Promise<void>

/** Returns a bell that waits as `pause` does. */
export function bell(pause: Pause): Bell {
  let rung = Promise.withResolvers<void>()
  return {
    ring: () => rung.resolve(),
    heard: async (milliseconds, stop) => {
      const enough = new AbortController()
      await Promise.race([
        rung.promise,
        pause(milliseconds, AbortSignal.any([stop, enough.signal])),
      ])
      enough.abort()
      rung = Promise.withResolvers()
    },
  }
}
