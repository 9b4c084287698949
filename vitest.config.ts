import { defineConfig } from 'vitest/config'

/** A project of tests: `vitest run --project core` runs the tests below packages/core. */
const project = (name: string, include: string, ...globalSetup: string[]) => ({
  extends: true as const,
  test: { name, include: [include], globalSetup },
})

export default defineConfig({
  test: {
    projects: [
      project('core', 'packages/core/**/*.test.ts'),
      project('testkit', 'packages/testkit/**/*.test.ts'),
      project('adapters', 'packages/adapters/**/*.test.ts'),
      project('http', 'packages/http/**/*.test.ts', './test/build-program.ts'),
      project('whole', 'test/**/*.test.ts', './test/build-program.ts', './test/provide-folder.ts'),
    ],
    setupFiles: ['./test/setup.ts'],
    // A process runs many files and loads each module once, which takes a third of the time.
    pool: 'forks',
    isolate: false,
    // One more than there are processors: many tests wait for a process, a disk or a chain.
    maxWorkers: 3,
    // A bound on a hang, not a measure: properties run long on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
