import { expect, test } from 'vitest'
import { clockDifferences, clockLog, clockTolerance } from './clock-differences.ts'

const now = 1_800_000_000_000
const store = (ahead: number) => ({ isShared: true, now: () => now - ahead })
const nodes = (age: number) => ({ nodes: { newestBlockAt: () => now - age } })

test('compares the clock with the database, the bucket and the newest block', () => {
  const compare = (parts: Partial<clockDifferences.Parts>) =>
    clockDifferences({
      store: store(0),
      blobStore: {},
      chain: { nodes: undefined },
      now: () => now,
      ...parts,
    })()
  expect(compare({ store: store(300_000) })).toEqual([{ clock: 'database', seconds: 300 }])
  expect(compare({ store: { isShared: false, now: () => 0 } })).toEqual([])
  const blobStore = { clockAhead: () => -7000 }
  expect(compare({ blobStore })).toContainEqual({ clock: 'storage', seconds: -7 })
  expect(compare({ chain: nodes(-90_000) })).toContainEqual({ clock: 'chain', seconds: -90 })
  // A chain that makes no blocks says nothing of a clock.
  expect(compare({ chain: nodes(900_000) })).toContainEqual({ clock: 'chain', seconds: 0 })
  expect(compare({ chain: { nodes: { newestBlockAt: () => undefined } } })).toHaveLength(1)
})

test('logs a clock that differs by more than the tolerance once, and that it agrees again', () => {
  const lines: string[] = []
  const line = (level: string) => (fields: object) =>
    void lines.push(`${level} ${JSON.stringify(fields)}`)
  const log = clockLog({ warn: line('warn'), info: line('info') } as never)
  for (const seconds of [clockTolerance, clockTolerance + 1, 300, -300, -clockTolerance, 0]) {
    log([
      { clock: 'database', seconds },
      { clock: 'storage', seconds: 0 },
    ])
  }
  expect(lines).toEqual([
    'warn {"clock":"database","seconds":61}',
    'info {"clock":"database","seconds":-60}',
  ])
})
