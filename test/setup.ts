import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import fc from 'fast-check'
import { inject } from 'vitest'

// One seed for every property, so that a failure is the same on every machine; FC_SEED explores others.
fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 20_261_120) })

// Commands of tests keep what wallets spent away from the home folder of whoever runs them.
const runFolder: string | undefined = inject('runFolder')
if (runFolder !== undefined) process.env.XDG_STATE_HOME = join(runFolder, `state-${randomUUID()}`)
