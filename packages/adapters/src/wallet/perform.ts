import { Failure, type Hex, isFailure } from '@heirloom/core'
import type { TransactionReceipt } from 'viem'
import {
  type Act,
  type ActCall,
  type ActResult,
  type ContractPair,
  decodeOrder,
  decodeReceipt,
  encodeAct,
  findOrder,
  findRevertReason,
  logsOfAct,
} from '../ledger/acts/index.ts'
import type { WalletChain } from './open-chain.ts'
import type { OpenOrder } from './open-orders.ts'
import type { Performed, Performer, WalletAct } from './performer.ts'
import { openReplacing } from './replacing.ts'
import type { OnReplace, SendEvents, Sent, Signer } from './sender.ts'
import { abortedError } from './wallet-error.ts'

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

/** The order that was paid, or the act of an account that was sent. */
export type SentEffect = { readonly order: Hex } | { readonly act: Act; readonly by: Hex }

/**
 * Returns the effects of what was sent, as the receipt of a transaction shows them; `undefined` if it did
 * not happen there. A transaction that succeeded proves nothing: the server that named it may have named
 * another, and that of a contract wallet succeeds while the act in it fails.
 */
export function effectsIn(
  pair: ContractPair,
  { status, logs }: Pick<TransactionReceipt, 'status' | 'logs'>,
  sent: SentEffect,
): ActResult | undefined {
  if (status === 'reverted') return undefined
  if ('order' in sent) return decodeOrder(pair, { logs }, sent.order)
  const own = logsOfAct(pair, { ...sent, logs })
  return own && decodeReceipt(pair, { logs: own })
}

type Parts = Pick<Performer, 'chain' | 'sender' | 'orders'>

/**
 * Returns a function that returns the effects of an order, or throws why it failed. A transaction that
 * pays an order reverts when somebody else had it carried out before; then the order succeeded.
 */
async function confirmOrder(
  parts: Parts,
  { order, receipt }: { readonly order: OpenOrder; readonly receipt: TransactionReceipt },
): Promise<() => Performed> {
  const { chain } = parts
  const own = receipt.status === 'success' ? receipt : undefined
  const settled = own ?? (await findOrder(chain.client, chain.pair, order))
  if (settled !== undefined) {
    const performed = endOrder(parts, order, settled)
    return () => performed
  }
  const { transactionHash: txHash } = receipt
  const call = encodeAct(chain.pair, { kind: 'payOrder', ...order.payment })
  const reason = await revertReasonOf(parts, call)
  return () => {
    throw reason ?? new Failure('transaction/reverted', { txHash })
  }
}

/** Forgets an order that a transaction carried out, and returns its effects. */
export function endOrder(
  { chain, orders }: Pick<Performer, 'chain' | 'orders'>,
  order: OpenOrder,
  receipt: TransactionReceipt,
): Performed {
  const effects = decodeOrder(chain.pair, receipt, order.hash)
  if (effects === undefined) throw new Failure('ledger/unavailable', { operation: 'receipt' })
  orders.end(order, 'settled')
  return { ...effects, act: order.act, txHash: receipt.transactionHash }
}

type Caller = {
  readonly chain: Pick<WalletChain, 'client'>
  readonly sender: Pick<Signer, 'address'>
}

/** Returns why a call of an account reverts now; `undefined` if it does not, or names no reason. */
const revertReasonOf = ({ chain, sender }: Caller, call: ActCall): Promise<Failure | undefined> =>
  findRevertReason({ client: chain.client, wallet: sender }, call)
