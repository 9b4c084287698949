import {
  type Account,
  Failure,
  fromSeconds,
  type HeirPlan,
  heirDays,
  heirStateOf,
  instant,
  mostTakenOver,
  nobody,
  silentAt,
  type TokenEvent,
  type TokenId,
  takeoverAt,
  tokenId,
} from '@heirloom/core'
import type { HeirActs } from '../harness.ts'
import {
  blockTime,
  type ChainEvent,
  type ChainState,
  checksummed,
  handOver,
  recordBlock,
  requireGas,
  requireToken,
} from './chain-state.ts'

/** Records a sign of life of an account. */
export function giveSign(state: ChainState, of: Account): void {
  state.signs.set(checksummed(of), blockTime(state))
}

/** Returns the plan of an account; `undefined` where it has named no heir. */
export function planOf(state: ChainState, of: Account): HeirPlan | undefined {
  const account = checksummed(of)
  const stored = state.plans.get(account)
  if (stored === undefined) return undefined
  const lastSign = state.signs.get(account) ?? fromSeconds(0)
  const { announcedAt = instant(0), ...plan } = stored
  return {
    account,
    ...plan,
    lastSign,
    announcedAt: announcedAt > lastSign ? announcedAt : undefined,
  }
}

/** Returns the acts of a wallet for its heir and as an heir, each checked in the order of the contracts. */
export function heirActs(state: ChainState, agent: Account): HeirActs {
  return {
    nameHeir: async (plan) => {
      if (plan !== undefined) requireValid(agent, plan)
      requireGas(state, agent)
      giveSign(state, agent)
      if (plan === undefined) state.plans.delete(agent)
      else state.plans.set(agent, { ...plan, heir: checksummed(plan.heir), announcedAt: undefined })
      const { silenceDays = 0, noticeDays = 0 } = plan ?? {}
      const heir = plan && checksummed(plan.heir)
      return emit(state, { kind: 'heir-named', account: agent, heir, silenceDays, noticeDays })
    },
    heartbeat: async () => {
      requireGas(state, agent)
      giveSign(state, agent)
      return emit(state, { kind: 'heartbeat', account: agent })
    },
    announceTakeover: async (of) => announce(state, agent, requireHeir(state, agent, of)),
    takeOver: async (of, tokenIds) => {
      const plan = requireHeir(state, agent, of)
      requireDue(state, plan)
      return takeTokens(state, plan, tokenIds)
    },
  }
}

function requireValid(
  agent: Account,
  { heir, silenceDays, noticeDays }: Pick<HeirPlan, 'heir' | 'silenceDays' | 'noticeDays'>,
): void {
  // A wallet checks the days before it encodes the call.
  heirDays(silenceDays)
  heirDays(noticeDays)
  if (heir === nobody || checksummed(heir) === agent) throw new Failure('heir/invalid', { heir })
}

function requireHeir(state: ChainState, agent: Account, of: Account): HeirPlan {
  const plan = planOf(state, of)
  if (plan?.heir === agent) return plan
  const facts = { account: checksummed(of), heir: plan?.heir ?? nobody, caller: agent }
  throw new Failure('heir/not-heir', facts)
}

function announce(state: ChainState, agent: Account, plan: HeirPlan) {
  const { account, heir } = plan
  const due = takeoverAt(plan)
  if (due !== undefined) throw new Failure('heir/already-announced', { account, takeoverAt: due })
  if (heirStateOf(plan, blockTime(state)) === 'active') {
    throw new Failure('heir/not-silent', { account, silentAt: silentAt(plan) })
  }
  requireGas(state, agent)
  const announced = { ...plan, announcedAt: blockTime(state) }
  state.plans.set(account, announced)
  const at = takeoverAt(announced) ?? blockTime(state)
  return emit(state, { kind: 'takeover-announced', account, heir, takeoverAt: at })
}

function requireDue(state: ChainState, plan: HeirPlan): void {
  const { account } = plan
  const due = takeoverAt(plan)
  if (due === undefined) throw new Failure('heir/not-announced', { account })
  if (blockTime(state) < due) throw new Failure('heir/too-early', { account, takeoverAt: due })
}

function takeTokens(state: ChainState, { account, heir }: HeirPlan, tokenIds: readonly TokenId[]) {
  const size = tokenIds.length
  if (size === 0 || size > mostTakenOver) {
    throw new Failure('batch/bad-size', { size, limit: mostTakenOver })
  }
  for (const [at, id] of tokenIds.entries()) {
    const isTaken = tokenIds.indexOf(id) < at
    if (requireToken(state, id).owner !== account || isTaken) {
      throw new Failure('token/not-owner', { tokenId: id, account })
    }
  }
  requireGas(state, heir)
  const transfers = tokenIds.map((id): ChainEvent => {
    handOver(state, id, requireToken(state, id), heir)
    return { kind: 'transfer', tokenId: id, from: account, to: heir }
  })
  return recordBlock(state, [...transfers, { kind: 'takeover', ...ofNoToken, account, heir }])
}

const ofNoToken = { tokenId: tokenId(0n) }

type AccountEvent = TokenEvent<'heir-named' | 'heartbeat' | 'takeover-announced'>

const emit = (state: ChainState, event: AccountEvent) =>
  recordBlock(state, [{ ...event, ...ofNoToken }])
