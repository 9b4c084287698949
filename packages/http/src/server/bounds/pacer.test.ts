import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { pacer } from '../request/part-desk.ts'

test('lets one of many reads go on in each turn of the event loop', async () => {
  let scans = 0
  const read = async () => {
    const pace = pacer()
    for (let at = 0; at < 10; at++) {
      await pace(65_536)
      scans++
    }
  }
  let isOver = false
  const reads = Promise.all(Array.from({ length: 32 }, read)).finally(() => {
    isOver = true
  })
  let most = 0
  for (let before = 0; !isOver; before = scans) {
    await setImmediate()
    most = Math.max(most, scans - before)
  }
  await reads
  expect(scans).toBe(320)
  expect(most).toBeLessThanOrEqual(2)
})
