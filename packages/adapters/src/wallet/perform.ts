import { Failure, type Hex, isFailure } from '@heirloom/core'
import { type Act, type ActResult, encodeAct } from '../ledger/acts/index.ts'
import { confirmOrder } from './confirm-order.ts'
import { effectsIn } from './effects-in.ts'
import type { WalletChain } from './open-chain.ts'
import type { OpenOrder, OpenOrders, OrderAct } from './open-orders.ts'
import { openReplacing } from './replacing.ts'
import { revertReasonOf } from './revert-reason.ts'
import type { OnReplace, SendEvents, Sender, Sent } from './sender.ts'
import type { SpendCount } from './spend-limits.ts'
import { abortedError } from './wallet-error.ts'

/** An act of a wallet: a call of a contract, or an order in dollars that is yet to be signed. */
export type WalletAct = Act | OrderAct

/** An act that the chain has accepted, and its effects. */
export type Performed = ActResult & { readonly act: WalletAct; readonly txHash: Hex }

/** The parts of a wallet that perform an act. */
export type Performer = {
  readonly chain: WalletChain
  readonly sender: Sender
  /** The amounts spent in wei and in dollars. */
  readonly spending: { readonly native: SpendCount; readonly dollar: SpendCount }
  readonly orders: OpenOrders
  readonly now: () => number
}

/** The options of one act. */
export type PerformOptions = Partial<SendEvents> & {
  readonly signal?: AbortSignal | undefined
  /** Called with all transactions of the act before one that replaces the others leaves. */
  readonly onReplaced?: ((sent: Sent) => void) | undefined
}

/** A call of a contract, and the order that it pays. */
type OutgoingCall = { readonly act: Act; readonly order?: OpenOrder | undefined }

/**
 * Simulates a call of a contract, signs and sends it, and waits for its receipt. Sends nothing when the
 * simulation fails.
 *
 * @throws the failure that a revert names, `wallet/short`, `wallet/call-limit`, `wallet/day-limit`,
 * `ledger/unavailable`, `transaction/unconfirmed`, `transaction/unknown`, `transaction/reverted`,
 * `client/aborted`, `client/declined`, `client/wrong-chain`, and those of the relay
 */
export async function performCall(
  performer: Performer,
  { act, order }: OutgoingCall,
  { signal, onRequest, onSent, onReplaced }: PerformOptions,
): Promise<Performed> {
  const { sender, spending } = performer
  const prepared = await sender.prepare(act, order)
  if (signal?.aborted) throw abortedError(signal.reason)
  const { cost } = prepared
  const reservation = spending.native.reserve(cost)
  const signedAt = performer.now()
  let sent: Sent | undefined
  try {
    await prepared.send({
      onRequest,
      onSent: (it) => {
        sent = order === undefined ? it : { ...it, order }
        onSent?.(sent)
      },
    })
  } catch (error) {
    if (!isUndecided(error)) reservation.settle(0n)
    throw error
  }
  const pending = { act, sent: requireSent(sent), signal }
  const replacing = openReplacing(performer, { ...pending, signedAt, cost, onReplaced })
  const { onReplace } = replacing
  const { performed, spent } = await confirm(performer, { ...pending, onReplace })
  reservation.settle(spent)
  replacing.settle(0n)
  return performed()
}

/**
 * Simulates an act, and requires that the account can pay it within its limits. Signs nothing.
 *
 * @throws the failure that a revert names, `wallet/short`, `wallet/call-limit`, `wallet/day-limit`,
 * `ledger/unavailable`
 */
export async function requirePayable(
  { sender, spending }: Pick<Performer, 'sender' | 'spending'>,
  act: Act,
): Promise<void> {
  const { cost } = await sender.prepare(act)
  spending.native.reserve(cost).settle(0n)
}

function requireSent(sent: Sent | undefined): Sent {
  if (sent === undefined) throw new Failure('transaction/unknown', {})
  return sent
}

/** Returns whether the transaction of an act may be on the chain, or reach it later. */
export const isUndecided = (error: unknown): boolean =>
  isFailure(error, 'transaction/unknown') ||
  (error instanceof Error && 'code' in error && error.code === 'transaction/unconfirmed')

type Pending = {
  readonly act: WalletAct
  readonly sent: Sent
  readonly signal?: AbortSignal | undefined
  /** Called before a replacement leaves; nothing is replaced when absent. */
  readonly onReplace?: OnReplace | undefined
}

/** The cost of an act in wei, and a function that returns its effects or throws why it failed. */
export type Outcome = { readonly performed: () => Performed; readonly spent: bigint }

/**
 * Waits for an act that was sent.
 *
 * @throws `transaction/unconfirmed`, also when the signal aborts, `transaction/cancelled`, and those of
 * the relay
 */
export async function confirm(
  performer: Omit<Performer, 'spending' | 'now'>,
  { act, sent, signal, onReplace }: Pending,
): Promise<Outcome> {
  const { chain, sender } = performer
  const receipt = await endAtAbort(sender.waitForReceipt(sent, onReplace), sent, signal)
  const fee = sender.feeOf(receipt)
  const { order } = sent
  if (order !== undefined) {
    const performed = await confirmOrder(performer, { order, receipt })
    return { performed, spent: fee }
  }
  if (act.kind === 'order') throw new Error('An order was sent without what it pays.')
  const call = encodeAct(chain.pair, act)
  const { transactionHash: txHash } = receipt
  const effects = effectsIn(chain.pair, receipt, { act, by: sender.address })
  if (effects !== undefined) {
    const performed = { ...effects, act, txHash }
    return { performed: () => performed, spent: fee + call.value }
  }
  const reason = await revertReasonOf(performer, call)
  return { performed: () => fail(reason, txHash), spent: fee }
}

function fail(reason: Failure | undefined, txHash: Hex): never {
  throw reason ?? new Failure('transaction/reverted', { txHash })
}

/** Ends a wait when the signal aborts; the transaction is sent and may still be mined. */
async function endAtAbort<T>(
  waiting: Promise<T>,
  { txHash }: Sent,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (signal === undefined) return waiting
  const { promise, reject } = Promise.withResolvers<never>()
  const end = () => reject(new Failure('transaction/unconfirmed', { txHash }))
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  return Promise.race([waiting, promise]).finally(() => signal.removeEventListener('abort', end))
}
