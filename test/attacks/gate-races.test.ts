import { setImmediate } from 'node:timers/promises'
import { challenge, isFailure, type TokenId, wei } from '@heirloom/core'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { OpenHarness } from '../harness/chain/evm.ts'
import { openHttpHarness } from '../harness/chain/http.ts'

const day = 86_400_000
const price = wei(7n)
const perDay = wei(3n)
const terms = { rentalPricePerDay: perDay, forkPrice: wei(0n), forkRoyaltyBps: 0 }

/** What a token is like; parties are known by their index, rentals by when they end. */
type State = {
  readonly owner: number
  readonly offered: boolean
  readonly rentals: Readonly<Record<number, number>>
  readonly now: number
}

type Act = {
  readonly kind: 'offer' | 'transfer' | 'buy' | 'rent' | 'expire'
  readonly party: number
}

const kinds = ['offer', 'transfer', 'buy', 'rent', 'expire'] as const
const act: fc.Arbitrary<Act> = fc.record({ kind: fc.constantFrom(...kinds), party: fc.nat(3) })

type After = (state: State, party: number) => State | undefined

/** What an act makes of a state; absent where it cannot be done. */
const after: { readonly [kind in Act['kind']]: After } = {
  offer: (state) => ({ ...state, offered: true }),
  transfer: (state, party) => (party === state.owner ? undefined : owned(state, party)),
  buy: (state, party) => (state.offered && party !== state.owner ? owned(state, party) : undefined),
  rent: (state, party) => {
    const from = Math.max(state.rentals[party] ?? 0, state.now)
    return state.offered
      ? { ...state, rentals: { ...state.rentals, [party]: from + day } }
      : undefined
  },
  // To the very moment at which the next rental ends.
  expire: (state) => {
    const next = Object.values(state.rentals).filter((it) => it > state.now)
    return next.length === 0 ? undefined : { ...state, now: Math.min(...next) }
  },
}

const owned = (state: State, owner: number): State => ({ ...state, owner, offered: false })

const admits = ({ owner, rentals, now }: State, party: number) =>
  party === owner || (rentals[party] ?? 0) > now

type Doing = (world: OpenHarness, id: TokenId, turn: Turn) => Promise<unknown>
type Turn = { readonly from: State; readonly to: State; readonly party: number }

/** Carries an act out through the parties' own servers, or past all of them on the chain. */
const perform: { readonly [kind in Act['kind']]: Doing } = {
  offer: (world, id, { from }) =>
    serviceOf(world, from.owner).list({ tokenId: id, price, ...terms }),
  transfer: (world, id, { from, party }) =>
    partyOf(world, from.owner).transfer(id, agentOf(world, party)),
  buy: (world, id, { party }) => serviceOf(world, party).buy({ tokenId: id }),
  rent: (world, id, { party }) => serviceOf(world, party).rent({ tokenId: id, days: 1 }),
  expire: (world, _, { from, to }) => world.wait(to.now - from.now),
}

const serviceOf = (world: OpenHarness, party: number) =>
  world.services[party] as OpenHarness['services'][number]
const partyOf = (world: OpenHarness, party: number) =>
  world.parties[party] as OpenHarness['parties'][number]
const agentOf = (world: OpenHarness, party: number) => partyOf(world, party).ledger.agent

/** One look through the server of one party, and whether it tells of a state. */
type Look = (world: OpenHarness, id: TokenId, through: number) => Promise<(state: State) => boolean>

const download =
  (party: number): Look =>
  async (world, id, through) => {
    const account = agentOf(world, party)
    const timestamp = Math.floor(world.now() / 1000)
    const text = challenge(id, { account, timestamp })
    const proof = { account, timestamp, signature: await partyOf(world, party).sign(text) }
    const code = await serviceOf(world, through)
      .download({ tokenId: id, proof })
      .then(
        () => 'opened',
        (error: unknown) => (isFailure(error) ? error.code : String(error)),
      )
    // The time may have moved on between the signature and the look at it.
    if (code === 'proof/stale') return (state) => Math.floor(state.now / 1000) !== timestamp
    return (state) => code === (admits(state, party) ? 'opened' : 'access/denied')
  }

const listing: Look = async (world, id, through) => {
  const terms = await serviceOf(world, through).listing({ tokenId: id })
  return ({ offered, owner }) =>
    terms.price === (offered ? price : 0n) && (!offered || terms.seller === agentOf(world, owner))
}

const record: Look = async (world, id, through) => {
  const { creator } = await serviceOf(world, through).provenance({ tokenId: id })
  return () => creator === agentOf(world, 0)
}

const looks = [download(0), download(1), download(2), download(3), listing, record]
const all = looks.flatMap((look) => [0, 1, 2, 3].map((through) => ({ look, through })))

/**
 * Acts while others look all the time. Every look tells of a state between the last act that was
 * acknowledged before it and the last one that had begun when it was answered.
 */
async function play(world: OpenHarness, acts: readonly Act[]): Promise<number> {
  const bundle = { data: { for: 'the owner' }, metadata: { category: 'research' } }
  const { tokenId: id } = await serviceOf(world, 0).snapshot({ bundle })
  const states: State[] = [{ owner: 0, offered: false, rentals: {}, now: world.now() }]
  let acknowledged = 0
  const check = async ({ look, through }: (typeof all)[number]) => {
    const from = acknowledged
    const tells = await look(world, id, through)
    expect(
      states.slice(from).filter(tells),
      `${looks.indexOf(look)} through ${through}`,
    ).not.toEqual([])
  }
  let acting = true
  const watch = async (first: number) => {
    for (let at = first; acting; at += 7) {
      await check(all[at % all.length] as (typeof all)[number])
      // What is answered from memory would leave no time for anything else.
      await setImmediate()
    }
  }
  const doing = async () => {
    try {
      for (const act of acts) {
        const state = states[acknowledged] as State
        const next = after[act.kind](state, act.party)
        if (next === undefined) continue
        states.push(next)
        await perform[act.kind](world, id, { from: state, to: next, party: act.party })
        acknowledged += 1
        await Promise.all(all.map(check))
      }
    } finally {
      acting = false
    }
  }
  await Promise.all([doing(), watch(0), watch(1), watch(2), watch(3)])
  return acknowledged
}

it('nobody gets a byte or an offer that an acknowledged write has taken away', async () => {
  const world = await openHttpHarness()
  let done = 0
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 12 }), async (acts) => {
        done += await play(world, acts)
      }),
      { numRuns: Number(process.env.RACE_RUNS ?? 10) },
    )
  } finally {
    await world.close()
  }
  expect(done).toBeGreaterThan(30)
})
