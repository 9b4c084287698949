import {
  type Account,
  type Budget,
  Failure,
  type Hash,
  type Instant,
  instant,
  isFailure,
  orderActs,
  type TokenId,
  tokenId,
} from '@heirloom/core'
import { type Hex, keccak256 } from 'viem'
import type { LaneOperation, Outcome } from '../nonce-lane/job.ts'
import type { NonceLane } from '../nonce-lane/nonce-lane.ts'
import type { EncodedOrder } from '../orders/encode-order.ts'
import {
  decodeSettle,
  encodePayOrder,
  encodeRefund,
  encodeSettle,
  type OrderPayment,
  type OrderRefund,
  type OrderSettlement,
} from '../orders/encode-payment.ts'
import { encodeExecute, type ForwardRequest } from './forward-request.ts'
import { foreignGasOf } from './known-gas.ts'
import { claimOfPayment, claimOfRequest, openAccount } from './open-account.ts'
import { creationIn } from './passkey-account.ts'
import {
  findOrderJob,
  hashOfOrder,
  type OrderOperation,
  type RelayParts,
  requireRefundable,
  tryOutOrder,
  tryOutRefund,
} from './relay-orders.ts'
import {
  type RelayRules,
  requireAct,
  requirePrice,
  requireRefundee,
  requireRelayable,
} from './require-relayable.ts'
import { requireRoom } from './require-room.ts'
import { boundedTries, type Tries } from './tries.ts'
import { tryOut } from './try-out.ts'
import { inTurn } from './turns.ts'

/** The limits that a relayed act counts against. */
export type RelayOptions = {
  readonly rules: RelayRules
  /** The budgets that pay; the name of each begins with `relay `, but for that of an API key. */
  readonly budgets: readonly Budget[]
  /** The name of who asks for it; absent where clients are not told apart. */
  readonly client?: string | undefined
}

/** An act that was relayed. */
export type RelayedAct = {
  readonly act: string
  readonly txHash: Hex
  /** The tokens that the act minted. */
  readonly tokenIds: readonly TokenId[]
  /** When the rental ends that the act paid for. */
  readonly expiresAt: Instant | undefined
}

/** An order that was carried out, and who paid it by a signed transfer. */
export type SettledOrder = RelayedAct & { readonly payer: Account | undefined }

/**
 * Sends what others signed, for the wallet's gas. Each call is sent once, however often it is asked
 * for: the same call returns the first result, also after a restart.
 *
 * All may fail with `relay/failed`, `relay/too-costly`, `relay/day-limit`, `service/busy`, the failure
 * that the contracts name, and those of every write of a ledger.
 */
export type Relay = {
  /**
   * Forwards a call of an account. The account of a passkey is deployed first, where the signature
   * deploys it (ERC-6492).
   *
   * @throws `relay/not-allowed`, `relay/bad-deadline`, `relay/too-much-gas`, `relay/not-signed`
   */
  forward(request: ForwardRequest, options: RelayOptions): Promise<RelayedAct>
  /**
   * Pays an order by a signed transfer, and carries it out once, independent of its payer. An order whose
   * transaction failed in its block may be sent again.
   *
   * @throws `relay/underpriced`, `recipient/invalid`, `dollar/refused`
   */
  payOrder(payment: OrderPayment, options: RelayOptions): Promise<RelayedAct>
  /**
   * Carries out an order that was paid at its address: once, whatever payment comes with it. An order
   * whose transaction failed in its block may be sent again.
   *
   * @throws `relay/underpriced`, `recipient/invalid`, `dollar/refused`
   */
  settle(settlement: OrderSettlement, options: RelayOptions): Promise<RelayedAct>
  /** Returns the act of an order that this wallet carried out; `undefined` for any other. */
  settled(order: EncodedOrder): Promise<SettledOrder | undefined>
  /** Gives back what is at the address of an order. @throws `relay/underpriced` */
  refund(refund: OrderRefund, options: RelayOptions): Promise<RelayedAct>
}

export declare namespace openRelay {
  type Parts = RelayParts
}

/** Opens the relay of a wallet. */
export function openRelay(parts: openRelay.Parts): Relay {
  const { contracts, now } = parts
  const turns = inTurn<RelayedAct>()
  const tries = boundedTries(parts.now)
  const tryCall = callTries(parts, tries)
  const opening = { ...parts, tries, execute: executeWithRoom(parts) }
  const { marketplace: to } = contracts
  return {
    forward: async (given, options) => {
      const request = unwrap(given)
      const act = requireAct(request, contracts)
      const data = encodeExecute(request)
      const call = { operation: 'relay', to: contracts.forwarder, data } as const
      const prepare = async () => {
        requireRelayable(request, { ...parts, rules: options.rules, now: now() })
        const claim = claimOfRequest(parts, request, { call, signature: given.signature })
        await openAccount(opening, claim, options)
        await tryCall({ ...call, client: options.client }, () => tryOut(parts, request))
      }
      const turn = { ...options, account: request.from }
      return turns(data, turn, () => send(parts, { ...options, call, act, prepare }))
    },
    payOrder: async (payment, options) => {
      const { order, payer: account, signature } = payment
      const orderHash = hashOfOrder(parts, order)
      const data = encodePayOrder(unwrap(payment))
      const signed = { operation: 'payOrder', to, data } as const
      const claim = claimOfPayment(parts, payment, { call: signed, signature, orderHash })
      const open = () => openAccount(opening, claim, options)
      const call = { operation: 'payOrder', order, orderHash, data, open } as const
      const turn = { ...options, account }
      return turns(data, turn, () => carryOut({ ...parts, tryCall }, { ...options, ...call }))
    },
    settle: async (settlement, options) => {
      const { order } = settlement
      const orderHash = hashOfOrder(parts, order)
      const data = encodeSettle(settlement)
      const call = { operation: 'settle', order, orderHash, data } as const
      const turn = { ...options, account: orderHash }
      return turns(data, turn, () => carryOut({ ...parts, tryCall }, { ...options, ...call }))
    },
    settled: async (order) => {
      const job = await findOrderJob(parts.lane, 'settle', hashOfOrder(parts, order))
      // Somebody else may have carried it out after this wallet gave it up.
      if (job.kind !== 'done') return undefined
      return { ...resultOf(actOf(order), job.outcome), payer: payerIn(job.outcome.data) }
    },
    refund: async (refund, { rules, budgets, client }) => {
      const data = encodeRefund(refund)
      return turns(data, { client, account: refund.order.recipient }, async () => {
        await requireRefundable(parts, refund, rules.leastOrder)
        await tryOutRefund(parts, data)
        // Without a key: what arrives later at the same address is given back by the same call.
        return resultOf('refund', await execute(parts, { operation: 'refund', to, data, budgets }))
      })
    },
  }
}

/** Returns what was signed with the signature that a deployed account checks. */
const unwrap = <Signed extends { readonly signature: Hex }>(signed: Signed): Signed => ({
  ...signed,
  signature: creationIn(signed.signature)?.signature ?? signed.signature,
})

type Trial = { readonly to: Hex; readonly data: Hex; readonly client: string | undefined }

type TryCall = (trial: Trial, task: () => Promise<void>) => Promise<void>

/** Returns a function that tries out a call, within the bounds of a chain in this process. */
function callTries(parts: openRelay.Parts, tries: Tries): TryCall {
  return async ({ client, ...call }, task) => {
    if (!parts.isLocal) return task()
    return tries({ client, gas: await foreignGasOf(parts, call) }, task)
  }
}

/** Returns the payer in the call data of a settlement; none once that was pruned. */
const payerIn = (data: Hex): Account | undefined =>
  data === '0x' ? undefined : decodeSettle(data).authorization?.payer

const actOf = ({ act }: EncodedOrder): string => orderActs[act] ?? 'settle'

type CarryingOut = RelayOptions & {
  readonly operation: OrderOperation
  readonly order: EncodedOrder
  readonly orderHash: Hash
  readonly data: Hex
  /** Deploys the account that pays, where that is not there yet. */
  readonly open?: () => Promise<void>
}

/** Carries out an order, or returns the result that it had before. */
async function carryOut(
  parts: openRelay.Parts & { readonly tryCall: TryCall },
  { operation, order, orderHash, data, open, rules, budgets, client }: CarryingOut,
): Promise<RelayedAct> {
  const job = await findOrderJob(parts.lane, operation, orderHash)
  if (job.kind === 'done') return resultOf(actOf(order), job.outcome)
  if (job.kind === 'given-up') throw job.failure
  requirePrice(order, rules.leastOrder)
  requireRefundee(order, parts.contracts)
  const { marketplace: to } = parts.contracts
  await open?.()
  await parts.tryCall({ to, data, client }, () => tryOutOrder(parts, data))
  const { idempotency } = job
  const call = { operation, to, data, budgets, idempotency }
  return resultOf(actOf(order), await execute(parts, call))
}

type LaneJob = Omit<Parameters<NonceLane['execute']>[0], 'value'>

/** Sends a call through the lane. */
const execute = ({ lane }: openRelay.Parts, job: LaneJob): Promise<Outcome> =>
  withinLimits(() => lane.execute({ ...job, value: 0n }))

/** Returns a function that sends a call before an act, where the act has room in its budgets after it. */
const executeWithRoom = (parts: openRelay.Parts) => async (job: LaneJob, gasOfAct: bigint) => {
  await withinLimits(() => requireRoom(parts, job.budgets ?? [], gasOfAct))
  return execute(parts, job)
}

/** Names the limits of relayed acts where a task is beyond one. */
async function withinLimits<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task()
  } catch (error) {
    throw limitFailure(error) ?? error
  }
}

type Sending = {
  readonly call: { readonly operation: LaneOperation; readonly to: Hex; readonly data: Hex }
  readonly act: string
  readonly budgets: readonly Budget[]
  /** Checks what was never sent before. */
  readonly prepare: () => Promise<void>
}

/** Sends a call, or returns the result that it had before. */
async function send(parts: openRelay.Parts, sending: Sending): Promise<RelayedAct> {
  const { call, act, budgets, prepare } = sending
  const fingerprint = keccak256(call.data)
  const idempotency = { key: `relay ${fingerprint}`, fingerprint }
  const known = await parts.lane.recall(call.operation, idempotency)
  if (known !== undefined) return resultOf(act, known)
  await prepare()
  return resultOf(act, await execute(parts, { ...call, idempotency, budgets }))
}

/** The acts that mint tokens. No foreign code runs in them, so the events of the mints are ours. */
const minting = /^(mint|fork)/

function resultOf(act: string, { txHash, tokenIds = [], expiresAt }: Outcome): RelayedAct {
  return {
    act,
    txHash,
    tokenIds: minting.test(act) ? tokenIds.map((id) => tokenId(id)) : [],
    expiresAt: act === 'rent' && expiresAt !== undefined ? instant(expiresAt) : undefined,
  }
}

/** The names of the budgets of relayed acts; those of API keys have no space. */
export const relayBudget = (whose: 'account' | 'client' | 'server', name = ''): string =>
  `relay ${whose} ${name}`.trim()

/** Returns the failure of a limit of relayed acts; `undefined` for any other. */
function limitFailure(error: unknown): Failure | undefined {
  if (isFailure(error, 'api-key/call-limit')) {
    const { name, needed, limit } = error.facts
    return isOurs(name) ? new Failure('relay/too-costly', { needed, limit }) : undefined
  }
  if (!isFailure(error, 'api-key/day-limit')) return undefined
  const { name, ...facts } = error.facts
  const whose = name.split(' ')[1] ?? ''
  return isOurs(name) ? new Failure('relay/day-limit', { whose, ...facts }) : undefined
}

const isOurs = (name: string): boolean => name.startsWith('relay ')
