import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Round, Scene } from '../figure.ts'
import { type Child, startChild } from '../parts/child.ts'
import { type Load, type Measured, startLoad } from '../parts/load.ts'
import { ordinarySearch, worstQuestions } from '../parts/market-queries.ts'
import type { MarketAnswer, MarketQuestion } from '../parts/market-server.ts'

const tokens = 60_000
const seconds = 2

type Stage = {
  readonly url: string
  readonly hello: string
  readonly load: Child<Load, Measured>
  readonly other: Child<Load, Measured>
}

/** How a catalogue of 60,000 tokens with cards is searched, and what the worst of it does to others. */
export const market: Scene = {
  figures: [
    {
      ...{ id: 'S1', what: 'ranked search of a frequent word, 60,000 tokens, 8 at once' },
      ...{ against: 'bare Fastify hello', unit: 'requests/s', better: 'higher' },
      ...{ must: 0.003, aim: 0.01 },
    },
    {
      ...{ id: 'L1', what: 'p99 of /livez while 8 clients ask the worst questions' },
      ...{ against: 'at most 20 ms', unit: 'ms', better: 'lower', must: 1, aim: 0.25 },
    },
  ],
  measure: async (rounds) => {
    const folder = mkdtempSync(join(tmpdir(), 'heirloom-bench-'))
    const server = await startChild<MarketQuestion, MarketAnswer>('market-server.ts')
    const hello = await startChild<object, string>('hello.ts')
    const [load, other] = [await startLoad(), await startLoad()]
    const opened = await server.ask({ kind: 'open', folder, tokens })
    if (!('url' in opened)) throw new Error('The market did not open.')
    const stage = { url: opened.url, hello: await hello.ask({}), load, other }
    const measured: Record<string, Round[]> = { S1: [], L1: [] }
    await search(stage)
    for (let round = 0; round < rounds; round++) {
      measured.S1?.push({ yardstick: await greet(stage), value: await search(stage) })
      measured.L1?.push({ yardstick: 20, value: await attacked(stage) })
    }
    await Promise.all([load, other, hello, server].map((child) => child.stop()))
    rmSync(folder, { recursive: true })
    return measured
  },
}

async function greet({ load, hello }: Stage): Promise<number> {
  const requests = Array(8).fill({ method: 'GET', path: '/' })
  return (await load.ask({ url: hello, connections: 8, requests, seconds })).rate
}

async function search({ load, url }: Stage): Promise<number> {
  const requests = Array(8).fill({ method: 'GET', path: ordinarySearch })
  return (await load.ask({ url, connections: 8, requests, seconds })).rate
}

/** Returns the p99 of `/livez` while eight clients ask each of the worst questions: that of the worst. */
async function attacked({ load, other, url }: Stage): Promise<number> {
  const all: number[] = []
  for (const path of Object.values(worstQuestions)) {
    const requests = Array(8).fill({ method: 'GET', path })
    const asking = other.ask({ url, connections: 8, requests, seconds, takesRefusals: true })
    const alive = [{ method: 'GET', path: '/livez' } as const]
    const { p99 } = await load.ask({ url, connections: 1, requests: alive, seconds })
    all.push(p99)
    await asking
  }
  return Math.max(...all)
}
