import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Benchmark, Round } from '../figure.ts'
import type { Child } from '../parts/child.ts'
import { type Load, type Measured, startLoad } from '../parts/load.ts'
import { snapshots } from '../parts/requests.ts'
import { newServerFolder, type ServerFolder, startServer } from '../parts/server.ts'
import { end, spawnCommand } from '../parts/server-process.ts'

const population = 8_000
const connections = 8
const seconds = 6

type Setup = {
  readonly folder: ServerFolder
  readonly url: string
  readonly load: Child<Load, Measured>
}

/** Measures how much a first backup slows the writes of the server down that it saves. */
export const backup: Benchmark = {
  figures: [
    {
      id: 'B1',
      what: 'snapshots a second while a first backup is made',
      against: 'the same without',
      unit: '1/s',
      better: 'higher',
      must: 0.5,
      aim: 0.75,
    },
  ],
  measure: async (rounds) => {
    const folder = newServerFolder()
    const server = await startServer(folder)
    const setup: Setup = { folder, url: server.url, load: await startLoad() }
    await write(setup, { connections: 32, requests: snapshots(population, 'backup') })
    const measured: Round[] = []
    for (let round = 0; round < rounds; round++) {
      measured.push({ yardstick: await writesFor(setup), value: await writesBeside(setup) })
    }
    await Promise.all([setup.load.stop(), server.stop()])
    folder.remove()
    return { B1: measured }
  },
}

let written = 0

const writesFor = (setup: Setup): Promise<number> =>
  write(setup, { connections, seconds, requests: snapshots(2_000, `more ${written++}`) })

async function write({ load, url }: Setup, rest: Omit<Load, 'url'>): Promise<number> {
  return (await load.ask({ url, ...rest })).rate
}

/** Returns the rate of writes during the first seconds of a backup, which it then ends. */
async function writesBeside(setup: Setup): Promise<number> {
  const place = mkdtempSync(join(tmpdir(), 'heirloom-bench-backup-'))
  const words = ['backup', place]
  const child = spawnCommand({ environment: setup.folder.environment, words })
  try {
    const rate = await writesFor(setup)
    if (child.exitCode !== null)
      throw new Error(`The backup ended with ${child.exitCode} before the writes did.`)
    return rate
  } finally {
    if (child.exitCode === null) await end(child)
    rmSync(place, { recursive: true })
  }
}
