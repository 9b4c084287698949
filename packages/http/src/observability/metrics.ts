import type { NodeStatus } from '@heirloom/adapters/internal/nodes'
import type { LaneEvent } from '@heirloom/adapters/ledger'
import type { KeyServiceEvent } from '@heirloom/adapters/signer'
import type { CopyCount, PeerStorage, Wei } from '@heirloom/core'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { version } from '../api/version.ts'
import { commit } from '../build-commit.ts'
import { type ClockDifference, clockMeters } from './clock-meters.ts'
import { copyMeters } from './copy-meters.ts'
import { type EventMeters, eventMeters } from './event-meters.ts'
import { ledgerMeters } from './ledger-meters.ts'
import { memoryMeters } from './memory-meters.ts'
import { nodeMeters } from './node-meters.ts'
import { type PackCount, type PackSweepResult, packMeters } from './pack-meters.ts'
import { sealMeters } from './seal-meters.ts'
import { type Answered, serverMeters } from './server-meters.ts'

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
    readonly lost?: () => memoryMeters.Lost
    /** Compares the clock of this machine with others. */
    readonly clocks?: () => readonly ClockDifference[]
    /** Returns the last count of the copies on other machines, if there are any. */
    readonly copies?: () => CopyCount | undefined
    /** Returns what other machines have stored here, if they may. */
    readonly ofPeers?: () => PeerStorage | undefined
    /** Returns what is known of the nodes of a remote chain. */
    readonly nodes?: (() => readonly NodeStatus[]) | undefined
    /** Counts the memories that were sealed for wallets that mint themselves. */
    readonly seals?: sealMeters.Count
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
  clocks,
  copies,
  ofPeers,
  packs,
  chainCeiling,
  nodes,
  now = () => Date.now(),
  patience = 2000,
}: metrics.Options = {}): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  setBuildInfo(registry)
  setCeiling(registry, chainCeiling)
  const ledger = ledgerMeters(registry, now)
  const server = serverMeters(registry)
  const events = eventMeters(registry)
  const setSeals = sealMeters(registry)
  const setCopies = copyMeters(registry)
  const setClocks = clockMeters(registry)
  const setMemories = memoryMeters(registry)
  const setNodes = nodeMeters(registry)
  const ofPacks = packMeters(registry)
  const { relayed, paidActs } = actCounters(registry)
  const setWallet = async ({ tenant, read, isShared = () => false }: MeteredWallet) => {
    ledger.setShared(isShared(), tenant)
    const state = await withTimeout(read(), patience).catch(() => undefined)
    ledger.setWallet(state, tenant)
  }
  const counted = async <T>(count: (() => Promise<T>) | undefined) =>
    count && withTimeout(count(), patience).catch(() => undefined)
  return {
    ...events,
    observe: ledger.observe,
    answered: server.answered,
    relayed: (labels) => relayed.inc(labels),
    paidActs: (labels) => paidActs.inc(labels),
    collected: ofPacks.collected,
    keyService: keyServiceMeters(registry),
    text: async () => {
      ledger.setHeadAge()
      await Promise.all(wallets().map(setWallet))
      setSeals(await counted(seals))
      ofPacks.set(await counted(packs))
      setCopies(copies?.(), ofPeers?.())
      setClocks(clocks?.() ?? [])
      setMemories(missing?.().memories ?? 0, lost?.())
      setNodes(nodes?.() ?? [])
      return registry.metrics()
    },
    contentType: registry.contentType,
  }
}

/** Adds the counters of what the server does for others' wallets and for clients that pay. */
function actCounters(registry: Registry) {
  const relayed = new Counter({
    registers: [registry],
    name: 'heirloom_relayed_acts_total',
    help: 'Calls signed by other accounts that this server was to relay, by act and by result; a failure has its code',
    labelNames: ['act', 'result'],
  })
  const paidActs = new Counter({
    registers: [registry],
    name: 'heirloom_x402_answers_total',
    help: 'Answers to clients that pay by x402, by act and by result: required, refused, paid, or free where nothing was charged',
    labelNames: ['act', 'result'],
  })
  return { relayed, paidActs }
}

/** Sets the metric that names this build; its value says nothing. */
function setBuildInfo(registry: Registry): void {
  const info = new Gauge({
    registers: [registry],
    name: 'heirloom_build_info',
    help: 'Always 1; its labels are the version of the server, and the commit that it was built from',
    labelNames: ['version', 'commit'],
  })
  info.set({ version: version(), commit: commit ?? 'unknown' }, 1)
}

function setCeiling(registry: Registry, blocks: number | undefined): void {
  const ceiling = new Gauge({
    registers: [registry],
    name: 'heirloom_chain_ceiling_blocks',
    help: 'The blocks up to which the embedded chain suits the memory of this machine; absent for a chain elsewhere',
  })
  if (blocks === undefined) ceiling.remove()
  else ceiling.set(blocks)
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

/** Adds the meter of a key service; returns the function that counts its answers. */
function keyServiceMeters(registry: Registry): (event: KeyServiceEvent) => void {
  const answers = new Histogram({
    registers: [registry],
    name: 'heirloom_key_service_seconds',
    help: 'The time that the key service of AGENT_KEY_SERVICE took for an answer, by what it was asked for; a failure has its code as its result. Nothing where the key is on this machine',
    labelNames: ['operation', 'result'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 5],
  })
  return ({ operation, milliseconds, failure }) =>
    answers.observe({ operation, result: failure?.code ?? 'done' }, milliseconds / 1000)
}
