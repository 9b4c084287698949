import { setImmediate } from 'node:timers/promises'
import { challenge, isFailure, type TokenId, wei } from '@heirloom/core'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { OpenHarness } from '../harness/chain/evm.ts'
import { openHttpHarness } from '../harness/chain/http.ts'
import { times } from '../tier.ts'

const day = 86_400_000
const price = wei(7n)
const perDay = wei(3n)
const terms = { rentalPricePerDay: perDay, forkPrice: wei(0n), forkRoyaltyBps: 0 }

/** The state of a token. Parties are indices; rentals are the times when they end. */
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

/** Returns the state after an act; undefined when the act is impossible. */
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
  // Advances the time to the end of the next rental.
  expire: (state) => {
    const next = Object.values(state.rentals).filter((it) => it > state.now)
    return next.length === 0 ? undefined : { ...state, now: Math.min(...next) }
  },
}

const owned = (state: State, owner: number): State => ({ ...state, owner, offered: false })

const hasAccess = ({ owner, rentals, now }: State, party: number) =>
  party === owner || (rentals[party] ?? 0) > now

type Perform = (world: OpenHarness, id: TokenId, turn: Turn) => Promise<unknown>
type Turn = { readonly from: State; readonly to: State; readonly party: number }

/** Performs an act through the server of the party, or directly on the chain. */
const perform: { readonly [kind in Act['kind']]: Perform } = {
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

/** Reads through the server of one party; returns a predicate for states that match the response. */
type Read = (world: OpenHarness, id: TokenId, through: number) => Promise<(state: State) => boolean>

const download =
  (party: number): Read =>
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
    // Time may have passed between the signature and its verification.
    if (code === 'proof/stale') return (state) => Math.floor(state.now / 1000) !== timestamp
    return (state) => code === (hasAccess(state, party) ? 'opened' : 'access/denied')
  }

const listing: Read = async (world, id, through) => {
  const terms = await serviceOf(world, through).listing({ tokenId: id })
  return ({ offered, owner }) =>
    terms.price === (offered ? price : 0n) && (!offered || terms.seller === agentOf(world, owner))
}

const record: Read = async (world, id, through) => {
  const { creator } = await serviceOf(world, through).provenance({ tokenId: id })
  return () => creator === agentOf(world, 0)
}

const reads = [download(0), download(1), download(2), download(3), listing, record]
const all = reads.flatMap((read) => [0, 1, 2, 3].map((through) => ({ read, through })))

/**
 * Performs acts while others read all the time. Every response must match a state between the last act
 * acknowledged before the request and the last act begun before the response.
 */
async function play(world: OpenHarness, acts: readonly Act[]): Promise<number> {
  const bundle = { data: { for: 'the owner' }, metadata: { category: 'research' } }
  const { tokenId: id } = await serviceOf(world, 0).snapshot({ bundle })
  const states: State[] = [{ owner: 0, offered: false, rentals: {}, now: world.now() }]
  let acknowledged = 0
  const check = async ({ read, through }: (typeof all)[number]) => {
    const from = acknowledged
    const matches = await read(world, id, through)
    expect(
      states.slice(from).filter(matches),
      `${reads.indexOf(read)} through ${through}`,
    ).not.toEqual([])
  }
  let isActing = true
  const readAllTheTime = async (first: number) => {
    for (let at = first; isActing; at += 7) {
      await check(all[at % all.length] as (typeof all)[number])
      // Responses from a cache need no I/O, so without this nothing else would run.
      await setImmediate()
    }
  }
  const performAll = async () => {
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
      isActing = false
    }
  }
  await Promise.all([
    performAll(),
    readAllTheTime(0),
    readAllTheTime(1),
    readAllTheTime(2),
    readAllTheTime(3),
  ])
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
      { numRuns: Number(process.env.RACE_RUNS ?? times(10, 30)) },
    )
  } finally {
    await world.close()
  }
  expect(done).toBeGreaterThan(30)
})
