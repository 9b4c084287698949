import { isFailure } from '@heirloom/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type InFlight, inFlight } from './in-flight.ts'

const [max, maxPerClient] = [100, 50]

const step = fc.record({
  client: fc.constantFrom('a', 'b', 'c'),
  amount: fc.integer({ min: 1, max: 60 }),
  releases: fc.boolean(),
})

type Entered = { readonly client: string; readonly amount: number; readonly release: () => void }

const sumOf = (all: readonly Entered[]) => all.reduce((sum, { amount }) => sum + amount, 0)

/** Returns the expected refusal of an amount. */
function refusalOf(held: number, total: number, amount: number): string | undefined {
  if (held > 0 && held + amount > maxPerClient) return 'request/too-many'
  return total > 0 && total + amount > max ? 'service/busy' : undefined
}

/** Enters an amount, and expects that it is accepted exactly if it fits. */
function attempt(flight: InFlight, inside: Entered[], next: Omit<Entered, 'release'>): void {
  const { client, amount } = next
  const held = sumOf(inside.filter((it) => it.client === client))
  expect(flight.total()).toBe(sumOf(inside))
  const expected = refusalOf(held, sumOf(inside), amount)
  const enter = () => inside.push({ ...next, release: flight.enter(client, amount) })
  expect(outcomeOf(enter)).toBe(expected)
}

function releaseTwice(gone: Entered | undefined): void {
  gone?.release()
  gone?.release()
}

describe('an amount in flight', () => {
  test('stays within its bounds unless it is alone, and returns to zero', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 100 }), (all) => {
        const flight = inFlight({ max, maxPerClient, what: 'bytes' })
        const inside: Entered[] = []
        for (const { releases, ...next } of all) {
          if (releases) releaseTwice(inside.shift())
          attempt(flight, inside, next)
        }
        inside.forEach(releaseTwice)
        expect(flight.total()).toBe(0)
      }),
    )
  })

  test('has no limit without a bound', () => {
    const flight = inFlight({ max: 0, maxPerClient: 0, what: 'bytes' })
    for (let count = 0; count < 100; count++) flight.enter('a', 2 ** 30)
    expect(flight.total()).toBe(100 * 2 ** 30)
  })
})

function outcomeOf(act: () => unknown): string | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    return isFailure(error) ? error.code : String(error)
  }
}
