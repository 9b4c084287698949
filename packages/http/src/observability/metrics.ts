import type { CatalogueEvent } from '@heirloom/adapters/catalogue'
import type { NodeStatus } from '@heirloom/adapters/internal/nodes'
import type { LaneEvent } from '@heirloom/adapters/ledger'
import type { KeyServiceEvent } from '@heirloom/adapters/signer'
import type { WebhookEvent } from '@heirloom/adapters/webhooks'
import type { CopyCount, PeerStorage, Wei } from '@heirloom/core'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { version } from '../api/version.ts'
import { commit } from '../build-commit.ts'
import { ledgerMeters } from './ledger-meters.ts'
import { type Meters, openMeters } from './meters.ts'
import {
  type LostMemories,
  type PackCount,
  type PackSweepResult,
  type SealCounts,
  storageMeters,
} from './storage-meters.ts'

/** The difference of the clock of this machine from another one. */
export type ClockDifference = {
  /** The other clock: of the newest block, of PostgreSQL, or of the bucket. */
  readonly clock: 'chain' | 'database' | 'storage'
  /** The seconds by which the clock of this machine is ahead; below 0 where it is behind. */
  readonly seconds: number
}

/** A request that was answered. */
export type Answered = {
  readonly method: string
  /** The pattern of its route; absent where there was none. */
  readonly route: string | undefined
  readonly status: number
  /** The duration in milliseconds. */
  readonly took: number
  /** The name of its API key. */
  readonly key?: string | undefined
}

/** The metrics of one server. */
export type Metrics = EventMeters & {
  /** Counts an event of the nonce lane of a tenant, or of the server itself. */
  observe(event: LaneEvent, tenant?: string): void
  /** Counts an answered request. */
  answered(request: Answered): void
  /** Counts a relayed act with its result: `done`, or the code of its failure. */
  relayed(act: { readonly act: string; readonly result: string }): void
  /** Counts an answer to a client that pays by x402. */
  paidActs(answer: { readonly act: string; readonly result: string }): void
  /** Counts what a sweep of packs removed. */
  collected(result: PackSweepResult): void
  /** Counts an answer of the key service of the agent wallet. */
  keyService(event: KeyServiceEvent): void
  /** Returns every metric in the text format of Prometheus, also while the chain is down. */
  text(): Promise<string>
  readonly contentType: string
}

/** A wallet with the name of its tenant, which the server itself has none of. */
export type MeteredWallet = {
  readonly tenant: string | undefined
  readonly read: () => Promise<{ readonly balance: Wei; readonly spentToday: Wei }>
  /** Tells whether another program was seen to write with it, so that its writes stopped. */
  readonly isShared?: () => boolean
}

export declare namespace metrics {
  type Options = {
    /** Returns the wallets, which are read whenever the metrics are. */
    readonly wallets?: () => readonly MeteredWallet[]
    /** Returns the number of memories whose keys are missing. */
    readonly missing?: () => { readonly memories: number }
    /** Returns the number of memories of the wallet that are missing here or damaged. */
    readonly lost?: () => LostMemories
    /** Returns whether the store has lost jobs that it had since the start. */
    readonly forgotten?: (() => Promise<boolean>) | undefined
    /** Compares the clock of this machine with others. */
    readonly clocks?: () => readonly ClockDifference[]
    /** Returns the last count of the copies on other machines, if there are any. */
    readonly copies?: () => CopyCount | undefined
    /** Returns what other machines have stored here, if they may. */
    readonly ofPeers?: () => PeerStorage | undefined
    /** Returns what is known of the nodes of a remote chain. */
    readonly nodes?: (() => readonly NodeStatus[]) | undefined
    /** Counts the memories that were sealed for wallets that mint themselves. */
    readonly seals?: (() => Promise<SealCounts>) | undefined
    /** Returns the number of openings of memories that could not be recorded. */
    readonly unrecorded?: () => number
    /** Counts the packs that versions share. */
    readonly packs?: (() => Promise<PackCount>) | undefined
    /** The number of blocks up to which an embedded chain suits this machine; absent for any other. */
    readonly chainCeiling?: number | undefined
    /** The current milliseconds since 1970. */
    readonly now?: () => number
    /** The time after which the metrics are returned without the wallet, in milliseconds. */
    readonly patience?: number
  }
}

/** Returns the metrics of a new registry; `docs/metrics.md` describes them all. */
export function metrics({
  wallets = () => [],
  missing,
  lost,
  seals,
  forgotten,
  clocks,
  copies,
  ofPeers,
  packs,
  unrecorded = () => 0,
  chainCeiling,
  nodes,
  now = () => Date.now(),
  patience = 2000,
}: metrics.Options = {}): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const meters = openMeters(registry)
  setBuild(meters, chainCeiling)
  const ledger = ledgerMeters(meters, now)
  const storage = storageMeters(meters)
  const setWallet = async ({ tenant, read, isShared = () => false }: MeteredWallet) => {
    ledger.setShared(isShared(), tenant)
    const state = await withTimeout(read(), patience).catch(() => undefined)
    ledger.setWallet(state, tenant)
  }
  const counted = async <T>(count: (() => Promise<T>) | undefined) =>
    count && withTimeout(count(), patience).catch(() => undefined)
  return {
    ...eventMeters(meters),
    ...actMeters(meters),
    observe: ledger.observe,
    collected: storage.collected,
    text: async () => {
      ledger.setHeadAge()
      await Promise.all(wallets().map(setWallet))
      storage.setSeals(await counted(seals))
      storage.setPacks(await counted(packs))
      meters.heirloom_jobs_forgotten.set(Number((await counted(forgotten)) ?? 0))
      meters.heirloom_openings_unrecorded.set(unrecorded())
      storage.setCopies(copies?.(), ofPeers?.())
      storage.setMemories(missing?.().memories ?? 0, lost?.())
      setClocks(meters, clocks?.() ?? [])
      for (const node of nodes?.() ?? []) setNode(meters, node)
      return registry.metrics()
    },
    contentType: registry.contentType,
  }
}

/** Returns what counts the answers of this server and those of its key service. */
const actMeters = (
  meters: Meters,
): Pick<Metrics, 'answered' | 'relayed' | 'paidActs' | 'keyService'> => ({
  answered: ({ method, route = 'none', status, took, key }) => {
    const labels = { method, route, status }
    meters.heirloom_http_request_duration_seconds.observe(labels, took / 1000)
    if (key !== undefined) meters.heirloom_api_key_requests_total.inc({ key })
  },
  relayed: (labels) => meters.heirloom_relayed_acts_total.inc(labels),
  paidActs: (labels) => meters.heirloom_x402_answers_total.inc(labels),
  keyService: ({ operation, milliseconds, failure }) => {
    const labels = { operation, result: failure?.code ?? 'done' }
    meters.heirloom_key_service_seconds.observe(labels, milliseconds / 1000)
  },
})

/** Sets the metric that names this build, whose value says nothing, and that of its chain. */
function setBuild(meters: Meters, blocks: number | undefined): void {
  meters.heirloom_build_info.set({ version: version(), commit: commit ?? 'unknown' }, 1)
  const ceiling = meters.heirloom_chain_ceiling_blocks
  if (blocks === undefined) ceiling.remove()
  else ceiling.set(blocks)
}

function setClocks(
  { heirloom_clock_ahead_seconds: ahead }: Meters,
  differences: readonly ClockDifference[],
): void {
  // A clock that is not seen any more says nothing of this one.
  ahead.reset()
  for (const { clock, seconds } of differences) ahead.set({ clock }, seconds)
}

function setNode(meters: Meters, { place: at, state, height, lag }: NodeStatus): void {
  const place = String(at)
  meters.heirloom_node_up.set({ place }, state === 'up' ? 1 : 0)
  if (height !== undefined) meters.heirloom_node_height.set({ place }, height)
  if (lag !== undefined) meters.heirloom_node_lag_blocks.set({ place }, lag)
}

/** Returns the result of a promise, or `undefined` after a timeout. */
function withTimeout<T>(answer: Promise<T>, milliseconds: number): Promise<T | undefined> {
  const late = new Promise<undefined>((resolve) => {
    const timer = setTimeout(resolve, milliseconds, undefined)
    const clear = () => clearTimeout(timer)
    answer.then(clear, clear)
  })
  return Promise.race([answer, late])
}

/** The meters of events, from the chain to the subscribers. */
type EventMeters = {
  readonly catalogue: (event: CatalogueEvent) => void
  readonly webhook: (event: WebhookEvent) => void
  /** Sets the number of open event streams. */
  readonly streams: (open: number) => void
}

/** Returns what sets the meters of events. */
function eventMeters(meters: Meters): EventMeters {
  meters.heirloom_catalogue_lag_blocks.remove()
  const deliveries = meters.heirloom_webhook_deliveries_total
  for (const end of ['delivered', 'failed', 'trouble']) deliveries.inc({ end }, 0)
  return {
    catalogue: (event) => countCatalogueEvent(meters, event),
    webhook: ({ kind }) => deliveries.inc({ end: kind }),
    streams: (open) => meters.heirloom_event_streams.set(open),
  }
}

function countCatalogueEvent(meters: Meters, event: CatalogueEvent): void {
  if (event.kind === 'failed') meters.heirloom_catalogue_errors_total.inc()
  if (event.kind === 'read') meters.heirloom_catalogue_events_total.inc(event.events)
  if (event.kind !== 'stands') return
  const { upTo, head, confirmed, doubt } = event
  meters.heirloom_catalogue_lag_blocks.set(Math.max(0, head - upTo))
  meters.heirloom_catalogue_unconfirmed_blocks.set(Math.max(0, upTo - confirmed))
  const doubtful = doubt === undefined ? 0 : 1 + doubt.to - doubt.from
  meters.heirloom_catalogue_doubtful_blocks.set(doubtful)
}
