import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import fc from 'fast-check'
import { inject } from 'vitest'
import { seedOfRun, times } from './tier.ts'

// One seed for every property, so that a failure is the same on every machine. `FC_SEED` explores
// others, and so does the long tier each day.
fc.configureGlobal({ seed: seedOfRun, numRuns: times(25, 100) })

// Commands of tests keep what wallets spent away from the home folder of whoever runs them.
const runFolder: string | undefined = inject('runFolder')
if (runFolder !== undefined) process.env.XDG_STATE_HOME = join(runFolder, `state-${randomUUID()}`)
