import type { Figure, Round, Scene } from '../figure.ts'
import { type Child, startChild } from '../parts/child.ts'
import type { History } from '../parts/history.ts'
import { newSite, type Site, startServer } from '../parts/server.ts'
import type { Started, Starting } from '../parts/start-timer.ts'

const journaled = 10_000

const ofNode = { against: '`node -e 0`', unit: 'ms', better: 'lower' } as const

const figures: readonly Figure[] = [
  { ...{ id: 'M9', what: 'start to first answer, empty folder', ...ofNode }, must: 15, aim: 8 },
  {
    ...{ id: 'M9b', what: 'the same, 10,000 transactions in the journal', ...ofNode },
    ...{ must: 150, aim: 60 },
  },
  {
    ...{ id: 'M9c', what: 'start until every part is ready, empty folder', ...ofNode },
    ...{ must: 20, aim: 10 },
  },
  {
    ...{ id: 'M9d', what: 'the same, 10,000 transactions in the journal', ...ofNode },
    ...{ must: 300, aim: 150 },
  },
]

type Stage = { readonly starts: Child<Starting, Started>; readonly full: Site }

/** How long a server takes to start. */
export const start: Scene = {
  figures,
  measure: async (rounds) => {
    const full = newSite()
    await fill(full)
    const stage = { full, starts: await startChild<Starting, Started>('start-timer.ts') }
    const measured: Record<string, Round[]> = { M9: [], M9b: [], M9c: [], M9d: [] }
    await withHistory(stage)
    for (let round = 0; round < rounds; round++) {
      const [forEmpty, empty] = [await yardstick(stage), await startedEmpty(stage)]
      const [forFull, later] = [await yardstick(stage), await withHistory(stage)]
      if (later.tokens === 0) throw new Error('The first answer told of no token.')
      measured.M9?.push({ yardstick: forEmpty, value: empty.answered })
      measured.M9b?.push({ yardstick: forFull, value: later.answered })
      measured.M9c?.push({ yardstick: forEmpty, value: empty.ready })
      measured.M9d?.push({ yardstick: forFull, value: later.ready })
    }
    await stage.starts.stop()
    full.remove()
    return measured
  },
}

const yardstick = async ({ starts }: Stage): Promise<number> =>
  (await starts.ask({ environment: undefined })).answered

const withHistory = ({ starts, full: { environment } }: Stage): Promise<Started> =>
  starts.ask({ environment })

async function startedEmpty({ starts }: Stage): Promise<Started> {
  const site = newSite()
  const started = await starts.ask({ environment: site.environment })
  site.remove()
  return started
}

/** Gives a server that does not run a history, which its catalogue has read. */
async function fill({ folder, key, environment }: Site): Promise<void> {
  const server = await startServer({ environment })
  await server.stop()
  const historian = await startChild<History, number>('history.ts')
  await historian.ask({ folder, key, mints: journaled })
  await historian.stop()
  const reader = await startServer({ environment })
  await caughtUp(reader.url)
  await reader.stop()
}

/** Waits until the catalogue tells of the last token. */
async function caughtUp(url: string): Promise<void> {
  while (!(await fetch(`${url}/api/memory/${journaled}/history`)).ok);
}
