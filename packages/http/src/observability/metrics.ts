import type { LaneEvent } from '@heirloom/adapters/ledger'
import type { Wei } from '@heirloom/core'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { type EventMeters, eventMeters } from './event-meters.ts'
import { ledgerMeters } from './ledger-meters.ts'
import { type Answered, serverMeters } from './server-meters.ts'

/** What is counted in one server. */
export type Metrics = EventMeters & {
  /** Counts what happens in a lane. */
  observe(event: LaneEvent): void
  /** Counts a request. */
  answered(request: Answered): void
  /** Returns every metric as Prometheus reads it, also while the chain is down. */
  text(): Promise<string>
  readonly contentType: string
}

export declare namespace metrics {
  type Options = {
    /** What the wallet holds and has spent, asked whenever the metrics are read. */
    readonly wallet?: () => Promise<{ readonly balance: Wei; readonly spentToday: Wei }>
    /** Memories that are sealed under keys that are not here. */
    readonly missing?: () => { readonly memories: number }
    /** Milliseconds since 1970. */
    readonly now?: () => number
    /** How long the wallet may take before the metrics are told without it, in milliseconds. */
    readonly patience?: number
  }
}

/** Returns metrics of their own registry, all of which `docs/metrics.md` describes. */
export function metrics({
  wallet,
  missing,
  now = () => Date.now(),
  patience = 2000,
}: metrics.Options = {}): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const ledger = ledgerMeters(registry, now)
  const server = serverMeters(registry)
  const events = eventMeters(registry)
  const withoutKey = new Gauge({
    registers: [registry],
    name: 'heirloom_memories_without_key',
    help: 'Memories that are stored here, as far as they are counted, and sealed under keys that are not',
  })
  const ask = async () => (wallet === undefined ? undefined : soon(wallet(), patience))
  return {
    ...events,
    observe: ledger.observe,
    answered: server.answered,
    text: async () => {
      ledger.look(await ask().catch(() => undefined))
      withoutKey.set(missing?.().memories ?? 0)
      return registry.metrics()
    },
    contentType: registry.contentType,
  }
}

/** Returns what comes in time. */
function soon<T>(answer: Promise<T>, milliseconds: number): Promise<T | undefined> {
  const late = new Promise<undefined>((resolve) => {
    const timer = setTimeout(resolve, milliseconds, undefined)
    const clear = () => clearTimeout(timer)
    answer.then(clear, clear)
  })
  return Promise.race([answer, late])
}
