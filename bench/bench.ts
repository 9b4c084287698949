import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
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
import { growth, snapshotRates } from './benchmarks/snapshots.ts'
import { start } from './benchmarks/start.ts'
import { nextVersion, thousandVersions } from './benchmarks/versions.ts'
import { type Benchmark, type Result, type Results, resultOf, verdictOf } from './figure.ts'
import { replaceTable, tableOf } from './report.ts'

// Each figure is a ratio to a yardstick of the same run. Both are measured in turn, so that a busy
// machine slows both. With ids as arguments only the benchmarks of these figures run, and the
// results are not saved.

const rounds = 5
const benchmarks: readonly Benchmark[] = [
  ...[reads, remote, remoteWrites, snapshotRates, groupCommit],
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

async function run({ figures, measure }: Benchmark): Promise<readonly Result[]> {
  process.stderr.write(`${figures.map(({ id }) => id).join(', ')} …\n`)
  const measured = await measure(rounds)
  const results = figures.map((figure) => round(resultOf(figure, measured[figure.id] ?? [])))
  for (const { id, ratio } of results) process.stderr.write(`${id} ${ratio}\n`)
  return results
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

const selected = process.argv.slice(2)
const figures: Result[] = []
for (const benchmark of benchmarks) {
  const ids = benchmark.figures.map(({ id }) => id)
  if (selected.length === 0 || ids.some((id) => selected.includes(id))) {
    figures.push(...(await run(benchmark)))
  }
}
const results = { machine: machine(), figures }
process.stdout.write(`${tableOf(results)}\n`)
if (selected.length === 0) {
  writeFileSync(path('results.json'), `${JSON.stringify(results, undefined, 2)}\n`)
  const document = path('../docs/performance.md')
  writeFileSync(document, replaceTable(readFileSync(document, 'utf8'), results))
}
if (figures.some((result) => verdictOf(result) === 'missed')) process.exitCode = 1
