import { existsSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/longest-first.ts'
import { packedWorkers } from './test/packed-workers.ts'
import { withoutProcess } from './test/reach.ts'
import { longestWait, seedOfRun, tier } from './test/tier.ts'

const gibibyte = 2 ** 30

/**
 * Returns the folder for temporary files: in memory on a machine that has plenty, because servers,
 * chains and databases wait for the disk at each commit. A folder in memory outlives a killed
 * process as a disk does; that a commit outlives a power failure is no test's claim.
 */
function temporaryFolder(): string | undefined {
  const inMemory = '/dev/shm'
  if (process.env.TMPDIR !== undefined || !existsSync(inMemory)) return process.env.TMPDIR
  const { bavail, bsize } = statfsSync(inMemory)
  const free = Math.min(bavail * bsize, process.availableMemory())
  return free > 6 * gibibyte ? inMemory : undefined
}

const folder = temporaryFolder()

// A program that many tests start from its sources is compiled once.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled')

/** The files that only the long tier runs. */
const long = tier === 'long' ? [] : ['**/*.long.test.ts']

/** A project of tests: `vitest run --project core` runs the tests below packages/core. */
const project = (name: string, include: readonly string[], ...globalSetup: string[]) => ({
  extends: true as const,
  // Where the program is built, its workers are too.
  plugins: globalSetup.length > 0 ? [packedWorkers()] : [],
  test: { name, include: [...include], exclude: ['**/node_modules/**', ...long], globalSetup },
})

/** Runs the files of a project one at a time, after those of all others. */
const alone = ({ test, ...rest }: ReturnType<typeof project>) => ({
  ...rest,
  test: { ...test, maxWorkers: 1, sequence: { groupOrder: 1 } },
})

/** Runs the files of a project where modules of the page find what they read of a browser. */
const asPage = ({ test, ...rest }: ReturnType<typeof project>) => ({
  ...rest,
  test: { ...test, setupFiles: ['./test/page/storage.ts'] },
})

/** Describes what tests of programs need: the program, and a folder. */
const ofPrograms = ['./test/build-program.ts', './test/provide-folder.ts']

const projects = [
  project('core', ['packages/core/**/*.test.ts']),
  project('testkit', ['packages/testkit/**/*.test.ts']),
  project('adapters', ['packages/adapters/**/*.test.ts']),
  project('http', ['packages/http/{src,test}/**/*.test.ts'], ...ofPrograms),
  asPage(project('page', ['packages/http/page/**/*.test.ts'])),
  project('whole', ['test/**/!(*.timed).test.ts'], ...ofPrograms),
  // What these measure, other tests would disturb.
  alone(project('timed', ['test/**/*.timed.test.ts'], ...ofPrograms)),
]

process.stdout.write(`Tier ${tier}; the seed of the properties is FC_SEED=${seedOfRun}.\n`)

export default defineConfig({
  test: {
    projects: tier === 'unit' ? [asPage(project('unit', withoutProcess()))] : projects,
    env: folder === undefined ? {} : { TMPDIR: folder },
    setupFiles: ['./test/setup.ts'],
    // A process runs many files and loads each module once, which takes a third of the time.
    pool: 'forks',
    isolate: false,
    // What a request makes is short-lived: with room for it, a sixth less time goes to the collector.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64'],
    // One more than there are processors: many tests wait for a process, a disk or a chain.
    maxWorkers: 3,
    // Bounds on a hang, not measures. A test of the long tier may make ten thousand writes.
    testTimeout: tier === 'long' ? 6 * longestWait : longestWait + 60_000,
    hookTimeout: longestWait + 60_000,
    // A system that is busy takes seconds to end a process of more than a gigabyte.
    teardownTimeout: 30_000,
    expect: { poll: { timeout: longestWait } },
    sequence: { sequencer: LongestFirst },
  },
})
