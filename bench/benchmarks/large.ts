import { createCipheriv, createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import type { Figure, Round, Scene } from '../figure.ts'
import { bundle } from '../parts/bundles.ts'
import type { Child } from '../parts/child.ts'
import { type Load, type Measured, startLoad } from '../parts/load.ts'
import { download, snapshot, snapshots, uniform } from '../parts/requests.ts'
import { newSite, type Server, type Site, startServer } from '../parts/server.ts'

const size = 10_000_000
const atOnce = 2
const perRound = { up: 4, down: 20 }

const ofNative = {
  against: 'sha256 and chacha20-poly1305 of the same bytes, native',
  unit: 'MB/s',
  better: 'higher',
} as const

const figures: readonly Figure[] = [
  { ...{ id: 'M4', what: 'snapshots of 10 MB, two at once', ...ofNative }, must: 0.12, aim: 0.25 },
  { ...{ id: 'M5', what: 'downloads of 10 MB, two at once', ...ofNative }, must: 0.45, aim: 0.65 },
  {
    ...{ id: 'M6', what: 'p99 of info while 10 MB snapshots stream in', against: 'p99 alone' },
    ...{ unit: 'ms', better: 'lower', must: 5, aim: 2 },
  },
]

type Stage = {
  readonly load: Child<Load, Measured>
  readonly other: Child<Load, Measured>
  readonly site: Site
  readonly server: Server
  readonly body: Buffer
}

/** Memories of 10 MB, and what they do to others. */
export const large: Scene = {
  figures,
  measure: async (rounds) => {
    const site = newSite()
    const stage: Stage = {
      ...{ site, server: await startServer(site), body: bundle(size, 'large') },
      ...{ load: await startLoad(), other: await startLoad() },
    }
    const small = { url: stage.server.url, connections: 32, requests: snapshots(1_000, 'large') }
    await stage.load.ask(small)
    await upload(stage)
    const measured: Record<string, Round[]> = { M4: [], M5: [], M6: [] }
    for (let round = 0; round < rounds; round++) {
      measured.M4?.push({ yardstick: native(stage.body), value: await upload(stage) })
      measured.M5?.push({ yardstick: native(stage.body), value: await restore(stage) })
      measured.M6?.push({ yardstick: await patience(stage), value: await disturbed(stage) })
    }
    await Promise.all([stage.load.stop(), stage.other.stop(), stage.server.stop()])
    site.remove()
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

async function upload({ load, server, body }: Stage): Promise<number> {
  const requests = Array(perRound.up).fill(snapshot(body))
  const { rate } = await load.ask({ url: server.url, connections: atOnce, requests })
  return (rate * body.length) / 1e6
}

// The first large memory is the token after the small ones.
async function restore({ load, site, server, body }: Stage): Promise<number> {
  const requests = Array(perRound.down).fill(await download(site.wallet, { tokenId: 1_001 }))
  const { rate } = await load.ask({ url: server.url, connections: atOnce, requests })
  return (rate * body.length) / 1e6
}

async function patience({ load, server }: Stage): Promise<number> {
  const requests = uniform(2_000, 1_000).map(
    (id) => ({ method: 'GET', path: `/api/memory/${id}/info` }) as const,
  )
  return (await load.ask({ url: server.url, connections: 16, requests, seconds: 3 })).p99
}

/** Returns the p99 of info while large memories come in one after another. */
async function disturbed(stage: Stage): Promise<number> {
  const requests = [snapshot(stage.body)]
  const streaming = { url: stage.server.url, connections: 1, requests, seconds: 4 }
  const [, p99] = await Promise.all([stage.other.ask(streaming), patience(stage)])
  return p99
}

const huge = 50_000_000

/** What a memory of 50 MB takes of the machine's. */
export const memory: Scene = {
  figures: [
    {
      ...{ id: 'M7', what: 'peak extra memory of a 50 MB snapshot and its download' },
      ...{ against: 'size of the bundle', unit: 'MB', better: 'lower', must: 4, aim: 2 },
    },
  ],
  measure: async (rounds) => {
    const body = bundle(huge, 'memory')
    const load = await startLoad()
    const measured: Round[] = []
    for (let round = 0; round < rounds; round++) {
      measured.push({ value: await peakOf(load, body), yardstick: body.length / 1e6 })
    }
    await load.stop()
    return { M7: measured }
  },
}

async function peakOf(load: Child<Load, Measured>, body: Buffer): Promise<number> {
  const site = newSite()
  const { url, pid, stop } = await startServer(site)
  await load.ask({ url, connections: 1, requests: snapshots(10, 'memory') })
  // Linux keeps the greatest resident size of a process, and forgets it when 5 is written here.
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  const before = residentOf(pid, 'VmRSS')
  await load.ask({ url, connections: 1, requests: [snapshot(body)] })
  const requests = [await download(site.wallet, { tokenId: 11 })]
  await load.ask({ url, connections: 1, requests })
  const peak = residentOf(pid, 'VmHWM')
  await stop()
  site.remove()
  return peak - before
}

/** Returns a line of a process's status, in megabytes. */
function residentOf(pid: number, line: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const [, kilobytes] = new RegExp(`^${line}:\\s+([0-9]+) kB$`, 'm').exec(status) ?? []
  return (Number(kilobytes) * 1024) / 1e6
}
