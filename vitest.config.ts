import { existsSync, statfsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/longest-first.ts'

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

/** A project of tests: `vitest run --project core` runs the tests below packages/core. */
const project = (name: string, include: string, ...globalSetup: string[]) => ({
  extends: true as const,
  test: { name, include: [include], globalSetup },
})

/** Runs the files of a project one at a time, after those of all others. */
const alone = ({ extends: base, test }: ReturnType<typeof project>) => ({
  extends: base,
  test: { ...test, maxWorkers: 1, sequence: { groupOrder: 1 } },
})

/** Describes what tests of programs need: the program, and a folder. */
const ofPrograms = ['./test/build-program.ts', './test/provide-folder.ts']

export default defineConfig({
  test: {
    projects: [
      project('core', 'packages/core/**/*.test.ts'),
      project('testkit', 'packages/testkit/**/*.test.ts'),
      project('adapters', 'packages/adapters/**/*.test.ts'),
      project('http', 'packages/http/**/*.test.ts', ...ofPrograms),
      project('whole', 'test/**/!(*.timed).test.ts', ...ofPrograms),
      // These bound times on the clock.
      alone(project('timed', 'test/**/*.timed.test.ts', ...ofPrograms)),
    ],
    env: folder === undefined ? {} : { TMPDIR: folder },
    setupFiles: ['./test/setup.ts'],
    // A process runs many files and loads each module once, which takes a third of the time.
    pool: 'forks',
    isolate: false,
    // One more than there are processors: many tests wait for a process, a disk or a chain.
    maxWorkers: 3,
    // A bound on a hang, not a measure: properties run long on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    sequence: { sequencer: LongestFirst },
  },
})
