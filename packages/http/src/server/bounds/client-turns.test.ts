import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ClientTurns, clientTurns } from './turns.ts'

type Opened = { readonly client: string; hasBegun: boolean; readonly end: () => void }

/** Takes a turn, and notes when it has begun. */
function open(turns: ClientTurns, client: string): Opened {
  const { begun, end } = turns.take(client)
  const opened = { client, hasBegun: false, end }
  begun.then(
    () => {
      opened.hasBegun = true
    },
    () => undefined,
  )
  return opened
}

test('a client has its turns in order, so many at once, also where some leave before theirs', async () => {
  const step = fc.record({ client: fc.constantFrom('ada', 'ben'), leaves: fc.option(fc.nat(3)) })
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(step), async (atOnce, steps) => {
      const turns = clientTurns(atOnce)
      const taken: Opened[] = []
      for (const { client, leaves } of steps) {
        const left = taken.filter((it) => it.client === client)[leaves ?? -1]
        if (left === undefined) taken.push(open(turns, client))
        else taken.splice(taken.indexOf(left), 1)[0]?.end()
        await Promise.resolve()
        const own = taken.filter((it) => it.client === client)
        expect(own.map((it) => it.hasBegun)).toEqual(own.map((_, index) => index < atOnce))
      }
    }),
    { seed: 3 },
  )
})

test('a wait that ends before its turn rejects, and takes no turn', async () => {
  const turns = clientTurns(1)
  const [first, second, third] = [turns.take('ada'), turns.take('ada'), turns.take('ada')]
  second.end()
  await expect(second.begun).rejects.toThrow('The client has left.')
  first.end()
  await third.begun
  first.end()
  const fourth = turns.take('ada')
  third.end()
  await fourth.begun
})
