import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Benchmark, Round } from '../figure.ts'
import { bundle } from '../parts/bundles.ts'
import { type DiskUse, diskUse, perToken, tableSizes } from '../parts/disk-use.ts'
import { type Load, startLoad } from '../parts/load.ts'
import { snapshot } from '../parts/requests.ts'
import { newServerFolder, type ServerFolder, startServer } from '../parts/server.ts'

/** So many that the small files which wait for the next move, fewer than 256, count little. */
const tokens = 8_000
const memoryLength = 1_300
const goal = 3_000

/** Measures what a small memory takes on the disk, in all parts of a data folder. */
export const disk: Benchmark = {
  figures: [
    {
      id: 'D1',
      what: 'disk for a memory of 1.3 KB with a card, all told',
      against: 'at most 3,000 bytes',
      unit: 'bytes',
      better: 'lower',
      must: 1.5,
      aim: 1,
    },
  ],
  // The figure is no time, and the same in each round.
  measure: async () => {
    const folder = newServerFolder()
    await fill(folder, 32)
    const before = measure(folder)
    await fill(folder, tokens)
    const used = perToken(before.parts, measure(folder).parts, tokens)
    report({ ...used, ...perToken(before.tables, measure(folder).tables, tokens) })
    folder.remove()
    const value = Object.values(used).reduce((sum, bytes) => sum + bytes, 0)
    return { D1: [{ value, yardstick: goal } satisfies Round] }
  },
}

const databases = ['jobs.sqlite', 'chain.sqlite', 'catalogue.sqlite', 'blobs/compacted.sqlite']

type Measurement = { readonly parts: DiskUse; readonly tables: DiskUse }

/** Measures the folder of a stopped server, whose write-ahead logs are empty. */
function measure({ folder }: ServerFolder): Measurement {
  const tables = databases
    .filter((name) => existsSync(join(folder, name)))
    .flatMap((name) =>
      Object.entries(tableSizes(join(folder, name))).map(([table, size]) => [
        `${name} ${table}`,
        size,
      ]),
    )
  return { parts: diskUse(folder), tables: Object.fromEntries(tables) }
}

let made = 0

/** Makes snapshots on a server, waits until its catalogue has them, and stops it. */
async function fill({ environment }: ServerFolder, count: number): Promise<void> {
  const server = await startServer({ environment })
  const load = await startLoad()
  const requests = Array.from({ length: count }, () => snapshot(memoryWithCard(made++)))
  await load.ask({ url: server.url, connections: 32, requests } satisfies Load)
  await load.stop()
  while (!(await fetch(`${server.url}/api/memory/${made}/history`)).ok);
  await server.stop()
}

function memoryWithCard(number: number): Buffer {
  const text = bundle(memoryLength, `disk ${number}`).toString()
  const card = { title: `Notes on research, part ${number}`, tags: ['research', 'notes'] }
  return Buffer.from(`${text.slice(0, -1)},"card":${JSON.stringify(card)}}`)
}

function report(bytes: DiskUse): void {
  const rows = Object.entries(bytes).filter(([, each]) => each >= 1)
  for (const [name, each] of rows) process.stderr.write(`  ${name} ${each.toFixed(0)}\n`)
}
