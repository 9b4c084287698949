import { type ActCall, encodeAct, isOrderOpen } from '@heirloom/adapters/internal/acts'
import { encodeBatch, sendCalls, signRequest } from '@heirloom/adapters/internal/wallet'
import { type Hex, numberToHex } from 'viem'
import { currencyOf, loadDeployment } from '../api/deployment.ts'
import type { ConnectedWallet } from '../wallet/connected-wallet.ts'
import { chainProvider, openChain } from '../wallet/open-chain.ts'
import { hasRpc } from '../wallet/rpc-provider.ts'
import { typedDataSigner } from '../wallet/signers.ts'
import { type Act, getCurrency, isOrder, type Payment } from './act.ts'
import type { Cost } from './act-stage.ts'
import { type CheckedPayment, checkPayment } from './check-payment.ts'
import { computeGasLimit, estimateCost, readCall } from './estimate-cost.ts'
import { usedUp } from './follow-act.ts'
import type { SentAct } from './pending-act.ts'
import {
  deadlineFromNow,
  placeOrder,
  recordSignature,
  releaseSlot,
  signOrder,
} from './sign-order.ts'
import { toChainProblem } from './to-chain-problem.ts'

/**
 * Lets the wallet send an act, or sign it for the relay of the server.
 *
 * @throws {Problem} when the wallet, its user or the chain refuses
 */
export async function sendAct(act: Act, wallet: ConnectedWallet, cost: Cost): Promise<SentAct> {
  try {
    return await (isOrder(act) ? sendOrder(act, wallet, cost) : sendCall(act, wallet, cost))
  } catch (error) {
    throw toChainProblem(error, currencyOf(getCurrency(act)))
  }
}

async function sendCall(
  act: Act,
  wallet: ConnectedWallet,
  { gas, value, feePayer }: Cost,
): Promise<SentAct> {
  const { account: by } = wallet
  const call = await readCall(act, wallet)
  // The terms may have changed since the estimate; failing here costs nothing.
  await estimateCost(act, wallet)
  if (feePayer === 'wallet')
    return { by, hash: await sendTransaction(wallet, { ...call, gas, value }) }
  const request = { call, gas, deadline: deadlineFromNow() }
  const chain = await openChain(chainProvider(wallet))
  return { by, signed: await signRequest(typedDataSigner(wallet), request, chain) }
}

async function sendOrder(
  act: Payment,
  wallet: ConnectedWallet,
  { feePayer, isBatch }: Cost,
): Promise<SentAct> {
  // Here too: what is signed is what the chain says now, or nothing.
  const checked = await checkPayment(act, wallet)
  if (isBatch) return sendBatch(act, wallet, checked)
  const { payment, ...signed } = await signOrder(act, wallet, checked)
  const { account: by } = wallet
  if (feePayer === 'server') return { by, signed }
  const pair = await loadDeployment()
  const { to, data, value } = encodeAct(pair, { kind: 'payOrder', ...payment })
  const params = [{ from: by, to, data }]
  const request = { method: 'eth_estimateGas', params }
  const estimate = (await chainProvider(wallet).request(request)) as Hex
  const gas = computeGasLimit(BigInt(estimate), hasRpc.value)
  const hash = await sendTransaction(wallet, { to, data, gas, value })
  return { by, hash, order: signed.hash }
}

/** Lets a wallet pay an order and have it carried out in one confirmation. */
async function sendBatch(
  act: Payment,
  wallet: ConnectedWallet,
  checked: CheckedPayment,
): Promise<SentAct> {
  // An order that may be paid so is not signed for, nor the other way round: both could be paid.
  const placed = await placeOrder(act, wallet, checked, ' batch')
  const { key, terms, chain, deadline } = placed
  const since = `${await chain.client.getBlockNumber()}`
  // What a wallet keeps back must not be carried out later: only the deadline of the order bounds it.
  const { hash, calls } = await encodeBatch(placed.order, deadline, chain)
  if (!(await isOrderOpen(chain.client, chain.pair, hash))) {
    releaseSlot(key)
    throw usedUp('what you confirmed before was carried out')
  }
  recordSignature(key, terms)
  const id = await sendCalls(wallet, calls).catch((error: unknown) => {
    if (Object(error).code === 4001) recordSignature(key, undefined)
    throw error
  })
  return { by: wallet.account, order: hash, batch: { id, deadline, since } }
}

async function sendTransaction(
  { provider, account: from }: ConnectedWallet,
  { to, data, gas, value }: Omit<ActCall, 'operation'> & { readonly gas: bigint },
): Promise<Hex> {
  const transaction = { from, to, data, value: numberToHex(value), gas: numberToHex(gas) }
  return (await provider.request({ method: 'eth_sendTransaction', params: [transaction] })) as Hex
}
