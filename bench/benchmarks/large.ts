import { createCipheriv, createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import type { Benchmark, Figure, Round } from '../figure.ts'
import { bundle } from '../parts/bundles.ts'
import type { Child } from '../parts/child.ts'
import { type Load, type LoadRequest, type Measured, startLoad } from '../parts/load.ts'
import { edits, memoryOf, notes } from '../parts/notes.ts'
import { download, snapshot, snapshots, uniform } from '../parts/requests.ts'
import { newServerFolder, type Server, type ServerFolder, startServer } from '../parts/server.ts'

const size = 10_000_000
const atOnce = 2
const perRound = { up: 4, down: 20 }

const ofNative = {
  against: 'sha256 and chacha20-poly1305 of the same bytes, native',
  unit: 'MB/s',
  better: 'higher',
} as const

const figures: readonly Figure[] = [
  { id: 'M4', what: 'snapshots of 10 MB, two at once', ...ofNative, must: 0.12, aim: 0.25 },
  { id: 'M5', what: 'downloads of 10 MB, two at once', ...ofNative, must: 0.45, aim: 0.65 },
  {
    id: 'M6',
    what: 'p99 of info while 10 MB snapshots stream in',
    against: 'p99 alone',
    unit: 'ms',
    better: 'lower',
    must: 5,
    aim: 2,
  },
]

type Setup = {
  readonly load: Child<Load, Measured>
  readonly other: Child<Load, Measured>
  readonly folder: ServerFolder
  readonly server: Server
  readonly body: Buffer
}

/** Measures memories of 10 MB, and their effect on other requests. */
export const large: Benchmark = {
  figures,
  measure: async (rounds) => {
    const folder = newServerFolder()
    const setup: Setup = {
      folder,
      server: await startServer(folder),
      body: bundle(size, 'large'),
      load: await startLoad(),
      other: await startLoad(),
    }
    const small = { url: setup.server.url, connections: 32, requests: snapshots(1_000, 'large') }
    await setup.load.ask(small)
    await upload(setup)
    const measured: Record<string, Round[]> = { M4: [], M5: [], M6: [] }
    for (let round = 0; round < rounds; round++) {
      measured.M4?.push({ yardstick: native(setup.body), value: await upload(setup) })
      measured.M5?.push({ yardstick: native(setup.body), value: await restore(setup) })
      measured.M6?.push({
        yardstick: await infoLatency(setup),
        value: await disturbedLatency(setup),
      })
    }
    await Promise.all([setup.load.stop(), setup.other.stop(), setup.server.stop()])
    folder.remove()
    return measured
  },
}

function native(bytes: Buffer): number {
  const began = performance.now()
  createHash('sha256').update(bytes).digest()
  const options = { authTagLength: 16 }
  const key = Buffer.alloc(32)
  const cipher = createCipheriv('chacha20-poly1305', key, Buffer.alloc(12), options)
  cipher.update(bytes)
  cipher.final()
  return bytes.length / 1000 / (performance.now() - began)
}

async function upload({ load, server, body }: Setup): Promise<number> {
  const requests = Array(perRound.up).fill(snapshot(body))
  const { rate } = await load.ask({ url: server.url, connections: atOnce, requests })
  return (rate * body.length) / 1e6
}

// The first large memory is the token after the small ones.
async function restore({ load, folder, server, body }: Setup): Promise<number> {
  const requests = Array(perRound.down).fill(await download(folder.wallet, { tokenId: 1_001 }))
  const { rate } = await load.ask({ url: server.url, connections: atOnce, requests })
  return (rate * body.length) / 1e6
}

async function infoLatency({ load, server }: Setup): Promise<number> {
  const requests = uniform(2_000, 1_000).map(
    (id) => ({ method: 'GET', path: `/api/memory/${id}/info` }) as const,
  )
  return (await load.ask({ url: server.url, connections: 16, requests, seconds: 3 })).p99
}

/** Returns the p99 of info while large memories are uploaded one after another. */
async function disturbedLatency(setup: Setup): Promise<number> {
  const requests = [snapshot(setup.body)]
  const streaming = { url: setup.server.url, connections: 1, requests, seconds: 4 }
  const [, p99] = await Promise.all([setup.other.ask(streaming), infoLatency(setup)])
  return p99
}

const huge = 50_000_000

/** Measures the peak memory of a server for a memory of 50 MB. */
export const memory: Benchmark = {
  figures: [
    {
      id: 'M7',
      what: 'peak extra memory of a 50 MB snapshot and its download',
      against: 'size of the bundle',
      unit: 'MB',
      better: 'lower',
      must: 2.5,
      aim: 2,
    },
    {
      id: 'M7b',
      what: 'the same of the next version of a line of 50 MB',
      against: 'size of the bundle',
      unit: 'MB',
      better: 'lower',
      must: 2.5,
      aim: 2,
    },
  ],
  measure: async (rounds) => {
    const body = bundle(huge, 'memory')
    const all = notes(huge, 'memory')
    const versions = [all, edits.append(all)].map((some) => snapshot(namedOf(some)))
    const load = await startLoad()
    const measured: { M7: Round[]; M7b: Round[] } = { M7: [], M7b: [] }
    const yardstick = huge / 1e6
    for (let round = 0; round < rounds; round++) {
      measured.M7.push({ value: await peakOf(load, [], snapshot(body)), yardstick })
      const [first, next] = versions as [LoadRequest, LoadRequest]
      measured.M7b.push({ value: await peakOf(load, [first], next), yardstick })
    }
    await load.stop()
    return measured
  },
}

/** Returns the body that saves notes as the next version of a name. */
const namedOf = (all: readonly string[]) =>
  Buffer.from(`{"name":"bench",${memoryOf(all).toString('latin1').slice(1)}`, 'latin1')

/** Returns the peak of a snapshot and its download, above what the server takes after those before. */
async function peakOf(
  load: Child<Load, Measured>,
  earlier: readonly LoadRequest[],
  wanted: LoadRequest,
): Promise<number> {
  const folder = newServerFolder()
  const { url, pid, stop } = await startServer(folder)
  const small = snapshots(10, 'memory')
  await load.ask({ url, connections: 1, requests: small })
  const before = residentOf(pid, 'VmRSS')
  for (const request of earlier) await load.ask({ url, connections: 1, requests: [request] })
  // Linux tracks the peak resident size of a process; writing 5 here resets it.
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  await load.ask({ url, connections: 1, requests: [wanted] })
  const tokenId = small.length + earlier.length + 1
  const requests = [await download(folder.wallet, { tokenId })]
  await load.ask({ url, connections: 1, requests })
  const peak = residentOf(pid, 'VmHWM')
  await stop()
  folder.remove()
  return peak - before
}

/** Returns a line of a process's status, in megabytes. */
function residentOf(pid: number, line: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const [, kilobytes] = new RegExp(`^${line}:\\s+([0-9]+) kB$`, 'm').exec(status) ?? []
  return (Number(kilobytes) * 1024) / 1e6
}
