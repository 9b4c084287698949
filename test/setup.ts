import { randomUUID } from 'node:crypto'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, inject } from 'vitest'
import { seedOfRun, times } from './tier.ts'

// One seed for every property, so that a failure is the same on every machine. `FC_SEED` explores
// others, and so does the long tier each day.
fc.configureGlobal({ seed: seedOfRun, numRuns: times(25, 100) })

// Fakes throw failures by the ten thousand, and Vitest would have a hundred frames of each.
Error.stackTraceLimit = 25

// Commands of tests keep what wallets spent away from the home folder of whoever runs them.
const runFolder: string | undefined = inject('runFolder')
if (runFolder !== undefined) process.env.XDG_STATE_HOME = join(runFolder, `state-${randomUUID()}`)

// The process runs other files after this one, which would wait for every other program.
const priority = getPriority()
afterAll(() => expect(getPriority(), 'the priority of the process').toBe(priority))
