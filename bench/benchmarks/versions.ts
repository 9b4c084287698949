import { constants, zstdCompressSync } from 'node:zlib'
import type { Benchmark, Figure, Round } from '../figure.ts'
import { openLine, type Saved } from '../parts/lines.ts'
import { edits, memoryOf, note, notes } from '../parts/notes.ts'

const long = 50_000_000
const short = 10_000_000
const versions = 1_000

/** A thousand versions take minutes; the key of a line decides where it is cut, and so what it stores. */
const lines = 3

/** How many of the thousand versions, those that took longest to open, are opened again. */
const slowVersions = 10

const lower = { unit: 'KB', better: 'lower' } as const

const ofNextVersion: readonly Figure[] = [
  {
    id: 'V1',
    what: 'stored for one note appended to 50 MB',
    ...lower,
    against: 'at most 64 KiB',
    must: 1,
    aim: 0.25,
  },
  {
    id: 'V2',
    what: 'stored for one note before 50 MB',
    ...lower,
    against: 'at most 128 KiB',
    must: 1,
    aim: 0.25,
  },
  {
    id: 'V3',
    what: 'stored for 100 notes changed in 50 MB',
    ...lower,
    against: 'at most 1 MB',
    must: 1,
    aim: 0.75,
  },
  {
    id: 'V4',
    what: 'stored for the first version of 50 MB',
    ...lower,
    against: 'the same compressed as one',
    must: 1.25,
    aim: 1.15,
  },
  {
    id: 'V5',
    what: 'processor time of saving 50 MB with one note appended',
    unit: 'ms',
    better: 'lower',
    against: 'saving the first version',
    must: 0.2,
    aim: 0.15,
  },
]

const ofThousand: readonly Figure[] = [
  {
    id: 'V6',
    what: 'stored for 1,000 versions of 10 MB, a note each',
    ...lower,
    against: 'the first version',
    must: 2,
    aim: 1.8,
  },
  {
    id: 'V7',
    what: 'processor time of opening any version of 1,000',
    unit: 'ms',
    better: 'lower',
    against: 'opening the same saved as a whole',
    must: 1.3,
    aim: 1.1,
  },
]

type Line = Awaited<ReturnType<typeof openLine>>

/** Measures what the next version of a line stores, and how long it takes to save. */
export const nextVersion: Benchmark = {
  figures: ofNextVersion,
  measure: (rounds) => measureTimes(rounds, measureEdits),
}

/** Measures what a thousand versions of a line store, and how long they take to open. */
export const thousandVersions: Benchmark = {
  figures: ofThousand,
  measure: () => measureTimes(lines, measureVersions),
}

async function measureTimes(
  times: number,
  measure: () => Promise<Record<string, Round>>,
): Promise<Record<string, readonly Round[]>> {
  const measured: Record<string, Round[]> = {}
  for (let time = 0; time < times; time++) {
    for (const [id, round] of Object.entries(await measure())) {
      measured[id] = [...(measured[id] ?? []), round]
    }
  }
  return measured
}

const kilobytes = (bytes: number) => bytes / 1000

async function measureEdits(): Promise<Record<string, Round>> {
  const line = await openLine()
  const all = notes(long, 'long')
  const document = memoryOf(all)
  const whole = zstdCompressSync(document, { params: { [constants.ZSTD_c_compressionLevel]: 1 } })
  // The first save of either kind also loads the worker, and compiles what it runs.
  const few = all.slice(0, 2000)
  const loaded = await line.save(memoryOf(few))
  await line.save(memoryOf(edits.append(few)), loaded.digest)
  const first = await line.save(document)
  const after = (changed: readonly string[]) => line.save(memoryOf(changed), first.digest)
  const append = await after(edits.append(all))
  const insert = await after(edits.insert(all))
  const change = await after(edits.change(all))
  await line.close()
  const stored = ({ added }: Saved, yardstick: number): Round => ({
    value: kilobytes(added),
    yardstick: kilobytes(yardstick),
  })
  return {
    V1: stored(append, 65_536),
    V2: stored(insert, 131_072),
    V3: stored(change, 1_000_000),
    V4: stored(first, whole.length),
    V5: { value: append.time, yardstick: first.time },
  }
}

async function measureVersions(): Promise<Record<string, Round>> {
  const line = await openLine()
  const all = [...notes(short, 'short')]
  const added = Array.from({ length: versions - 1 }, (_, at) => note('version', at + 1))
  const documentOf = (version: number) => memoryOf([...all, ...added.slice(0, version)])
  const saved = [await line.save(documentOf(0))]
  for (let version = 1; version < versions; version++) {
    saved.push(await line.save(documentOf(version), saved.at(-1)?.digest))
  }
  const total = saved.reduce((sum, it) => sum + it.added, 0)
  const opened = await slowestToOpen(line, { saved, documentOf })
  await line.close()
  return {
    V6: { value: kilobytes(total), yardstick: kilobytes((saved[0] as Saved).added) },
    V7: opened,
  }
}

type Versions = {
  readonly saved: readonly Saved[]
  readonly documentOf: (version: number) => Buffer
}

/** Opens every version once; compares those that took longest with the same saved as a whole. */
async function slowestToOpen(line: Line, { saved, documentOf }: Versions): Promise<Round> {
  const times: { readonly version: number; readonly time: number }[] = []
  for (const [version, it] of saved.entries()) {
    times.push({ version, time: await processorTime(line, it) })
  }
  const slow = times.toSorted((one, other) => other.time - one.time).slice(0, slowVersions)
  const compared: Round[] = []
  for (const { version } of slow) {
    const whole = await line.save(documentOf(version))
    compared.push(await compareOpening(line, saved[version] as Saved, whole))
  }
  const [slowest] = compared.toSorted((one, other) => ratioOf(other) - ratioOf(one))
  return slowest as Round
}

const ratioOf = ({ value, yardstick }: Round) => value / yardstick

/** Opens a version, and the same document saved as a whole, in turn; returns the least time of each. */
async function compareOpening(line: Line, version: Saved, whole: Saved): Promise<Round> {
  let [value, yardstick] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let turn = 0; turn < 7; turn++) {
    value = Math.min(value, await processorTime(line, version))
    yardstick = Math.min(yardstick, await processorTime(line, whole))
  }
  return { value, yardstick }
}

/** Returns the processor time of opening a version, which other work on the machine disturbs least. */
async function processorTime(line: Line, version: Saved): Promise<number> {
  const before = process.cpuUsage()
  await line.open(version)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
