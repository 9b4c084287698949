import assert from 'node:assert/strict'
import {
  day,
  heirDayLimits,
  type Instant,
  instant,
  nobody,
  type TokenId,
  tokenId,
} from '@heirloom/core'
import fc from 'fast-check'
import type { ServiceHarness } from '../../harness.ts'
import {
  giveSign,
  handOver,
  type Model,
  type ModelPlan,
  type ModelToken,
  type Who,
} from '../model.ts'
import { arbitraryWho } from '../picks.ts'
import {
  agree,
  avoidRentalEnds,
  command,
  type Drawn,
  drift,
  firstOf,
  partyOf,
  step,
} from '../step.ts'

const { least, most } = heirDayLimits

const days = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(least, 31, 60) },
  { weight: 1, arbitrary: fc.constantFrom(0, least - 1, most + 1, 30.5) },
)

const naming = {
  who: arbitraryWho,
  /** The heir; `nobody` is the zero address, `none` ends the arrangement. */
  heir: fc.oneof(
    { weight: 12, arbitrary: arbitraryWho },
    { weight: 1, arbitrary: fc.constantFrom('nobody' as const, 'none' as const) },
  ),
  silenceDays: days,
  noticeDays: days,
}

/** Names an heir, or none. */
export const nameHeirCommand = command('name heir', naming, nameHeir)

async function nameHeir(model: Model, harness: ServiceHarness, input: Drawn<typeof naming>) {
  const { who, heir, silenceDays, noticeDays } = input
  const { nameHeir: name } = partyOf(harness, who).heirs
  if (heir === 'none') {
    await agree(model, 'name no heir', undefined, name(undefined))
    giveSign(model, who, harness.now())
    model.plans.delete(who)
    return assertPlan(model, harness, who)
  }
  const predicted = firstOf(
    [!isDelay(silenceDays) || !isDelay(noticeDays), 'heir/bad-delay'],
    [heir === who || heir === 'nobody', 'heir/invalid'],
  )
  const account = heir === 'nobody' ? nobody : agentOf(harness, heir)
  const call = name({ heir: account, silenceDays, noticeDays })
  const named = await agree(model, 'name heir', predicted, call)
  if (named === undefined || heir === 'nobody') return undefined
  giveSign(model, who, harness.now())
  model.plans.set(who, { heir, silenceDays, noticeDays, announcedAt: undefined })
  return assertPlan(model, harness, who)
}

const isDelay = (days: number) => Number.isInteger(days) && days >= least && days <= most

/** Gives a sign of life, mostly of a party that has an heir. */
export const heartbeatCommand = arbitraryWho.map((pick) =>
  step(`heartbeat ${pick}`, async (model, harness) => {
    const who = accountOf(model, pick)
    await agree(model, 'heartbeat', undefined, partyOf(harness, who).heirs.heartbeat())
    giveSign(model, who, harness.now())
    return assertPlan(model, harness, who)
  }),
)

/** The caller: the heir, or any party; and whether it waits until it may act. */
const caller = {
  pick: arbitraryWho,
  by: fc.oneof({ weight: 5, arbitrary: fc.constant('heir' as const) }, arbitraryWho),
  waits: fc.boolean(),
}

/** Announces a takeover. */
export const announceCommand = command('announce', caller, announce)

async function announce(model: Model, harness: ServiceHarness, input: Drawn<typeof caller>) {
  const { pick, by, waits } = input
  const account = accountOf(model, pick)
  const plan = model.plans.get(account)
  const silentAt = silenceEnds(model, account, plan)
  await avoid(model, harness, silentAt, waits)
  const who = by === 'heir' ? (plan?.heir ?? pick) : by
  const predicted = firstOf(
    [plan?.heir !== who, 'heir/not-heir'],
    [plan?.announcedAt !== undefined, 'heir/already-announced'],
    [harness.now() < silentAt, 'heir/not-silent'],
  )
  const call = partyOf(harness, who).heirs.announceTakeover(agentOf(harness, account))
  const announced = await agree(model, 'announce', predicted, call)
  if (announced && plan) plan.announcedAt = harness.now()
  return assertPlan(model, harness, account)
}

const taken = {
  /** The most tokens to take. */
  count: fc.integer({ min: 1, max: 3 }),
  /** A token that the account does not own, one that does not exist, or no token at all. */
  flaw: fc.oneof(
    { weight: 6, arbitrary: fc.constant('none' as const) },
    { weight: 3, arbitrary: fc.constantFrom('foreign' as const, 'unknown', 'empty') },
  ),
}
const taking = { ...caller, ...taken }
type Taking = Drawn<typeof taking>

/** Takes over tokens of an account. */
export const takeOverCommand = command('take over', taking, takeOver)

const inheritance = {
  who: arbitraryWho,
  heir: arbitraryWho,
  ...taken,
  isPatient: fc.oneof(
    { weight: 3, arbitrary: fc.constant(true) },
    { weight: 1, arbitrary: fc.constant(false) },
  ),
}

/** Names an heir, waits, announces, waits and takes over, with nothing in between. */
export const inheritCommand = command('inherit', inheritance, async (model, harness, input) => {
  const { who, heir, count, flaw, isPatient } = input
  await nameHeir(model, harness, { who, heir, silenceDays: least, noticeDays: least })
  const call = { pick: who, by: heir, waits: true }
  await announce(model, harness, call)
  return takeOver(model, harness, { ...call, count, flaw, waits: isPatient })
})

async function takeOver(model: Model, harness: ServiceHarness, input: Taking) {
  const { pick, by, waits } = input
  const account = accountOf(model, pick)
  const plan = model.plans.get(account)
  const due = noticeEnds(plan)
  await avoid(model, harness, due, waits)
  const who = by === 'heir' ? (plan?.heir ?? pick) : by
  const tokens = tokensToTake(model, account, input)
  const predicted = firstOf(
    [plan?.heir !== who, 'heir/not-heir'],
    [plan?.announcedAt === undefined, 'heir/not-announced'],
    [harness.now() < due, 'heir/too-early'],
    [tokens.length === 0, 'batch/bad-size'],
    [input.flaw === 'unknown', 'token/not-found'],
    [tokens.some((it) => it.token?.owner !== account), 'token/not-owner'],
  )
  const ids = tokens.map(({ id }) => id)
  const call = partyOf(harness, who).heirs.takeOver(agentOf(harness, account), ids)
  const taken = await agree(model, 'take over', predicted, call)
  const known = tokens.flatMap(({ token }) => token ?? [])
  if (taken) for (const token of known) handOver(token, who)
  await assertPlan(model, harness, account)
  return known.at(-1)
}

type Chosen = { readonly id: TokenId; readonly token: ModelToken | undefined }

function tokensToTake({ tokens }: Model, account: Who, { count, flaw }: Taking): readonly Chosen[] {
  const chosen = (token: ModelToken): Chosen => ({ id: token.id, token })
  const own = tokens.filter(({ owner }) => owner === account).slice(0, count)
  const foreign = tokens.filter(({ owner }) => owner !== account).slice(0, 1)
  if (flaw === 'empty') return []
  if (flaw === 'foreign') return [...own, ...foreign].map(chosen)
  if (flaw === 'none') return own.map(chosen)
  return [{ id: tokenId(BigInt(tokens.length + 1)), token: undefined }]
}

/** Returns a party that has named an heir, if there is one. */
function accountOf({ plans }: Model, pick: Who): Who {
  return plans.has(pick) ? pick : ([...plans.keys()][0] ?? pick)
}

const agentOf = (harness: ServiceHarness, who: Who) => partyOf(harness, who).ledger.agent

const noticeEnds = (plan: ModelPlan | undefined): number =>
  (plan?.announcedAt ?? 0) + (plan?.noticeDays ?? 0) * day

const silenceEnds = ({ signs }: Model, who: Who, plan: ModelPlan | undefined): number =>
  (signs.get(who) ?? 0) + (plan?.silenceDays ?? 0) * day

/** Waits until a time is over, or until it is so far that seconds decide nothing. */
async function avoid(
  model: Model,
  harness: ServiceHarness,
  time: number,
  isAwaited: boolean,
): Promise<void> {
  const left = time - harness.now()
  if (isAwaited && left > 0) await harness.wait(left + 2 * drift)
  else if (Math.abs(left) <= drift) await harness.wait(2 * drift)
  await avoidRentalEnds(model, harness)
}

/** Asserts that the chain has the arrangement of a party as the model has it. */
async function assertPlan(model: Model, harness: ServiceHarness, who: Who): Promise<undefined> {
  const expected = model.plans.get(who)
  const found = await harness.heirPlan(agentOf(harness, who))
  assert.equal(found?.heir, expected && agentOf(harness, expected.heir), 'one heir')
  if (found === undefined || expected === undefined) return
  const { silenceDays, noticeDays, announcedAt } = expected
  assert.deepEqual([found.silenceDays, found.noticeDays], [silenceDays, noticeDays])
  assertNear(found.lastSign, model.signs.get(who))
  assertNear(found.announcedAt, announcedAt)
}

function assertNear(found: Instant | undefined, expected: Instant | undefined): void {
  assert.equal(found === undefined, expected === undefined, 'a time is known to both or to neither')
  const difference = Math.abs((found ?? instant(0)) - (expected ?? instant(0)))
  assert.ok(difference <= drift, 'a time is that of the model')
}
