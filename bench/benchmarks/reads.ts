import type { Benchmark, Figure, Round } from '../figure.ts'
import { type Child, startChild } from '../parts/child.ts'
import { type Load, type LoadRequest, type Measured, startLoad } from '../parts/load.ts'
import { download, snapshots, uniform } from '../parts/requests.ts'
import { newServerFolder, type ServerFolder, startServer } from '../parts/server.ts'

const connections = 32
const seconds = 2
const awake = true
/** The rounds of each figure, for each one that other figures get: these are short, and vary most. */
const roundsEach = 2
/** The number of warm-up rounds, until the code is compiled. */
const warmUps = 4
const tokens = 10_000
const downloads = 6_000

const ofHello = { against: 'bare Fastify hello', unit: 'requests/s', better: 'higher' } as const

const figures: readonly Figure[] = [
  {
    id: 'M1',
    what: 'gated download of 2 KB, each with its own signature',
    ...ofHello,
    must: 0.12,
    aim: 0.2,
  },
  {
    id: 'M1b',
    what: 'the same, signature seen before',
    ...ofHello,
    must: 0.3,
    aim: 0.5,
  },
  {
    id: 'M2',
    what: 'token info, 10,000 tokens',
    ...ofHello,
    must: 0.5,
    aim: 0.8,
  },
  {
    id: 'M2b',
    what: 'listing, 10,000 tokens',
    ...ofHello,
    must: 0.5,
    aim: 0.8,
  },
]

type Setup = {
  readonly load: Child<Load, Measured>
  readonly folder: ServerFolder
  readonly url: string
  readonly hello: string
}

/** Measures reads of small memories on the embedded chain. */
export const reads: Benchmark = {
  figures,
  measure: async (rounds) => {
    const folder = newServerFolder()
    const server = await startServer(folder)
    const [load, hello] = [await startLoad(), await startChild<object, string>('hello.ts')]
    const setup = { load, folder, url: server.url, hello: await hello.ask({}) }
    await load.ask({ url: setup.url, connections, requests: snapshots(tokens, 'reads') })
    const measured = await measureInTurn(setup, roundsEach * rounds)
    await Promise.all([load.stop(), hello.stop(), server.stop()])
    folder.remove()
    return measured
  },
}

async function measureInTurn(
  setup: Setup,
  rounds: number,
): Promise<Record<string, readonly Round[]>> {
  const ids = uniform(20_000, tokens)
  const get = (path: (id: number) => string) =>
    ids.map((id): LoadRequest => ({ method: 'GET', path: path(id) }))
  const acts = {
    M1: () => downloadOnce(setup, downloads),
    M1b: () => downloadRepeatedly(setup),
    M2: () =>
      steady(
        setup,
        get((id) => `/api/memory/${id}/info`),
      ),
    M2b: () =>
      steady(
        setup,
        get((id) => `/api/marketplace/listings/${id}`),
      ),
  }
  const hello = () => steady({ ...setup, url: setup.hello }, [{ method: 'GET', path: '/' }])
  for (let turn = 0; turn < warmUps; turn++) {
    for (const act of [hello, ...Object.values(acts)]) await act()
  }
  const measured: Record<string, Round[]> = { M1: [], M1b: [], M2: [], M2b: [] }
  for (let round = 0; round < rounds; round++) {
    for (const [id, act] of Object.entries(acts)) {
      const yardstick = await hello()
      measured[id]?.push({ value: await act(), yardstick })
    }
  }
  return measured
}

async function steady({ load, url }: Setup, requests: readonly LoadRequest[]): Promise<number> {
  const shared = requests.length < connections ? Array(connections).fill(requests[0]) : requests
  return (await load.ask({ url, connections, requests: shared, seconds, awake })).rate
}

/** Downloads memories, each request with a new signature. */
async function downloadOnce({ load, folder, url }: Setup, count: number): Promise<number> {
  const ids = uniform(tokens, tokens).slice(0, count)
  const timestamp = newSecond()
  const requests = await Promise.all(
    ids.map((tokenId) => download(folder.wallet, { tokenId, timestamp })),
  )
  return (await load.ask({ url, connections, requests, awake })).rate
}

async function downloadRepeatedly({ load, folder, url }: Setup): Promise<number> {
  const ids = uniform(500, tokens)
  const requests = await Promise.all(ids.map((tokenId) => download(folder.wallet, { tokenId })))
  await load.ask({ url, connections, requests })
  return (await load.ask({ url, connections, requests, seconds, awake })).rate
}

let last = 0

/** Returns a new second at every call, so that the challenges of two rounds differ. */
function newSecond(): number {
  last = Math.max(last + 1, Math.floor(Date.now() / 1000))
  return last
}
