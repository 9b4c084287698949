import assert from 'node:assert/strict'
import {
  type Failure,
  type FailureCode,
  isFailure,
  type Order,
  type TokenId,
  tokenId,
} from '@heirloom/core'
import type { LedgerHarness } from '@heirloom/testkit'
import { isHash } from 'viem'
import { type Call, type CallResult, walletsOf } from './resolve-call.ts'

/** The observed values. Times are separate, because a chain may have its own clock. */
export type Observation = { readonly seen: unknown; readonly moments: readonly number[] }

/** The outcome of a command. */
export type Outcome = Observation & {
  readonly code: FailureCode | 'success'
  readonly result: CallResult
}

/** Runs a call and returns its outcome. Throws errors that are no `Failure`. */
export async function runCall(world: LedgerHarness, call: Call): Promise<Outcome> {
  return call.run(world).then(
    ({ txHash, ...result }) => ({
      code: 'success',
      seen: { hashed: txHash === undefined ? undefined : isHash(txHash), tokenId: result.tokenId },
      moments: result.expiresAt === undefined ? [] : [result.expiresAt],
      result,
    }),
    (error: unknown) => failureOutcome(world, call, error),
  )
}

async function failureOutcome(world: LedgerHarness, call: Call, error: unknown): Promise<Outcome> {
  const nothing = { seen: {}, moments: [], result: {} }
  if (!isFailure(error) || unexplained.has(error.code)) throw error
  const { code } = error
  if (call.title.startsWith('transfer')) return { ...nothing, code }
  return { ...nothing, code, ...(await factsOf(world, call, error)) }
}

async function factsOf(
  world: LedgerHarness,
  { who, value }: Call,
  error: Failure,
): Promise<Observation> {
  if (!isFailure(error, 'wallet/short')) return splitFacts(error.facts)
  const { account, balance, needed } = error.facts
  assert.ok(needed > balance && balance <= (await balanceOf(world, who)))
  // The cost of gas differs between chains; the price of a call does not.
  return { seen: { account, needed: value > 0n ? needed : 'gas' }, moments: [] }
}

/** Facts that differ between chains: their dollars have other addresses, and their orders other hashes. */
const ofOneChain: ReadonlySet<string> = new Set(['asset', 'dollar', 'orderHash'])
const times: ReadonlySet<string> = new Set([
  ...['expiresAt', 'limit', 'deadline', 'silentAt', 'takeoverAt'],
])

/** Separates the times among facts, which are numbers; the limit of an amount or a size is no time. */
function splitFacts(facts: object): Observation {
  const known = Object.entries(facts).filter(([name]) => !ofOneChain.has(name))
  const isTime = ([name, value]: [string, unknown]) =>
    times.has(name) && typeof value === 'number' && value > 10 ** 9
  return {
    seen: Object.fromEntries(known.filter((it) => !isTime(it))),
    moments: known.filter(isTime).map(([, value]) => Number(value)),
  }
}

/** Codes for failures without a known reason, which must not occur here. */
const unexplained: ReadonlySet<FailureCode> = new Set([
  'ledger/unavailable',
  'transaction/reverted',
  'transaction/unconfirmed',
])

type Observed = {
  readonly minted: number
  /** The last order. */
  readonly order: Order | undefined
  readonly written: Span
}

/** Reads all state of a world: every token and one that does not exist, all rights and balances. */
export async function observe(
  world: LedgerHarness,
  { minted, order, written }: Observed,
): Promise<Observation> {
  const ids = Array.from({ length: minted + 1 }, (_, index) => tokenId(BigInt(index + 1)))
  const tokens = await Promise.all(ids.map((id) => observeToken(world, id, written)))
  const balances: bigint[] = []
  const held: bigint[] = []
  for (const { balance, dollars } of walletsOf(world)) {
    balances.push(await balance())
    held.push(await dollars())
  }
  const [wealth, dollars] = [balances, held].map((each) => each.reduce((sum, it) => sum + it, 0n))
  const plans = await observePlans(world)
  return {
    seen: {
      tokens: tokens.map(({ seen }) => seen),
      balances,
      wealth,
      held,
      dollars,
      plans: plans.seen,
      order: order && (await world.orderRecord(order)),
    },
    moments: [...tokens.flatMap(({ moments }) => moments), ...plans.moments],
  }
}

/** Reads what each account has arranged for its heir. */
async function observePlans(world: LedgerHarness): Promise<Observation> {
  const agents = walletsOf(world).map(({ ledger }) => ledger.agent)
  const plans = await Promise.all(agents.map((agent) => world.heirPlan(agent)))
  const known = plans.filter((plan) => plan !== undefined)
  return {
    seen: plans.map((plan) => plan && { ...plan, lastSign: 0, announcedAt: !!plan.announcedAt }),
    moments: known.flatMap(({ lastSign, announcedAt }) => [lastSign, announcedAt ?? lastSign]),
  }
}

/** The time of the last write by the clock of the world, and the tolerance for the clock of the chain. */
export type Span = { readonly at: number; readonly tolerance: number }

async function observeToken(
  world: LedgerHarness,
  id: TokenId,
  { at, tolerance }: Span,
): Promise<Observation> {
  const [{ ledger }] = walletsOf(world) as readonly [LedgerHarness['pauper']]
  const own = [ledger.provenance(id), ledger.holding(id)] as const
  const reads = [...own, ledger.listing(id), world.cardOf(id)] as const
  const [record, holding, listing, card] = await Promise.all(reads)
  const agents = walletsOf(world).map((party) => party.ledger.agent)
  const rights = await Promise.all(agents.map((agent) => ledger.access(id, agent)))
  const moments = rights.flatMap((right) => right?.expiresAt ?? [])
  for (const right of rights) {
    if (right === undefined) continue
    assert.ok(right.asOf >= at - (at % 1000) - tolerance, 'access is as of the last write or later')
    assert.ok(right.asOf <= world.now() + tolerance, 'access is as of no later than now')
  }
  const { mintedAt, ...origin } = record ?? {}
  return {
    seen: {
      origin,
      transfers: holding?.transferCount,
      listing: listing && { ...listing, dollars: { ...listing.dollars, asset: undefined } },
      card,
      rights: rights.map((right) => right && { ...right, asOf: 0, expiresAt: !!right.expiresAt }),
    },
    moments: mintedAt === undefined ? moments : [mintedAt, ...moments],
  }
}

async function balanceOf(world: LedgerHarness, who: number): Promise<bigint> {
  return (await walletsOf(world)[who]?.balance()) ?? 0n
}
