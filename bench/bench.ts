import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { type Result, reaches, resultOf, type Scene } from './figure.ts'
import { groupCommit } from './scenes/group-commit.ts'
import { large, memory } from './scenes/large.ts'
import { reads } from './scenes/reads.ts'
import { remote } from './scenes/remote.ts'
import { growth, snapshotRates } from './scenes/snapshots.ts'
import { start } from './scenes/start.ts'

// Each figure is a ratio to a yardstick of the same run. The two take turns, so that a busy machine
// slows both. With ids as arguments only the scenes that measure those are played, and nothing is
// written down.

const rounds = 5
const scenes: readonly Scene[] = [
  reads,
  remote,
  snapshotRates,
  groupCommit,
  large,
  memory,
  start,
  growth,
]
const wanted = process.argv.slice(2)

const number = (value: number): string =>
  value.toLocaleString('en', { maximumSignificantDigits: 3, useGrouping: true })

function verdictOf(result: Result): string {
  if (reaches(result, result.aim)) return 'aim'
  return reaches(result, result.must) ? 'must' : 'MISSED'
}

function lineOf(result: Result): string {
  const { id, what, ratio, band, must, aim, medians, unit, yardstick } = result
  const [low, high] = band
  return [
    id.padEnd(4),
    number(ratio).padStart(7),
    `${number(low)}..${number(high)}`.padStart(13),
    `${number(must)} / ${number(aim)}`.padStart(11),
    verdictOf(result).padEnd(6),
    `${number(medians.value)} ${unit} (${what}) to ${number(medians.yardstick)} (${yardstick})`,
  ].join('  ')
}

const heading = ['id  ', '  ratio', '       rounds', ' must / aim', '      ', 'medians'].join('  ')

async function play(scene: Scene): Promise<readonly Result[]> {
  const measured = await scene.measure(rounds)
  const results = scene.figures.map((figure) => resultOf(figure, measured[figure.id] ?? []))
  for (const result of results) process.stdout.write(`${lineOf(result)}\n`)
  return results
}

/** What the figures were measured with. */
function machine() {
  const { dependencies } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../packages/adapters/package.json'), 'utf8'),
  )
  return {
    processor: `${cpus().length} × ${cpus()[0]?.model}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
    edr: dependencies['@nomicfoundation/edr'],
  }
}

function writeDown(results: readonly Result[]): void {
  const rounded = (value: number) => Number(value.toPrecision(4))
  const figures = results.map(({ medians, band, ...result }) => ({
    ...result,
    ratio: rounded(result.ratio),
    band: band.map(rounded),
    value: rounded(medians.value),
    yardstickValue: rounded(medians.yardstick),
  }))
  const text = JSON.stringify({ machine: machine(), figures }, undefined, 2)
  writeFileSync(join(import.meta.dirname, 'results.json'), `${text}\n`)
}

const played = scenes.filter(
  ({ figures }) => wanted.length === 0 || figures.some(({ id }) => wanted.includes(id)),
)
process.stdout.write(`${heading}\n`)
const results: Result[] = []
for (const scene of played) results.push(...(await play(scene)))
if (wanted.length === 0) writeDown(results)
if (!results.every((result) => reaches(result, result.must))) process.exitCode = 1
