import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type Load, startLoad } from './parts/load.ts'
import { snapshots } from './parts/requests.ts'
import { newServerFolder, startServer } from './parts/server.ts'
import { end, spawnCommand } from './parts/server-process.ts'

// Prints what backups and restores take as tokens grow, on the embedded chain, where a backup holds
// everything: the first backup, one after 1,000 tokens more, a restore that opens every memory, and
// how much a first backup slows down the writes of the server that it saves.

const tokens = Number(process.argv[2] ?? 60_000)
const more = 1_000
const perStep = Math.min(2_000, tokens)
const rounds = 3
const seconds = 6
const perRound = 6_000

const print = (line: string) => process.stdout.write(`${line}\n`)

const folder = newServerFolder({ MASTER_KEYS: randomBytes(32).toString('hex') })
const work = mkdtempSync(join(tmpdir(), 'heirloom-bench-backup-'))
const place = join(work, 'backup')
const load = await startLoad()
const server = await startServer(folder)

let written = 0
const write = async (rest: Omit<Load, 'url' | 'requests'>, count: number): Promise<number> =>
  (await load.ask({ url: server.url, ...rest, requests: snapshots(count, `${written++}`) })).rate

const start = (...words: readonly string[]) =>
  spawnCommand({ environment: folder.environment, words: [...words, '--json'] })

/** Runs a command to its end; returns what it printed, and its seconds. */
async function run(child: ChildProcess) {
  const startedAt = performance.now()
  if (child.stdout === null) throw new Error('The command has no output.')
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (code !== 0) throw new Error(`A command exited with ${code}: ${printed}`)
  return { result: JSON.parse(printed), took: inSeconds(performance.now() - startedAt) }
}

const inSeconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`

async function printBackup(name: string): Promise<void> {
  const { result, took } = await run(start('backup', place))
  const { blocks, bytes } = result.added
  print(`${name}: ${took}, ${blocks} blocks and ${(bytes / 1e6).toFixed(1)} MB new`)
}

/** Writes without a backup, and beside the first seconds of one; returns the ratio of the rates. */
async function slowdown(): Promise<number> {
  const alone = await write({ connections: 8, seconds }, perRound)
  const other = join(work, 'other')
  const child = start('backup', other)
  const beside = await write({ connections: 8, seconds }, perRound)
  const isRunning = child.exitCode === null
  if (isRunning) await end(child)
  const saved = objectsIn(other)
  rmSync(other, { recursive: true, force: true })
  const rates = `${alone.toFixed(0)} alone, ${beside.toFixed(0)} beside a backup`
  const ended = isRunning ? '' : ', which ended meanwhile'
  print(`snapshots a second: ${rates} that saved ${saved} objects in ${seconds} s${ended}`)
  return alone / beside
}

const objectsIn = (path: string): number =>
  readdirSync(path, { recursive: true, withFileTypes: true }).filter((it) => it.isFile()).length

for (let made = 0; made < tokens; made += perStep) await write({ connections: 64 }, perStep)
print(`${tokens} tokens`)
await printBackup('first backup')
await write({ connections: 64 }, more)
await printBackup(`backup after ${more} tokens more`)
await printBackup('backup without a change')
const restore = run(
  start('restore', place, '--into', join(work, 'restored'), '--verify', '--trial'),
)
const { result, took } = await restore
print(`restore that opens every memory: ${took}, ${result.memories.opened} opened`)
const ratios: number[] = []
for (let round = 0; round < rounds; round++) ratios.push(await slowdown())
const median = ratios.toSorted((one, other) => one - other)[Math.floor(rounds / 2)]
print(`writes are ${median?.toFixed(2)} times slower beside a first backup (goal: at most 2)`)

await Promise.all([load.stop(), server.stop()])
rmSync(work, { recursive: true })
folder.remove()
