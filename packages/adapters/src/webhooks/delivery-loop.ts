import type { Catalogue } from '@heirloom/core'
import { type Signal, signal, type Timer } from '../platform/signal.ts'
import { type DeliveryContext, deliver, type Remaining } from './delivery.ts'
import type { StoredWebhook } from './webhook-store.ts'

/** Waits for so many milliseconds, or until `stop` is aborted. */
export type Pause = (milliseconds: number, stop: AbortSignal) => Promise<void>

/** Waits for the leadership: of several processes, only the leader delivers. */
export type Lead = (stop: AbortSignal) => Promise<{
  /** Aborted once another process may be the leader. */
  readonly lost: AbortSignal
  release(): Promise<void>
}>

export type DeliveryLoopContext = DeliveryContext & {
  readonly catalogue: Pick<Catalogue, 'eventsAfter' | 'onChange'>
  readonly lead: Lead
  readonly pause: Pause
}

/** Deliveries in the background, until they are closed. */
export type DeliveryLoop = {
  /** Wakes the loop after a webhook was added. */
  wake(): void
  close(): Promise<void>
}

/** The most webhooks that receive events at the same time. */
const concurrency = 8

/** The longest wait before webhooks are read again, and the pause after an error, in milliseconds. */
const interval = 1000

/** Starts to deliver events to webhooks, while this process is the leader. */
export function deliveryLoop(context: DeliveryLoopContext): DeliveryLoop {
  const stop = new AbortController()
  const wakeUp = signal(timerOf(context.pause))
  const running = deliverWhileLeader(context, wakeUp, stop.signal)
  return {
    wake: wakeUp.notify,
    close: async () => {
      stop.abort()
      await running
    },
  }
}

/** Returns a timer that ends with a pause. */
const timerOf =
  (pause: Pause): Timer =>
  (milliseconds = interval, end) => {
    const cancelled = new AbortController()
    void pause(milliseconds, cancelled.signal).then(() => {
      if (!cancelled.signal.aborted) end()
    })
    return () => cancelled.abort()
  }

async function deliverWhileLeader(
  context: DeliveryLoopContext,
  wakeUp: Signal,
  stop: AbortSignal,
): Promise<void> {
  while (!stop.aborted) {
    try {
      const { lost, release } = await context.lead(stop)
      await deliverUntil(context, wakeUp, AbortSignal.any([stop, lost])).finally(release)
    } catch (error) {
      if (stop.aborted) return
      context.observe({ kind: 'trouble', error })
      await context.pause(interval, stop)
    }
  }
}

async function deliverUntil(
  context: DeliveryLoopContext,
  wakeUp: Signal,
  stop: AbortSignal,
): Promise<void> {
  const schedule = newSchedule()
  let hasAny = true
  const unsubscribe = context.catalogue.onChange(() => {
    schedule.onChange()
    // One that another process added is found when they are read next.
    if (hasAny) wakeUp.notify()
  })
  const deliveries = new Map<string, Promise<void>>()
  try {
    while (!stop.aborted) {
      // Taken first: a delivery that ends during the read may have changed a webhook that was read.
      const busy = new Set(deliveries.keys())
      const webhooks = await pauseOnError(context, { otherwise: [], stop }, context.store.all)
      hasAny = webhooks.length > 0
      const now = context.now()
      const due = webhooks.filter((it) => !busy.has(it.id) && schedule.isDue(it, now))
      for (const webhook of schedule.inOrder(due).slice(0, concurrency - deliveries.size)) {
        const delivery = schedule.run(webhook, () =>
          pauseOnError(context, { otherwise: 'more', stop }, () => deliver(context, webhook, stop)),
        )
        deliveries.set(
          webhook.id,
          delivery.finally(() => finish(webhook.id)),
        )
      }
      await wakeUp.wait({ milliseconds: timeToNext(webhooks, now), stop })
    }
  } finally {
    unsubscribe()
    await Promise.all(deliveries.values())
  }

  function finish(id: string): void {
    deliveries.delete(id)
    wakeUp.notify()
  }
}

/** Reports an error of the catalogue or the store, pauses, and returns `otherwise`. */
async function pauseOnError<T>(
  { observe, pause }: DeliveryLoopContext,
  { otherwise, stop }: { readonly otherwise: T; readonly stop: AbortSignal },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!stop.aborted) observe({ kind: 'trouble', error })
    await pause(interval, stop)
    return otherwise
  }
}

function timeToNext(webhooks: readonly StoredWebhook[], now: number): number {
  const times = webhooks.flatMap(({ failing }) =>
    failing === undefined ? [] : [failing.nextAt - now],
  )
  return Math.min(interval, ...times.filter((time) => time > 0))
}

/** Returns a fair schedule: the webhook that waited longest is next. */
function newSchedule() {
  let changes = 0
  let turns = 0
  const lastTurn = new Map<string, number>()
  /** The count of changes at which a webhook was up to date. */
  const upToDateAt = new Map<string, number>()
  return {
    /** Records that there may be new events for every webhook. */
    onChange: () => {
      changes += 1
    },
    isDue: ({ id, failing }: StoredWebhook, now: number): boolean =>
      (failing?.nextAt ?? 0) <= now && upToDateAt.get(id) !== changes,
    inOrder: (webhooks: readonly StoredWebhook[]): readonly StoredWebhook[] =>
      webhooks.toSorted(
        (one, other) => (lastTurn.get(one.id) ?? 0) - (lastTurn.get(other.id) ?? 0),
      ),
    run: async ({ id }: StoredWebhook, work: () => Promise<Remaining>): Promise<void> => {
      const before = changes
      turns += 1
      lastTurn.set(id, turns)
      if ((await work()) === 'nothing') upToDateAt.set(id, before)
    },
  }
}
