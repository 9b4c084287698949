import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Benchmark, Round } from '../figure.ts'
import { type Child, startChild } from '../parts/child.ts'
import { type Load, type Measured, startLoad } from '../parts/load.ts'
import { ordinarySearch, slowestQueries } from '../parts/market-queries.ts'
import type { MarketRequest, MarketResponse } from '../parts/market-server.ts'

const tokens = 60_000
const seconds = 2

type Setup = {
  readonly url: string
  readonly hello: string
  readonly load: Child<Load, Measured>
  readonly other: Child<Load, Measured>
}

/**
 * Measures searches over 60,000 tokens with cards, and the effect of the slowest queries on others.
 */
export const market: Benchmark = {
  figures: [
    {
      id: 'S1',
      what: 'ranked search of a frequent word, 60,000 tokens, 8 at once',
      against: 'bare Fastify hello',
      unit: 'requests/s',
      better: 'higher',
      must: 0.01,
      aim: 0.02,
    },
    {
      id: 'L1',
      what: 'p99 of /livez while 8 clients ask the worst questions',
      against: 'at most 20 ms',
      unit: 'ms',
      better: 'lower',
      must: 1,
      aim: 0.25,
    },
  ],
  measure: async (rounds) => {
    const folder = mkdtempSync(join(tmpdir(), 'heirloom-bench-'))
    const server = await startChild<MarketRequest, MarketResponse>('market-server.ts')
    const hello = await startChild<object, string>('hello.ts')
    const [load, other] = [await startLoad(), await startLoad()]
    const opened = await server.ask({ kind: 'open', folder, tokens })
    if (!('url' in opened)) throw new Error('The market did not open.')
    const setup = { url: opened.url, hello: await hello.ask({}), load, other }
    const measured: Record<string, Round[]> = { S1: [], L1: [] }
    // The first queries read the index from the disk, and may be refused for the time that takes.
    await search(setup, true)
    for (let round = 0; round < rounds; round++) {
      measured.S1?.push({ yardstick: await sayHello(setup), value: await search(setup) })
      measured.L1?.push({ yardstick: 20, value: await latencyUnderAttack(setup) })
    }
    await Promise.all([load, other, hello, server].map((child) => child.stop()))
    rmSync(folder, { recursive: true })
    return measured
  },
}

async function sayHello({ load, hello }: Setup): Promise<number> {
  const requests = Array(8).fill({ method: 'GET', path: '/' })
  return (await load.ask({ url: hello, connections: 8, requests, seconds })).rate
}

async function search({ load, url }: Setup, takesRefusals = false): Promise<number> {
  const requests = Array(8).fill({ method: 'GET', path: ordinarySearch })
  return (await load.ask({ url, connections: 8, requests, seconds, takesRefusals })).rate
}

/**
 * Returns the highest p99 of `/livez` while eight clients send each of the slowest queries in turn.
 */
async function latencyUnderAttack({ load, other, url }: Setup): Promise<number> {
  const all: number[] = []
  for (const path of Object.values(slowestQueries)) {
    const requests = Array(8).fill({ method: 'GET', path })
    const attack = other.ask({ url, connections: 8, requests, seconds, takesRefusals: true })
    const alive = [{ method: 'GET', path: '/livez' } as const]
    const { p99 } = await load.ask({ url, connections: 1, requests: alive, seconds })
    all.push(p99)
    await attack
  }
  return Math.max(...all)
}
