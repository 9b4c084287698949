import {
  Agent,
  type AgentInputItem,
  MemorySession,
  type Model,
  type ModelRequest,
  run,
  setTracingDisabled,
  Usage,
} from '@openai/agents'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { times } from '../../../../../test/tier.ts'
import { frameworkServer } from '../../../test/framework-server.ts'
import { heirloomSession } from './heirloom-session.ts'

setTracingDisabled(true)
const server = frameworkServer()
let names = 0
const newName = () => {
  names += 1
  return `session-${names}`
}
const sessionOf = (name: string) => heirloomSession({ client: server.client(), name })

const userItem = (content: string): AgentInputItem => ({ type: 'message', role: 'user', content })
const items = fc.array(fc.string().map(userItem), { maxLength: 3 })
const operationId = fc.constantFrom('one', 'two')
const step = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), items }),
  fc.record({ kind: fc.constant('pop' as const) }),
  fc.record({ kind: fc.constant('clear' as const) }),
  fc.record({ kind: fc.constant('append' as const), operationId, items }),
  fc.record({ kind: fc.constant('replace' as const), operationId, take: fc.nat(2), items }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
type Session = MemorySession | ReturnType<typeof heirloomSession>

/** Takes a step, and returns what is seen of it. */
async function take(session: Session, one: Step): Promise<unknown> {
  switch (one.kind) {
    case 'add':
      return session.addItems(one.items)
    case 'pop':
      return session.popItem()
    case 'clear':
      return session.clearSession()
    case 'append': {
      const transaction = { type: 'append_items' as const, items: one.items }
      return session.applyHistoryTransaction({ operationId: one.operationId, transaction })
    }
    case 'replace': {
      const expectedSuffix = await session.getItems(one.take)
      const transaction = {
        type: 'replace_suffix' as const,
        expectedSuffix,
        replacement: one.items,
      }
      return session.applyHistoryTransaction({ operationId: one.operationId, transaction })
    }
  }
}

const outcome = (work: Promise<unknown>) =>
  work.then(
    (value) => ({ value }),
    () => 'refused',
  )

test('does what the session in memory of the SDK does', async () => {
  const property = fc.asyncProperty(
    fc.array(step, { maxLength: 10 }),
    fc.nat(4),
    async (story, limit) => {
      const [ours, theirs] = [sessionOf(newName()), new MemorySession()]
      for (const one of story) {
        expect(await outcome(take(ours, one))).toEqual(await outcome(take(theirs, one)))
        expect(await ours.getItems()).toEqual(await theirs.getItems())
        expect(await ours.getItems(limit)).toEqual(await theirs.getItems(limit))
      }
    },
  )
  await fc.assert(property, { numRuns: times(7, 25) })
})

/** A model that answers with the number of items it gets. */
const counting: Model = {
  getResponse: async ({ input }: ModelRequest) => ({
    usage: new Usage(),
    output: [
      {
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: `seen ${input.length}` }],
      },
    ],
  }),
  // biome-ignore lint/correctness/useYield: This model does not stream.
  getStreamedResponse: async function* () {
    throw new Error('It does not stream.')
  },
}

test('an agent goes on where another process stopped', async () => {
  const name = newName()
  const agent = new Agent({ name: 'Ada', model: counting })
  const ask = async (text: string) =>
    (await run(agent, text, { session: sessionOf(name) })).finalOutput
  expect([await ask('one'), await ask('two')]).toEqual(['seen 1', 'seen 3'])
})

test('sessions of several processes lose no item, and keep bytes and dates', async () => {
  const name = newName()
  const data = new Uint8Array([0, 255, 128])
  const item = {
    ...userItem('x'),
    providerData: { data, at: new Date(5), tagged: { $date: 'no' } },
  }
  const adds = [item, userItem('y'), userItem('z')].map((it) => sessionOf(name).addItems([it]))
  await Promise.all(adds)
  const saved = await sessionOf(name).getItems()
  expect(saved).toHaveLength(3)
  expect(saved).toContainEqual(item)
})
