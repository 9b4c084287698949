import fc from 'fast-check'
import { expect, test } from 'vitest'
import { signal } from './signal.ts'

/** Returns a signal whose timers end when the test says so. */
function manualSignal() {
  const timers = new Set<() => void>()
  const made = signal((_, end) => {
    timers.add(end)
    return () => timers.delete(end)
  })
  const expire = () => {
    for (const end of timers) end()
  }
  return { ...made, expire, timers: () => timers.size }
}

test('ends a wait once for all notifications since the last wait', async () => {
  const property = fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 3 })), async (counts) => {
    const { notify, wait, timers } = manualSignal()
    for (const count of counts) {
      for (let sent = 0; sent < count; sent++) notify()
      expect(await wait({ milliseconds: 10 })).toBe('notified')
      expect(timers()).toBe(0)
    }
  })
  await fc.assert(property, { seed: 23 })
})

test('ends a wait by a notification, its time or its stop, whichever comes first', async () => {
  const end = fc.constantFrom('notify', 'expire', 'stop')
  const property = fc.asyncProperty(fc.array(end), async (ends) => {
    const { notify, wait, expire, timers } = manualSignal()
    for (const kind of ends) {
      const stop = new AbortController()
      const waited = wait({ milliseconds: 10, stop: stop.signal })
      expect(timers()).toBe(1)
      const act = { notify, expire, stop: () => stop.abort() }
      act[kind]()
      expect(await waited).toBe(kind === 'notify' ? 'notified' : 'over')
      expect(timers()).toBe(0)
    }
  })
  await fc.assert(property, { seed: 24 })
})

test('ends at once when it was stopped before, and after its time', async () => {
  const { wait } = signal()
  expect(await wait({ stop: AbortSignal.abort(), keepsProcess: true })).toBe('over')
  expect(await wait({ milliseconds: 1, keepsProcess: true })).toBe('over')
})
