import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { tableOf, withTable } from './report.ts'
import { type Result, type Results, resultOf, type Scene, verdictOf } from './figure.ts'
import { catalogue } from './benchmarks/catalogue.ts'
import { groupCommit } from './benchmarks/group-commit.ts'
import { large, memory } from './benchmarks/large.ts'
import { market } from './benchmarks/market.ts'
import { reads } from './benchmarks/reads.ts'
import { remote } from './benchmarks/remote.ts'
import { growth, snapshotRates } from './benchmarks/snapshots.ts'
import { start } from './benchmarks/start.ts'

// Each figure is a ratio to a yardstick of the same run. The two take turns, so that a busy machine
// slows both. With ids as arguments only the scenes that measure those are played, and nothing is
// written down.

const rounds = 5
const scenes: readonly Scene[] = [
  ...[reads, remote, snapshotRates, groupCommit],
  ...[large, memory, start, growth, catalogue, market],
]
const path = (name: string) => join(import.meta.dirname, name)

async function play({ figures, measure }: Scene): Promise<readonly Result[]> {
  process.stderr.write(`${figures.map(({ id }) => id).join(', ')} …\n`)
  const measured = await measure(rounds)
  return figures.map((figure) => rounded(resultOf(figure, measured[figure.id] ?? [])))
}

function rounded(result: Result): Result {
  const short = (value: number) => Number(value.toPrecision(4))
  const [low, high] = result.band
  const { ratio, value, yardstick } = result
  return {
    ...result,
    ...{ ratio: short(ratio), band: [short(low), short(high)] },
    ...{ value: short(value), yardstick: short(yardstick) },
  }
}

/** What the figures are measured with. */
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

const wanted = process.argv.slice(2)
const figures: Result[] = []
for (const scene of scenes) {
  const ids = scene.figures.map(({ id }) => id)
  if (wanted.length === 0 || ids.some((id) => wanted.includes(id))) {
    figures.push(...(await play(scene)))
  }
}
const results = { machine: machine(), figures }
process.stdout.write(`${tableOf(results)}\n`)
if (wanted.length === 0) {
  writeFileSync(path('results.json'), `${JSON.stringify(results, undefined, 2)}\n`)
  const document = path('../docs/performance.md')
  writeFileSync(document, withTable(readFileSync(document, 'utf8'), results))
}
if (figures.some((result) => verdictOf(result) === 'missed')) process.exitCode = 1
