import { type Hex, numberToHex } from 'viem'
import { encodePayOrder } from '../../../../adapters/src/ledger/orders/encode-payment.ts'
import { chainProvider } from '../chain/chain-provider.ts'
import { currencyOf } from '../currencies.ts'
import { loadDeployment } from '../deployment.ts'
import { checkPayment } from '../relay/check-payment.ts'
import { signCall } from '../relay/sign-call.ts'
import { signOrder } from '../relay/sign-order.ts'
import type { ConnectedWallet } from '../wallet/connected-wallet.ts'
import { hasRpc } from '../wallet/rpc-provider.ts'
import { type Act, getCurrency, isOrder, type Payment } from './act.ts'
import type { Cost } from './act-stage.ts'
import { computeGasLimit } from './compute-gas-limit.ts'
import { encodeAct } from './encode-act.ts'
import { estimateCost, requireTarget } from './estimate-cost.ts'
import type { SentAct } from './pending-act.ts'
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
  const { account } = wallet
  const to = await requireTarget(act, wallet)
  // The terms may have changed since the estimate; failing here costs nothing.
  await estimateCost(act, wallet)
  const call = { to, data: encodeAct(act, account), gas }
  if (feePayer === 'server') return { signed: await signCall(wallet, call) }
  return { hash: await sendTransaction(wallet, { ...call, value }) }
}

async function sendOrder(
  act: Payment,
  wallet: ConnectedWallet,
  { feePayer }: Cost,
): Promise<SentAct> {
  // Here too: what is signed is what the chain says now, or nothing.
  const checked = await checkPayment(act, wallet)
  const { payment, ...signed } = await signOrder(act, wallet, checked)
  if (feePayer === 'server') return { signed }
  const { marketplace: to } = await loadDeployment()
  const data = encodePayOrder(payment)
  const call = { from: wallet.account, to, data }
  const estimate = (await chainProvider(wallet).request({
    method: 'eth_estimateGas',
    params: [call],
  })) as Hex
  const gas = computeGasLimit(BigInt(estimate), hasRpc.value)
  return { hash: await sendTransaction(wallet, { to, data, gas, value: 0n }) }
}

type Transaction = {
  readonly to: Hex
  readonly data: Hex
  readonly gas: bigint
  readonly value: bigint
}

async function sendTransaction(
  { provider, account: from }: ConnectedWallet,
  { to, data, gas, value }: Transaction,
): Promise<string> {
  const transaction = { from, to, data, value: numberToHex(value), gas: numberToHex(gas) }
  return (await provider.request({
    method: 'eth_sendTransaction',
    params: [transaction],
  })) as string
}
