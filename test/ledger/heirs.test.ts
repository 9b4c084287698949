import {
  type Act,
  callNode,
  encodeAct,
  prepareTransaction,
  readHeirPlan,
} from '@heirloom/adapters/internal/acts'
import {
  account,
  type Failure,
  type HeirPlan,
  heirStateOf,
  silentAt,
  takeoverAt,
} from '@heirloom/core'
import { wallets } from '@heirloom/testkit'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../../packages/adapters/src/ledger/connection.ts'
import { sendOnce } from '../../packages/adapters/src/ledger/send-once.ts'
import { openEmbeddedHarness } from '../harness/chain/embedded.ts'
import type { OpenHarness } from '../harness/chain/evm.ts'

const [ada, ben] = wallets
const [owner, heir] = [account(ada.address), account(ben.address)]
const day = 86_400_000

let world: OpenHarness
let client: ReturnType<typeof connect>
beforeAll(async () => {
  world = await openEmbeddedHarness()
  client = connect(world.chain)
})
afterAll(() => world.close())

/** Returns the code and the facts with which the contracts would refuse an act now. */
async function refusalOf(wallet: typeof ada | typeof ben, act: Act) {
  const call = encodeAct(world.contracts, act)
  return prepareTransaction({ client, wallet }, call).then(
    () => undefined,
    ({ code, facts }: Failure) => ({ code, facts }),
  )
}

const perform = (wallet: typeof ada | typeof ben, act: Act) =>
  sendOnce({ client, wallet }, encodeAct(world.contracts, act))

async function readPlan(): Promise<HeirPlan> {
  const { plan, asOf } = await readHeirPlan(client, world.contracts, owner)
  expect(asOf).toBeLessThanOrEqual(world.now())
  if (plan === undefined) throw new Error('There is no plan.')
  return plan
}

/** Returns the refusal of an announcement that the plan predicts; `undefined` for none. */
function expectedOfAnnouncement(plan: HeirPlan) {
  const at = takeoverAt(plan)
  if (at !== undefined) {
    return { code: 'heir/already-announced', facts: { account: owner, takeoverAt: at } }
  }
  if (heirStateOf(plan, world.now()) === 'silent') return undefined
  return { code: 'heir/not-silent', facts: { account: owner, silentAt: silentAt(plan) } }
}

/** Returns the refusal of a takeover that the plan predicts; `undefined` for none. */
function expectedOfTakeover(plan: HeirPlan) {
  const at = takeoverAt(plan)
  if (at === undefined) return { code: 'heir/not-announced', facts: { account: owner } }
  if (heirStateOf(plan, world.now()) === 'due') return undefined
  return { code: 'heir/too-early', facts: { account: owner, takeoverAt: at } }
}

const announcement = { kind: 'announceTakeover', account: owner } as const

/** Compares the decisions of the core with those of the contracts, now. */
async function compare(tokenId: bigint): Promise<void> {
  const plan = await readPlan()
  const takeover = { kind: 'takeOver', account: owner, tokenIds: [tokenId] } as const
  expect(await refusalOf(ben, announcement)).toEqual(expectedOfAnnouncement(plan))
  expect(await refusalOf(ben, takeover)).toEqual(expectedOfTakeover(plan))
}

const days = fc.integer({ min: 30, max: 70 })
const step = fc.oneof(
  fc.record({
    kind: fc.constant('wait' as const),
    milliseconds: fc.integer({ min: 1, max: 45 * day }),
  }),
  fc.constant({ kind: 'wait until it may act' as const }),
  fc.constant({ kind: 'wait until a second before' as const }),
  fc.constant({ kind: 'heartbeat' as const }),
  fc.constant({ kind: 'announce' as const }),
  fc.record({ kind: fc.constant('name' as const), silenceDays: days, noticeDays: days }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const takes: { readonly [kind in Step['kind']]: (it: Extract<Step, { kind: kind }>) => unknown } = {
  wait: ({ milliseconds }) => world.wait(milliseconds - (milliseconds % 1000)),
  'wait until it may act': () => waitForNext(0),
  'wait until a second before': () => waitForNext(1000),
  heartbeat: () => perform(ada, { kind: 'heartbeat' }),
  announce: async () => {
    if (heirStateOf(await readPlan(), world.now()) === 'silent') await perform(ben, announcement)
  },
  name: ({ silenceDays, noticeDays }) =>
    perform(ada, { kind: 'nameHeir', heir, silenceDays, noticeDays }),
}

const take = async (it: Step): Promise<void> => {
  await (takes[it.kind] as (it: Step) => unknown)(it)
}

/** Waits until so many milliseconds before the heir may do its next act, if that is not past. */
async function waitForNext(before: number): Promise<void> {
  const plan = await readPlan()
  const next = (takeoverAt(plan) ?? silentAt(plan)) - before
  if (next > world.now()) await world.wait(next - world.now())
}

test('the contracts decide as the core does, at any time', async () => {
  const { tokenId } = await (world.services[0] as OpenHarness['services'][number]).snapshot({
    bundle: { data: {}, metadata: { category: 'research' } },
  })
  const states = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
      await take({ kind: 'name', silenceDays: 30, noticeDays: 30 })
      for (const it of steps) {
        await take(it)
        await compare(tokenId)
        states.add(heirStateOf(await readPlan(), world.now()))
      }
    }),
    { numRuns: 25 },
  )
  expect([...states].toSorted()).toEqual(['active', 'announced', 'due', 'silent'])
})

test('an account without an heir has no plan', async () => {
  expect((await readHeirPlan(client, world.contracts, heir)).plan).toBeUndefined()
  await perform(ada, { kind: 'nameHeir', heir: undefined })
  expect((await readHeirPlan(client, world.contracts, owner)).plan).toBeUndefined()
  expect(await refusalOf(ben, announcement)).toMatchObject({ code: 'heir/not-heir' })
})

test('a read of a chain that does not answer fails as unavailable', async () => {
  const dead = connect(new URL('http://127.0.0.1:1'))
  const read = callNode('heirOf', () => readHeirPlan(dead, world.contracts, owner))
  await expect(read).rejects.toMatchObject({ code: 'ledger/unavailable' })
})
