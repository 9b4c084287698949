import { type Hex, numberToHex } from 'viem'
import type { Deployment } from '../../../src/client/responses.ts'
import { Problem, toProblem } from '../api/problem.ts'
import { loadDeployment } from '../deployment.ts'
import { formatShortEther } from '../text/ether.ts'
import type { ConnectedWallet } from '../wallet/connected-wallet.ts'
import type { Provider } from '../wallet/provider.ts'
import { hasRpc, rpcProvider } from '../wallet/rpc-provider.ts'
import { type Act, getPayment } from './act.ts'
import type { ActEvent, Cost, Receipt } from './act-stage.ts'
import { computeGasLimit } from './compute-gas-limit.ts'
import { encodeAct, toChainProblem } from './contracts.ts'
import { findMintedToken, type Log } from './find-minted-token.ts'
import type { PendingAct } from './pending-act.ts'
import { requireMintable } from './require-mintable.ts'

/** Returns the provider for chain reads: the server's chain if it has one, otherwise the wallet. */
export const chainProvider = (wallet: Pick<ConnectedWallet, 'provider'> | undefined): Provider =>
  hasRpc.value || wallet === undefined ? rpcProvider : wallet.provider

/**
 * Simulates an act on the chain and returns its cost.
 *
 * @throws {Problem} when it would fail
 */
export async function estimateCost(act: Act, wallet: ConnectedWallet): Promise<Cost> {
  const read = async (method: string, ...params: unknown[]) =>
    BigInt((await chainProvider(wallet).request({ method, params })) as Hex)
  const { account } = wallet
  const value = getPayment(act)
  try {
    const to = await requireTarget(act, wallet)
    const balance = await read('eth_getBalance', account, 'latest')
    if (balance < value) throw insufficientFunds(balance, value)
    const call = { from: account, to, data: encodeAct(act, account) }
    const [estimate, gasPrice] = await Promise.all([
      read('eth_estimateGas', { ...call, value: numberToHex(value) }),
      read('eth_gasPrice'),
    ])
    const fee = estimate * gasPrice
    if (balance < value + fee) throw insufficientFunds(balance, value + fee)
    return { value, gas: computeGasLimit(estimate, hasRpc.value), fee, balance }
  } catch (error) {
    throw toChainProblem(error)
  }
}

/**
 * Returns the contract that an act calls.
 *
 * @throws {Problem} for a mint whose token would open nothing
 */
async function requireTarget(act: Act, { account }: ConnectedWallet): Promise<Hex> {
  const deployment = await loadDeployment()
  if (act.kind !== 'mint') return deployment.marketplace
  requireMintable(act.seal, { ...deployment, account })
  return deployment.registry
}

const insufficientFunds = (balance: bigint, needed: bigint) =>
  new Problem(
    `This wallet holds ${formatShortEther(balance)}, and ${formatShortEther(needed)} is needed.`,
    'Nothing was paid. Add ether to the wallet, or connect another one.',
    { code: 'wallet/short' },
  )

/**
 * Sends an act through the wallet and returns the transaction hash.
 *
 * @throws {Problem} when the wallet, its user or the chain refuses
 */
export async function sendAct(
  act: Act,
  wallet: ConnectedWallet,
  { gas, value }: Cost,
): Promise<Hex> {
  const { provider, account } = wallet
  try {
    const to = await requireTarget(act, wallet)
    // The terms may have changed since the estimate; failing here costs nothing.
    await estimateCost(act, wallet)
    const transaction = {
      from: account,
      to,
      data: encodeAct(act, account),
      value: numberToHex(value),
      gas: numberToHex(gas),
    }
    return (await provider.request({ method: 'eth_sendTransaction', params: [transaction] })) as Hex
  } catch (error) {
    throw toChainProblem(error)
  }
}

/** The interval between looks at a transaction, in milliseconds. */
const pollInterval = 700

/** Follows a transaction until its outcome is known, through lost connections. */
export async function followTransaction(
  { act, hash }: PendingAct,
  chain: () => Provider,
  dispatch: (event: ActEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    let wait: number | undefined
    try {
      const receipt = (await chain().request({
        method: 'eth_getTransactionReceipt',
        params: [hash],
      })) as RawReceipt | undefined
      if (receipt) return dispatch(outcomeOf({ act, hash }, receipt, await loadDeployment()))
      dispatch({ kind: 'connected' })
    } catch (error) {
      wait = toProblem(error).wait
      dispatch(missedResponse(wait))
    }
    await new Promise((resolve) => setTimeout(resolve, intervalAfter(wait)))
  }
}

/** Returns the event of a failed look; a server that says when to retry is connected. */
const missedResponse = (wait: number | undefined): ActEvent => ({
  kind: wait === undefined ? 'disconnected' : 'connected',
})

const intervalAfter = (wait = 0): number => Math.max(pollInterval, wait * 1000)

type RawReceipt = {
  readonly status: Hex
  readonly blockNumber: Hex
  readonly gasUsed: Hex
  readonly effectiveGasPrice: Hex
  readonly logs: readonly Log[]
}

function outcomeOf({ act, hash }: PendingAct, raw: RawReceipt, contracts: Deployment): ActEvent {
  const fee = BigInt(raw.gasUsed) * BigInt(raw.effectiveGasPrice)
  if (BigInt(raw.status) === 0n) {
    const problem = new Problem(
      `The transaction failed. The network fee was ${formatShortEther(fee)}.`,
      'The price was not paid. Try again to see the current terms.',
      { code: 'transaction/reverted' },
    )
    return { kind: 'refused', problem }
  }
  const minted = findMintedToken(act, raw.logs, contracts)
  const receipt: Receipt = { hash, block: BigInt(raw.blockNumber), fee, minted }
  return { kind: 'mined', receipt }
}
