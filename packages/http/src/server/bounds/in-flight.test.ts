import { isFailure } from '@heirloom/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type InFlight, inFlight } from './in-flight.ts'

const [most, mostPerClient] = [100, 50]

const step = fc.record({
  client: fc.constantFrom('a', 'b', 'c'),
  amount: fc.integer({ min: 1, max: 60 }),
  leaves: fc.boolean(),
})

type Entered = { readonly client: string; readonly amount: number; readonly leave: () => void }

const sumOf = (all: readonly Entered[]) => all.reduce((sum, { amount }) => sum + amount, 0)

/** Returns what entering is refused with, by what is inside. */
function refusalOf(held: number, total: number, amount: number): string | undefined {
  if (held > 0 && held + amount > mostPerClient) return 'request/too-many'
  return total > 0 && total + amount > most ? 'service/busy' : undefined
}

/** Shows that something is let in exactly where it fits, and notes that it is inside. */
function attempt(flight: InFlight, inside: Entered[], next: Omit<Entered, 'leave'>): void {
  const { client, amount } = next
  const held = sumOf(inside.filter((it) => it.client === client))
  expect(flight.total()).toBe(sumOf(inside))
  const expected = refusalOf(held, sumOf(inside), amount)
  const enter = () => inside.push({ ...next, leave: flight.enter(client, amount) })
  expect(outcomeOf(enter)).toBe(expected)
}

function leaveTwice(gone: Entered | undefined): void {
  gone?.leave()
  gone?.leave()
}

describe('what is under way', () => {
  test('stays within its bounds, but for one that is alone, and ends at nothing', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 100 }), (all) => {
        const flight = inFlight({ most, mostPerClient, what: 'bytes' })
        const inside: Entered[] = []
        for (const { leaves, ...next } of all) {
          if (leaves) leaveTwice(inside.shift())
          attempt(flight, inside, next)
        }
        inside.forEach(leaveTwice)
        expect(flight.total()).toBe(0)
      }),
    )
  })

  test('is anything where no bound is set', () => {
    const flight = inFlight({ most: 0, mostPerClient: 0, what: 'bytes' })
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
