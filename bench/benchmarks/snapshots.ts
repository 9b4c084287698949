import type { Benchmark, Figure, Round } from '../figure.ts'
import { type Child, startChild } from '../parts/child.ts'
import type { CountRequest, CountResponse } from '../parts/counted-server.ts'
import { type Load, type Measured, startLoad } from '../parts/load.ts'
import { snapshots } from '../parts/requests.ts'
import { newServerFolder, startServer } from '../parts/server.ts'

const concurrency = 32
const perRound = { concurrent: 640, sequential: 100, bare: 300 }
const filled = { little: 1_000, much: 50_000 }

const ofMints = {
  against: 'sequential signed mints on the bare embedded chain',
  unit: 'snapshots/s',
  better: 'higher',
} as const

const figures: readonly Figure[] = [
  { id: 'M3', what: 'snapshots of 2 KB, 32 at once', ...ofMints, must: 0.6, aim: 1.2 },
  { id: 'M3b', what: 'snapshots of 2 KB, one at a time', ...ofMints, must: 0.15, aim: 0.3 },
]

/** Mints a second, and the processor time of the event loop for each, in milliseconds. */
type BareMints = { readonly rate: number; readonly processor: number }
type Bare = Child<{ readonly count: number }, BareMints>

/** Measures snapshots of small memories, on a chain as full as the yardstick's. */
export const snapshotRates: Benchmark = {
  figures,
  measure: async (rounds) => {
    const folder = newServerFolder()
    const server = await startServer(folder)
    const [load, bare]: [Child<Load, Measured>, Bare] = [
      await startLoad(),
      await startChild('bare-chain.ts'),
    ]
    const rate = ratesAt(load, server.url)
    await rate(concurrency, perRound.concurrent)
    await bare.ask({ count: perRound.bare })
    const measured: Record<string, Round[]> = { M3: [], M3b: [] }
    for (let round = 0; round < rounds; round++) {
      const { rate: before } = await bare.ask({ count: perRound.bare })
      measured.M3?.push({ value: await rate(concurrency, perRound.concurrent), yardstick: before })
      const { rate: between } = await bare.ask({ count: perRound.bare })
      measured.M3b?.push({ value: await rate(1, perRound.sequential), yardstick: between })
    }
    await Promise.all([load.stop(), bare.stop(), server.stop()])
    folder.remove()
    return measured
  },
}

const atMost = { better: 'lower', must: 1.05, aim: 1 } as const

const costs: readonly Figure[] = [
  {
    id: 'W1',
    what: 'statements of a snapshot alone, of jobs and catalogue',
    against: 'at most 15',
    unit: 'statements',
    ...atMost,
  },
  {
    id: 'W2',
    what: 'its transactions',
    against: 'at most 2.25',
    unit: 'transactions',
    ...atMost,
  },
  {
    id: 'W3',
    what: 'bytes that it writes, all told, for 2 KB',
    against: 'at most 60,000',
    unit: 'bytes',
    better: 'lower',
    must: 1.1,
    aim: 0.8,
  },
  {
    id: 'W4',
    what: 'its processor time on the event loop',
    against: 'that of a signed mint on the bare embedded chain',
    unit: 'ms',
    better: 'lower',
    must: 30,
    aim: 15,
  },
]

/** Counts what a snapshot costs that is alone, so that no statement and no byte creeps in. */
export const snapshotCosts: Benchmark = {
  figures: costs,
  measure: async (rounds) => {
    const folder = newServerFolder()
    const [load, bare]: [Child<Load, Measured>, Bare] = [
      await startLoad(),
      await startChild('bare-chain.ts'),
    ]
    const server = await startChild<CountRequest, CountResponse>('counted-server.ts')
    const started = await server.ask({ kind: 'start', folder: folder.folder })
    const rate = ratesAt(load, 'url' in started ? started.url : '')
    await rate(1, 3 * perRound.sequential)
    await bare.ask({ count: perRound.bare })
    const measured: Record<string, Round[]> = { W1: [], W2: [], W3: [], W4: [] }
    for (let round = 0; round < rounds; round++) {
      const { processor: yardstick } = await bare.ask({ count: perRound.bare })
      await server.ask({ kind: 'report' })
      await rate(1, perRound.sequential)
      const cost = costOf(await server.ask({ kind: 'report' }))
      measured.W1?.push({ value: cost.statements, yardstick: 15 })
      measured.W2?.push({ value: cost.transactions, yardstick: 2.25 })
      measured.W3?.push({ value: cost.written, yardstick: 60_000 })
      measured.W4?.push({ value: cost.processor, yardstick })
    }
    await Promise.all([load.stop(), bare.stop(), server.stop()])
    folder.remove()
    return measured
  },
}

/** Returns what was counted, for each snapshot. */
function costOf(counted: CountResponse) {
  if ('url' in counted) throw new Error('A report was expected.')
  const each = (sum: number) => sum / perRound.sequential
  const own = counted.statements.filter(({ file }) => /^(jobs|catalogue)\./.test(file))
  return {
    statements: each(own.length),
    transactions: each(own.filter(({ text }) => text === 'begin').length),
    written: each(counted.written),
    processor: each(counted.processor),
  }
}

/** Measures snapshots on a server with many tokens and as many finished jobs. */
export const growth: Benchmark = {
  figures: [
    {
      id: 'M8',
      what: 'snapshots of 2 KB at 50,000 tokens',
      against: 'at 1,000 tokens',
      unit: 'snapshots/s',
      better: 'higher',
      must: 0.8,
      aim: 0.95,
    },
  ],
  measure: async (rounds) => {
    const [small, large] = [newServerFolder(), newServerFolder()]
    const [few, many] = [await startServer(small), await startServer(large)]
    const load = await startLoad()
    const [atFew, atMany] = [ratesAt(load, few.url), ratesAt(load, many.url)]
    await atFew(concurrency, filled.little)
    // In portions, so that the requests do not fill the memory of the machine.
    for (let made = 0; made < filled.much; made += 5_000) await atMany(200, 5_000)
    const measured: Round[] = []
    for (let round = 0; round < rounds; round++) {
      const yardstick = await atFew(concurrency, perRound.concurrent)
      measured.push({ value: await atMany(concurrency, perRound.concurrent), yardstick })
    }
    await Promise.all([load.stop(), few.stop(), many.stop()])
    for (const folder of [small, large]) folder.remove()
    return { M8: measured }
  },
}

let made = 0

/**
 * Returns a function that makes snapshots of different memories and returns their rate per second.
 */
function ratesAt(load: Child<Load, Measured>, url: string) {
  return async (connections: number, count: number): Promise<number> => {
    const requests = snapshots(count, `snapshots ${made++}`)
    return (await load.ask({ url, connections, requests })).rate
  }
}
