import { type Hex, numberToHex } from 'viem'
import { Problem, problemOf } from '../api/problem.ts'
import { learnDeployment } from '../deployment.ts'
import { shortEther } from '../text/ether.ts'
import type { Connected } from '../wallet/connected-wallet.ts'
import type { Provider } from '../wallet/provider.ts'
import { hasRpc, rpcProvider } from '../wallet/rpc-provider.ts'
import { type Act, worthOf } from './act.ts'
import { callOf, chainProblem, childIn, type Log } from './contracts.ts'
import { gasToAllow } from './compute-gas-limit.ts'
import type { Cost, News, Receipt } from './act-stage.ts'

/** Returns whom to ask about the chain: the server that has it, or else the wallet. */
export const chainOf = (wallet: Pick<Connected, 'provider'> | undefined): Provider =>
  hasRpc.value || wallet === undefined ? rpcProvider : wallet.provider

/**
 * Returns what an act costs now, having tried it out on the chain.
 *
 * @throws {Problem} when it would fail
 */
export async function weigh(act: Act, wallet: Connected): Promise<Cost> {
  const ask = async (method: string, ...params: unknown[]) =>
    BigInt((await chainOf(wallet).request({ method, params })) as Hex)
  const { account } = wallet
  const value = worthOf(act)
  try {
    const { marketplace } = await learnDeployment()
    const balance = await ask('eth_getBalance', account, 'latest')
    if (balance < value) throw tooLittle(balance, value)
    const call = { from: account, to: marketplace, data: callOf(act, account) }
    const [estimate, gasPrice] = await Promise.all([
      ask('eth_estimateGas', { ...call, value: numberToHex(value) }),
      ask('eth_gasPrice'),
    ])
    const fee = estimate * gasPrice
    if (balance < value + fee) throw tooLittle(balance, value + fee)
    return { value, gas: gasToAllow(estimate, hasRpc.value), fee, balance }
  } catch (error) {
    throw chainProblem(error)
  }
}

const tooLittle = (balance: bigint, needed: bigint) =>
  new Problem(
    `This wallet holds ${shortEther(balance)}, and ${shortEther(needed)} is needed.`,
    'Nothing was paid. Add ether to the wallet, or connect another one.',
    { code: 'wallet/short' },
  )

/**
 * Has the wallet send an act, and returns its transaction.
 *
 * @throws {Problem} when the wallet, its user or the chain refuses
 */
export async function send(act: Act, wallet: Connected, { gas, value }: Cost): Promise<Hex> {
  const { provider, account } = wallet
  try {
    const { marketplace } = await learnDeployment()
    // What was agreed to a minute ago may no longer be so, and failing here costs nothing.
    await weigh(act, wallet)
    const wanted = {
      from: account,
      to: marketplace,
      data: callOf(act, account),
      value: numberToHex(value),
      gas: numberToHex(gas),
    }
    return (await provider.request({ method: 'eth_sendTransaction', params: [wanted] })) as Hex
  } catch (error) {
    throw chainProblem(error)
  }
}

/** How often the chain is asked what became of a transaction, in milliseconds. */
const patience = 700

/** Tells what becomes of a transaction, for as long as that takes, through every lost connection. */
export async function follow(
  hash: string,
  chain: () => Provider,
  tell: (news: News) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    let wait: number | undefined
    try {
      const told = (await chain().request({
        method: 'eth_getTransactionReceipt',
        params: [hash],
      })) as RawReceipt | undefined
      if (told) return tell(outcome(hash, told, (await learnDeployment()).marketplace))
      tell({ kind: 'found' })
    } catch (error) {
      wait = problemOf(error).wait
      tell(missed(wait))
    }
    await new Promise((resolve) => setTimeout(resolve, patienceFor(wait)))
  }
}

/** A server that says when to come back is there. */
const missed = (wait: number | undefined): News => ({ kind: wait === undefined ? 'lost' : 'found' })

const patienceFor = (wait = 0): number => Math.max(patience, wait * 1000)

type RawReceipt = {
  readonly status: Hex
  readonly blockNumber: Hex
  readonly gasUsed: Hex
  readonly effectiveGasPrice: Hex
  readonly logs: readonly Log[]
}

function outcome(hash: string, raw: RawReceipt, marketplace: Hex): News {
  const fee = BigInt(raw.gasUsed) * BigInt(raw.effectiveGasPrice)
  if (BigInt(raw.status) === 0n) {
    const problem = new Problem(
      `The chain refused the transaction, and took ${shortEther(fee)} for looking at it.`,
      'The price was not paid. Close this, look at the terms as they are now, and decide again.',
      { code: 'transaction/reverted' },
    )
    return { kind: 'refused', problem }
  }
  const child = childIn(raw.logs, marketplace)
  const receipt: Receipt = { hash, block: BigInt(raw.blockNumber), fee, child }
  return { kind: 'mined', receipt }
}
