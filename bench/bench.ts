import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sourceCommit } from '../packages/http/build-commit.ts'
import { backup } from './benchmarks/backup.ts'
import { catalogue } from './benchmarks/catalogue.ts'
import { disk } from './benchmarks/disk.ts'
import { groupCommit } from './benchmarks/group-commit.ts'
import { large, memory } from './benchmarks/large.ts'
import { market } from './benchmarks/market.ts'
import { partsOfMemory } from './benchmarks/parts.ts'
import { reads } from './benchmarks/reads.ts'
import { remote } from './benchmarks/remote.ts'
import { remoteWrites } from './benchmarks/remote-writes.ts'
import { growth, snapshotCosts, snapshotRates } from './benchmarks/snapshots.ts'
import { start } from './benchmarks/start.ts'
import { nextVersion, thousandVersions } from './benchmarks/versions.ts'
import { type Benchmark, type Result, type Results, resultOf, verdictOf } from './figure.ts'
import { replaceTable, tableOf } from './report.ts'

// Each figure is a ratio to a yardstick of the same run. Both are measured in turn, so that a busy
// machine slows both. With ids as arguments only the benchmarks of these figures run, and with --quick
// each plays one round; their results are not saved. A whole run that was stopped keeps what it has, and
// the next one goes on from there.

const { values: options, positionals: selected } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false } },
})
const isWhole = selected.length === 0 && !options.quick
const rounds = options.quick ? 1 : 5
const benchmarks: readonly Benchmark[] = [
  ...[reads, remote, remoteWrites, snapshotRates, snapshotCosts, groupCommit],
  ...[
    large,
    memory,
    start,
    growth,
    catalogue,
    market,
    disk,
    backup,
    nextVersion,
    thousandVersions,
    partsOfMemory,
  ],
]
const path = (name: string) => join(import.meta.dirname, name)

async function run(benchmark: Benchmark, left: number): Promise<readonly Result[]> {
  const { figures, measure } = benchmark
  const what = figures.map(({ id, what }) => `${id} ${what}`).join('; ')
  process.stderr.write(`${what} … ${describeTime(benchmark, left)}\n`)
  const began = performance.now()
  const measured = await measure(rounds)
  const seconds = Math.round((performance.now() - began) / 1000)
  const results = figures.map((figure) => round(resultOf(figure, measured[figure.id] ?? [])))
  for (const { id, ratio } of results) process.stderr.write(`${id} ${ratio}\n`)
  return results.map((it) => ({ ...it, seconds }))
}

/** Returns the seconds that a benchmark took when the results were saved; `undefined` when it is new. */
function secondsOf({ figures }: Benchmark): number | undefined {
  const [first] = figures
  return saved.figures.find(({ id }) => id === first?.id)?.seconds
}

/** Says how long a benchmark took the last time, and how long all that are left did. */
function describeTime(benchmark: Benchmark, left: number): string {
  const seconds = secondsOf(benchmark)
  const here = seconds === undefined ? 'new' : `${seconds} s the last time`
  return `(${here}; all that are left took ${Math.ceil(left / 60)} min)`
}

function round(result: Result): Result {
  const short = (value: number) => Number(value.toPrecision(4))
  const [low, high] = result.band
  const { ratio, value, yardstick } = result
  return {
    ...result,
    ratio: short(ratio),
    band: [short(low), short(high)],
    value: short(value),
    yardstick: short(yardstick),
  }
}

/** Describes the machine of the measurement. */
function machine(): Results['machine'] {
  const text = readFileSync(path('../packages/adapters/package.json'), 'utf8')
  const { '@nomicfoundation/edr': edr } = JSON.parse(text).dependencies
  const processor = `${cpus().length} × ${cpus()[0]?.model}`
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  return {
    processor,
    memory,
    platform: `${process.platform} ${process.arch}`,
    edr,
    node: process.version,
  }
}

/** Returns what a whole run of this code and machine measured before it was stopped. */
function readUnfinished(): readonly Result[] {
  if (!isWhole || !existsSync(unfinished)) return []
  const { of, figures } = JSON.parse(readFileSync(unfinished, 'utf8')) as Unfinished
  // A changed tree has one name whatever the change is.
  if (of !== source || of.includes('-dirty')) return []
  process.stderr.write(
    `Going on after ${figures.length} figures; remove ${unfinished} to begin anew.\n`,
  )
  return figures
}

type Unfinished = { readonly of: string; readonly figures: readonly Result[] }

const saved = JSON.parse(readFileSync(path('results.json'), 'utf8')) as Results
const unfinished = path('unfinished.json')
const source = JSON.stringify([sourceCommit(), machine()])
const figures: Result[] = [...readUnfinished()]
const isDone = ({ figures: all }: Benchmark) =>
  all.every(({ id }) => figures.some((it) => it.id === id))
const isChosen = ({ figures: all }: Benchmark) =>
  selected.length === 0 || all.some(({ id }) => selected.includes(id))
const chosen = benchmarks.filter((it) => isChosen(it) && !isDone(it))
for (const [at, benchmark] of chosen.entries()) {
  const left = chosen.slice(at).reduce((sum, it) => sum + (secondsOf(it) ?? 0), 0)
  figures.push(...(await run(benchmark, left)))
  const kept: Unfinished = { of: source, figures }
  if (isWhole) writeFileSync(unfinished, JSON.stringify(kept))
}
const results = { machine: machine(), figures }
process.stdout.write(`${tableOf(results)}\n`)
if (isWhole) {
  writeFileSync(path('results.json'), `${JSON.stringify(results, undefined, 2)}\n`)
  const document = path('../docs/performance.md')
  writeFileSync(document, replaceTable(readFileSync(document, 'utf8'), results))
  rmSync(unfinished)
}
if (figures.some((result) => verdictOf(result) === 'missed')) process.exitCode = 1
