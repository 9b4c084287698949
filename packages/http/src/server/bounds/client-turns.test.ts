import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ClientTurns, clientTurns } from './client-turns.ts'

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

test('a client has its turns in order, so many at once', async () => {
  const step = fc.record({ client: fc.constantFrom('ada', 'ben'), ends: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(step), async (atOnce, steps) => {
      const turns = clientTurns(atOnce)
      const taken: Opened[] = []
      for (const { client, ends } of steps) {
        const at = taken.findIndex((it) => it.client === client)
        if (ends && at >= 0) taken.splice(at, 1)[0]?.end()
        else taken.push(open(turns, client))
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
