import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { cryptoWorker } from './crypto-worker.ts'

/** Returns the nice value of each thread of this process, that of the event loop first. */
const niceness = (): readonly number[] =>
  readdirSync('/proc/self/task')
    // The event loop has the number of the process; those of later threads may have begun anew below it.
    .toSorted((one, other) => Number(other === `${process.pid}`) - Number(one === `${process.pid}`))
    .map((thread) => readFileSync(`/proc/self/task/${thread}/stat`, 'latin1'))
    // The name before it is in parentheses, and may contain any character.
    .map((text) => Number(text.slice(text.lastIndexOf(')')).split(' ')[17]))

const readEmpty = () =>
  cryptoWorker.ask({ kind: 'read', bytes: Buffer.from('{}'), heading: undefined })

// On other systems a priority applies to the whole process, and is not changed.
test.runIf(process.platform === 'linux')(
  'the worker has a lower priority than the event loop',
  async () => {
    const [own = 0] = niceness()
    await readEmpty()
    const [still, ...others] = niceness()
    expect(still).toBe(own)
    expect(Math.max(...others)).toBe(Math.max(own, 10))
  },
)

test.runIf(process.platform === 'linux' && availableParallelism() > 1)(
  'two jobs at once have two threads',
  async () => {
    await Promise.all([readEmpty(), readEmpty()])
    const [own = 0, ...others] = niceness()
    const working = others.filter((it) => it === Math.max(own, 10))
    expect(working.length).toBeGreaterThanOrEqual(2)
  },
)
