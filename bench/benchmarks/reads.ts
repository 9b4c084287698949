import type { Figure, Round, Scene } from '../figure.ts'
import { type Child, startChild } from '../parts/child.ts'
import { type Load, type Measured, type Sent, startLoad } from '../parts/load.ts'
import { download, snapshots, uniform } from '../parts/requests.ts'
import { newSite, type Site, startServer } from '../parts/server.ts'

const connections = 32
const seconds = 2
const awake = true
/** How often everything is read before it is measured: code gets fast by being used. */
const rehearsals = 4
const tokens = 10_000
const downloads = 6_000

const ofHello = { against: 'bare Fastify hello', unit: 'requests/s', better: 'higher' } as const

const figures: readonly Figure[] = [
  {
    ...{ id: 'M1', what: 'gated download of 2 KB, each with its own signature', ...ofHello },
    ...{ must: 0.12, aim: 0.2 },
  },
  {
    ...{ id: 'M1b', what: 'the same, signature seen before', ...ofHello },
    ...{ must: 0.3, aim: 0.5 },
  },
  {
    ...{ id: 'M2', what: 'token info, 10,000 tokens', ...ofHello },
    ...{ must: 0.5, aim: 0.8 },
  },
  {
    ...{ id: 'M2b', what: 'listing, 10,000 tokens', ...ofHello },
    ...{ must: 0.5, aim: 0.8 },
  },
]

type Stage = {
  readonly load: Child<Load, Measured>
  readonly site: Site
  readonly url: string
  readonly hello: string
}

/** What can be read of small memories, on the embedded chain. */
export const reads: Scene = {
  figures,
  measure: async (rounds) => {
    const site = newSite()
    const server = await startServer(site)
    const [load, hello] = [await startLoad(), await startChild<object, string>('hello.ts')]
    const stage = { load, site, url: server.url, hello: await hello.ask({}) }
    await load.ask({ url: stage.url, connections, requests: snapshots(tokens, 'reads') })
    const measured = await inTurns(stage, rounds)
    await Promise.all([load.stop(), hello.stop(), server.stop()])
    site.remove()
    return measured
  },
}

async function inTurns(stage: Stage, rounds: number): Promise<Record<string, readonly Round[]>> {
  const ids = uniform(20_000, tokens)
  const get = (path: (id: number) => string) =>
    ids.map((id): Sent => ({ method: 'GET', path: path(id) }))
  const acts = {
    M1: () => distinct(stage, downloads),
    M1b: () => repeated(stage),
    M2: () =>
      steady(
        stage,
        get((id) => `/api/memory/${id}/info`),
      ),
    M2b: () =>
      steady(
        stage,
        get((id) => `/api/marketplace/listings/${id}`),
      ),
  }
  const hello = () => steady({ ...stage, url: stage.hello }, [{ method: 'GET', path: '/' }])
  for (let turn = 0; turn < rehearsals; turn++) {
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

async function steady({ load, url }: Stage, requests: readonly Sent[]): Promise<number> {
  const shared = requests.length < connections ? Array(connections).fill(requests[0]) : requests
  return (await load.ask({ url, connections, requests: shared, seconds, awake })).rate
}

/** Downloads memories, each request with a signature that was never seen before. */
async function distinct({ load, site, url }: Stage, count: number): Promise<number> {
  const wanted = uniform(tokens, tokens).slice(0, count)
  const timestamp = fresh()
  const requests = await Promise.all(
    wanted.map((tokenId) => download(site.wallet, { tokenId, timestamp })),
  )
  return (await load.ask({ url, connections, requests, awake })).rate
}

async function repeated({ load, site, url }: Stage): Promise<number> {
  const wanted = uniform(500, tokens)
  const requests = await Promise.all(wanted.map((tokenId) => download(site.wallet, { tokenId })))
  await load.ask({ url, connections, requests })
  return (await load.ask({ url, connections, requests, seconds, awake })).rate
}

let last = 0

/** Returns a second that no earlier call returned, so that the challenges of two rounds differ. */
function fresh(): number {
  last = Math.max(last + 1, Math.floor(Date.now() / 1000))
  return last
}
