import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

// Runs the long tier, part by part, and prints one line for each with its time. A part that fails
// does not stop the next one; the exit code says whether all passed. Words select parts by name.

type Part = {
  readonly name: string
  readonly about: string
  readonly command: string
  readonly env?: Readonly<Record<string, string>>
}

const vitest = 'node_modules/.bin/vitest run'

const parts: readonly Part[] = [
  {
    name: 'suite',
    about:
      'every statement at large counts, each command and server a process, and what repeats them',
    command: vitest,
    env: { TIER: 'long' },
  },
  {
    name: 'kills',
    about: 'twenty kills of a server, and of one that saves versions of a name',
    command: `${vitest} test/program/crash.test.ts test/program/names-kill.test.ts`,
    env: { TIER: 'long', CRASH_ROUNDS: '20' },
  },
  {
    name: 'writes',
    about: '2,000 writes under random faults, and 60 stories of the model',
    command: `${vitest} test/nonce-lane/soak.test.ts test/ledger/model.test.ts`,
    env: { TIER: 'long', SOAK_WRITES: '2000', MODEL_STORIES: '60' },
  },
  {
    name: 'leaders',
    about: '1,000 writes while leaders are killed, frozen and cut off',
    command: `${vitest} test/nonce-lane/leader-soak.long.test.ts`,
    env: { TIER: 'long', LEADER_WRITES: '1000' },
  },
  {
    name: 'story',
    about: '500 writes on three machines that are killed, wiped and upgraded',
    command: `${vitest} test/upgrade/story.long.test.ts`,
    env: { TIER: 'long', STORY_WRITES: '500' },
  },
  {
    name: 'payments',
    about: '500 payments under lost replies, thieves and kills',
    command: `${vitest} test/payments/soak.long.test.ts`,
    env: { TIER: 'long', PAYMENTS: '500' },
  },
  { name: 'forge', about: 'the Solidity tests at 5,000 cases', command: 'pnpm forge:long' },
  { name: 'mutants', about: 'each fault of the contracts fails a test', command: 'pnpm mutants' },
  {
    name: 'proofs',
    about: 'packing and arithmetic of the contracts, with z3',
    command: 'pnpm prove',
  },
]

const root = join(import.meta.dirname, '..')
const logs = join(root, 'node_modules/.cache/long')

/** Runs a part, with its output in a file, and returns whether it passed. */
async function run({ name, about, command, env }: Part): Promise<boolean> {
  const path = join(logs, `${name}.log`)
  const log = openSync(path, 'w')
  const began = performance.now()
  const child = spawn('sh', ['-c', command], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', log, log],
  })
  const [code] = await once(child, 'exit')
  const minutes = ((performance.now() - began) / 60_000).toFixed(1)
  const verdict = code === 0 ? 'passed' : 'FAILED'
  process.stdout.write(`${verdict} ${minutes.padStart(5)} min  ${name}: ${about}\n`)
  if (code !== 0) process.stdout.write(`${endOf(path)}\nThe whole output is in ${path}.\n`)
  return code === 0
}

const endOf = (path: string) => readFileSync(path, 'utf8').split('\n').slice(-60).join('\n')

const names = process.argv.slice(2)
const unknown = names.filter((it) => !parts.some(({ name }) => name === it))
if (unknown.length > 0) {
  process.stderr.write(`No part is named ${unknown}; there are ${parts.map((it) => it.name)}.\n`)
  process.exit(2)
}
mkdirSync(logs, { recursive: true })
const failed: string[] = []
for (const part of parts.filter(({ name }) => names.length === 0 || names.includes(name))) {
  if (!(await run(part))) failed.push(part.name)
}
if (failed.length > 0) process.stdout.write(`Failed: ${failed.join(', ')}.\n`)
process.exit(failed.length > 0 ? 1 : 0)
