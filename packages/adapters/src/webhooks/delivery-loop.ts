import type { Catalogue } from '@heirloom/core'
import { type Bell, bell, type Pause } from './signal.ts'
import type { Hook } from './webhook-store.ts'
import { type Left, type TurnParts, turn } from './delivery.ts'

/** The right to deliver, which one process of several has at a time. */
export type Lead = (stop: AbortSignal) => Promise<{
  /** Aborted once another process may have the right. */
  readonly lost: AbortSignal
  release(): Promise<void>
}>

export type RoundParts = TurnParts & {
  readonly catalogue: Pick<Catalogue, 'happened' | 'onChange'>
  readonly lead: Lead
  readonly pause: Pause
}

/** Deliveries that go on until they are closed. */
export type Rounds = {
  /** Tells that a webhook was added. */
  wake(): void
  close(): Promise<void>
}

/** How many webhooks are told something at a time. */
const atOnce = 8

/** How often other processes may have added webhooks, and how long to wait after trouble, in milliseconds. */
const lookEvery = 1000

/** Delivers events to webhooks whenever there are any and this process has the right to. */
export function rounds(parts: RoundParts): Rounds {
  const stop = new AbortController()
  const waking = bell(parts.pause)
  const running = leading(parts, waking, stop.signal)
  return {
    wake: waking.ring,
    close: async () => {
      stop.abort()
      await running
    },
  }
}

async function leading(parts: RoundParts, waking: Bell, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    try {
      const { lost, release } = await parts.lead(stop)
      await delivering(parts, waking, AbortSignal.any([stop, lost])).finally(release)
    } catch (error) {
      if (stop.aborted) return
      parts.observe({ kind: 'trouble', error })
      await parts.pause(lookEvery, stop)
    }
  }
}

async function delivering(parts: RoundParts, waking: Bell, stop: AbortSignal): Promise<void> {
  const rota = rotaOf()
  const end = parts.catalogue.onChange(() => {
    rota.change()
    waking.ring()
  })
  const turns = new Map<string, Promise<void>>()
  try {
    while (!stop.aborted) {
      // A webhook whose turn ends while they are read may be read as it was before that.
      const busy = new Set(turns.keys())
      const hooks = await patiently(parts, { otherwise: [], stop }, parts.hooks.all)
      const now = parts.now()
      const free = hooks.filter((it) => !busy.has(it.id) && rota.isDue(it, now))
      for (const hook of rota.inTurn(free).slice(0, atOnce - turns.size)) {
        const taken = rota.take(hook, () =>
          patiently(parts, { otherwise: 'more', stop }, () => turn(parts, hook, stop)),
        )
        turns.set(
          hook.id,
          taken.finally(() => finish(hook.id)),
        )
      }
      await waking.heard(restUntil(hooks, now), stop)
    }
  } finally {
    end()
    await Promise.all(turns.values())
  }

  function finish(id: string): void {
    turns.delete(id)
    waking.ring()
  }
}

/** Waits a while after trouble with the catalogue or the store, which is no fault of any webhook. */
async function patiently<T>(
  { observe, pause }: RoundParts,
  { otherwise, stop }: { readonly otherwise: T; readonly stop: AbortSignal },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!stop.aborted) observe({ kind: 'trouble', error })
    await pause(lookEvery, stop)
    return otherwise
  }
}

function restUntil(hooks: readonly Hook[], now: number): number {
  const rests = hooks.flatMap(({ failing }) =>
    failing === undefined ? [] : [failing.nextAt - now],
  )
  return Math.min(lookEvery, ...rests.filter((rest) => rest > 0))
}

/** Knows whose turn it is. */
function rotaOf() {
  let change = 0
  let turns = 0
  const lastTurn = new Map<string, number>()
  /** For webhooks that nothing is left to tell, the state of the catalogue in which that was so. */
  const told = new Map<string, number>()
  return {
    /** Tells that there may be something to tell everybody. */
    change: () => {
      change += 1
    },
    isDue: ({ id, failing }: Hook, now: number): boolean =>
      (failing?.nextAt ?? 0) <= now && told.get(id) !== change,
    /** Returns webhooks in their order: who waited longest is the first. */
    inTurn: (hooks: readonly Hook[]): readonly Hook[] =>
      hooks.toSorted((one, other) => (lastTurn.get(one.id) ?? 0) - (lastTurn.get(other.id) ?? 0)),
    take: async ({ id }: Hook, work: () => Promise<Left>): Promise<void> => {
      const before = change
      turns += 1
      lastTurn.set(id, turns)
      if ((await work()) === 'nothing') told.set(id, before)
    },
  }
}
