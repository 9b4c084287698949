import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { cryptoWorker } from './crypto-worker.ts'

/** Returns how nice each thread of this process is, the event loop's first. */
const niceness = (): readonly number[] =>
  readdirSync('/proc/self/task')
    .toSorted((one, other) => Number(one) - Number(other))
    .map((thread) => readFileSync(`/proc/self/task/${thread}/stat`, 'latin1'))
    // The name before it is in parentheses, and may hold anything.
    .map((text) => Number(text.slice(text.lastIndexOf(')')).split(' ')[17]))

// Elsewhere the priority is the whole process's, and is left alone.
test.runIf(process.platform === 'linux')('the event loop goes before what takes long', async () => {
  const [own = 0] = niceness()
  await cryptoWorker.ask({ kind: 'read', bytes: Buffer.from('{}'), heading: undefined })
  const [still, ...others] = niceness()
  expect(still).toBe(own)
  expect(Math.max(...others)).toBe(Math.max(own, 10))
})
