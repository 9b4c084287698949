import type { NodePool } from '@heirloom/adapters/internal/nodes'
import type { JobStore } from '@heirloom/adapters/job-store'
import type { OpenBlobStore } from '@heirloom/core'
import type { FastifyBaseLogger } from 'fastify'
import type { ClockDifference } from '../../observability/metrics.ts'

/**
 * The difference from which a clock counts as wrong, in seconds: half the age that a proof may have. A
 * server with a wrong clock stays ready: the other clock may be the wrong one, and then all servers
 * would go at once.
 */
export const clockTolerance = 60

export declare namespace clockDifferences {
  type Parts = {
    readonly store: Pick<JobStore, 'isShared' | 'now'>
    readonly blobStore: Pick<OpenBlobStore, 'clockAhead'>
    readonly chain: { readonly nodes: Pick<NodePool, 'newestBlockAt'> | undefined }
    /** The current milliseconds since 1970. */
    readonly now?: () => number
  }
}

/** Returns what compares the clock of this machine with those of other machines, as last seen. */
export function clockDifferences({
  store,
  blobStore,
  chain,
  now = Date.now,
}: clockDifferences.Parts): () => readonly ClockDifference[] {
  return () => {
    const newestAt = chain.nodes?.newestBlockAt()
    const ahead = {
      // A block may be old because no newer one was made, so only a later one shows anything.
      chain: newestAt === undefined ? undefined : Math.min(0, now() - newestAt),
      database: store.isShared ? now() - store.now() : undefined,
      storage: blobStore.clockAhead?.(),
    }
    return Object.entries(ahead).flatMap(([clock, milliseconds]) =>
      milliseconds === undefined
        ? []
        : [{ clock: clock as ClockDifference['clock'], seconds: milliseconds / 1000 }],
    )
  }
}

type Log = Pick<FastifyBaseLogger, 'warn' | 'info'>

const isWrong = ({ seconds }: ClockDifference): boolean => Math.abs(seconds) > clockTolerance

/** Returns a function that logs each clock which begins to differ by too much, and ends to. */
export function clockLog(log: Log) {
  const wrong = new Set<ClockDifference['clock']>()
  const onChange = (difference: ClockDifference) => {
    const { clock } = difference
    const fields = { clock, seconds: Math.round(difference.seconds) }
    if (wrong.delete(clock)) return log.info(fields, 'the clock of this machine agrees again')
    wrong.add(clock)
    log.warn(fields, 'the clock of this machine differs from another')
  }
  return (differences: readonly ClockDifference[]): void =>
    differences.filter((it) => isWrong(it) !== wrong.has(it.clock)).forEach(onChange)
}

/** The interval at which the clocks are compared for the log, in milliseconds. */
const interval = 10_000

/** Logs clocks that differ until the resources are disposed of. */
export function watchClocks(
  log: Log,
  parts: clockDifferences.Parts,
  resources: AsyncDisposableStack,
): void {
  const [differences, logAll] = [clockDifferences(parts), clockLog(log)]
  const timer = setInterval(() => logAll(differences()), interval).unref()
  resources.defer(() => clearInterval(timer))
}
