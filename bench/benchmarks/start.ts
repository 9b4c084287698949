import type { Hex } from 'viem'
import type { Benchmark, Figure, Round } from '../figure.ts'
import { type Child, startChild } from '../parts/child.ts'
import type { History } from '../parts/history.ts'
import type { Memory } from '../parts/mints.ts'
import { newServerFolder, type ServerFolder, startServer } from '../parts/server.ts'
import type { StartRequest, StartTimes } from '../parts/start-timer.ts'

const journaled = 10_000

const ofNode = { against: '`node -e 0`', unit: 'ms', better: 'lower' } as const

const figures: readonly Figure[] = [
  { id: 'M9', what: 'start to first answer, empty folder', ...ofNode, must: 15, aim: 8 },
  {
    id: 'M9b',
    what: 'the same, 10,000 transactions in the journal',
    ...ofNode,
    must: 150,
    aim: 60,
  },
  {
    id: 'M9c',
    what: 'start until every part is ready, empty folder',
    ...ofNode,
    must: 20,
    aim: 10,
  },
  {
    id: 'M9d',
    what: 'the same, 10,000 transactions in the journal',
    ...ofNode,
    must: 300,
    aim: 150,
  },
]

type Setup = { readonly starts: Child<StartRequest, StartTimes>; readonly full: ServerFolder }

/** Measures the start of a server. */
export const start: Benchmark = {
  figures,
  measure: async (rounds) => {
    const full = newServerFolder()
    await fill(full)
    const setup = { full, starts: await startChild<StartRequest, StartTimes>('start-timer.ts') }
    const measured: Record<string, Round[]> = { M9: [], M9b: [], M9c: [], M9d: [] }
    await startFull(setup)
    for (let round = 0; round < rounds; round++) {
      const [forEmpty, empty] = [await yardstick(setup), await startEmpty(setup)]
      const [forFull, later] = [await yardstick(setup), await startFull(setup)]
      if (later.tokens === 0) throw new Error('The first response has no token.')
      measured.M9?.push({ yardstick: forEmpty, value: empty.answered })
      measured.M9b?.push({ yardstick: forFull, value: later.answered })
      measured.M9c?.push({ yardstick: forEmpty, value: empty.ready })
      measured.M9d?.push({ yardstick: forFull, value: later.ready })
    }
    await setup.starts.stop()
    full.remove()
    return measured
  },
}

const yardstick = async ({ starts }: Setup): Promise<number> =>
  (await starts.ask({ environment: undefined })).answered

const startFull = ({ starts, full: { environment } }: Setup): Promise<StartTimes> =>
  starts.ask({ environment })

async function startEmpty({ starts }: Setup): Promise<StartTimes> {
  const folder = newServerFolder()
  const times = await starts.ask({ environment: folder.environment })
  folder.remove()
  return times
}

/** Fills the folder of a stopped server with a history that its catalogue has indexed. */
async function fill({ folder, key, environment }: ServerFolder): Promise<void> {
  const server = await startServer({ environment })
  // A server is not ready while memories of its wallet are missing.
  const memory = await storeMemory(server.url)
  await server.stop()
  const historian = await startChild<History, number>('history.ts')
  await historian.ask({ folder, key, mints: journaled, memory })
  await historian.stop()
  const reader = await startServer({ environment })
  await waitForCatalogue(reader.url)
  await reader.stop()
}

/** Takes a snapshot, and returns the hashes of its memory. */
async function storeMemory(url: string): Promise<Memory> {
  const response = await fetch(`${url}/api/memory/snapshot`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data: { learned: 1 }, metadata: { category: 'research' } }),
  })
  const { contentHash, storageUri } = (await response.json()) as Snapshot
  return { contentHash, digest: `0x${storageUri.slice(-64)}` }
}

type Snapshot = { readonly contentHash: Hex; readonly storageUri: string }

/** Waits until the catalogue has the last token. */
async function waitForCatalogue(url: string): Promise<void> {
  while (!(await fetch(`${url}/api/memory/${journaled}/history`)).ok);
}
