import {
  type Act,
  type ActCall,
  type ActResult,
  decodeReceipt,
  encodeAct,
  findRevertReason,
  logsOfAct,
  prepareTransaction,
} from '@heirloom/adapters/internal/acts'
import { Failure, type Hex, isFailure } from '@heirloom/core'
import type { TransactionReceipt, TransactionSerializableEIP1559 } from 'viem'
import { abortedError } from '../client/transport/retries.ts'
import type { WalletChain } from './open-chain.ts'
import type { Sender, Sent } from './sender.ts'
import type { SpendCount } from './spend-limits.ts'

/** An act that the chain has accepted, and its effects. */
export type Performed = ActResult & { readonly act: Act; readonly txHash: Hex }

/** The parts of a wallet that perform an act. */
export type Performer = {
  readonly chain: WalletChain
  readonly sender: Sender
  readonly spending: SpendCount
}

/** The options of one act. */
export type PerformOptions = {
  readonly signal?: AbortSignal | undefined
  /** Called as soon as the transaction may reach the chain. */
  readonly onSent?: ((sent: Sent) => void) | undefined
}

/**
 * Simulates an act, signs and sends its transaction, and waits for its receipt. Sends nothing when
 * the simulation fails.
 *
 * @throws the failure that a revert names, `wallet/short`, `wallet/call-limit`, `wallet/day-limit`,
 * `ledger/unavailable`, `transaction/unconfirmed`, `transaction/unknown`, `transaction/reverted`,
 * `client/aborted`, `client/declined`, `client/wrong-chain`
 */
export async function perform(
  performer: Performer,
  act: Act,
  { signal, onSent }: PerformOptions,
): Promise<Performed> {
  const { chain, sender, spending } = performer
  const transaction = await prepareTransaction(
    { client: chain.client, wallet: sender },
    encodeAct(chain.pair, act),
  )
  if (signal?.aborted) throw abortedError(signal.reason)
  const reservation = spending.reserve(highestCost(transaction))
  let sent: Sent | undefined
  try {
    await sender.send(transaction, (it) => {
      sent = it
      onSent?.(it)
    })
  } catch (error) {
    if (!isUndecided(error)) reservation.settle(0n)
    throw error
  }
  const { performed, spent } = await confirm(performer, { act, sent: requireSent(sent), signal })
  reservation.settle(spent)
  return performed()
}

function requireSent(sent: Sent | undefined): Sent {
  if (sent === undefined) throw new Failure('transaction/unknown', {})
  return sent
}

/** Returns whether the transaction of an act may be on the chain, or reach it later. */
export const isUndecided = (error: unknown): boolean =>
  isFailure(error, 'transaction/unconfirmed') || isFailure(error, 'transaction/unknown')

/** Returns the most that a transaction can cost, in wei. */
export const highestCost = ({
  value = 0n,
  gas = 0n,
  maxFeePerGas = 0n,
}: Pick<TransactionSerializableEIP1559, 'value' | 'gas' | 'maxFeePerGas'>): bigint =>
  value + gas * maxFeePerGas

type Pending = {
  readonly act: Act
  readonly sent: Sent
  readonly signal?: AbortSignal | undefined
}

/**
 * Waits for the transaction of an act. Returns what it cost, and a function that returns its effects
 * or throws the reason of its revert.
 *
 * @throws `transaction/unconfirmed`, also when the signal aborts, `transaction/cancelled`
 */
export async function confirm(
  { chain, sender }: Pick<Performer, 'chain' | 'sender'>,
  { act, sent, signal }: Pending,
): Promise<{ readonly performed: () => Performed; readonly spent: bigint }> {
  const receipt = await endAtAbort(sender.waitForReceipt(sent), sent, signal)
  const call = encodeAct(chain.pair, act)
  const { transactionHash: txHash } = receipt
  const logs = logsOfAct(chain.pair, { act, by: sender.address, logs: receipt.logs })
  if (receipt.status === 'success' && logs !== undefined) {
    const performed = { ...decodeReceipt(chain.pair, { logs }), act, txHash }
    return { performed: () => performed, spent: feeOf(receipt) + call.value }
  }
  const reason = await reasonOf({ chain, sender }, call)
  const failed = () => {
    throw reason ?? new Failure('transaction/reverted', { txHash })
  }
  return { performed: failed, spent: feeOf(receipt) }
}

const feeOf = ({ gasUsed, effectiveGasPrice }: TransactionReceipt) => gasUsed * effectiveGasPrice

const reasonOf = ({ chain, sender }: Pick<Performer, 'chain' | 'sender'>, call: ActCall) =>
  findRevertReason({ client: chain.client, wallet: sender }, call)

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
