import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['packages/**/*.test.ts', 'test/**/*.test.ts'],
    setupFiles: ['./test/setup.ts'],
    // An embedded EVM is one per process, so each file has a process of its own.
    pool: 'forks',
    // One more than there are processors: many tests wait for a process, a disk or a chain.
    maxWorkers: 3,
    // A bound on a hang, not a measure: properties run long on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
