import { type ActCall, encodeAct } from '@heirloom/adapters/internal/acts'
import { offersBatches } from '@heirloom/adapters/internal/wallet'
import { type Hex, numberToHex } from 'viem'
import {
  gasOfDearestPurchase,
  gasOfPurchase,
} from '../../../../adapters/src/platform/gas-of-purchase.ts'
import { publicLimits } from '../../../../adapters/src/platform/public-limits.ts'
import type { Deployment } from '../../../src/client/responses.ts'
import { shortestTime } from '../../../src/wallet/check-seal.ts'
import { currencyOf, deployment, loadDeployment } from '../api/deployment.ts'
import { Problem } from '../api/problem.ts'
import { accessKey } from '../create/access-key.ts'
import { isSameAccount, shortenAccount } from '../text/account.ts'
import type { ConnectedWallet } from '../wallet/connected-wallet.ts'
import { chainProvider } from '../wallet/open-chain.ts'
import { hasRpc } from '../wallet/rpc-provider.ts'
import { type Act, getCurrency, getPayment, isOrder, type Payment } from './act.ts'
import type { Cost } from './act-stage.ts'
import { checkPayment, tooLittle } from './check-payment.ts'
import { ledgerActOf } from './ledger-act.ts'
import { toChainProblem } from './to-chain-problem.ts'
import type { UnmintedSeal } from './unminted-seals.ts'

/**
 * Simulates an act on the chain and returns its cost.
 *
 * @throws {Problem} when it would fail
 */
export async function estimateCost(act: Act, wallet: ConnectedWallet): Promise<Cost> {
  try {
    if (wallet.isRelayed) requireRelayed(act)
    return await (isOrder(act) ? estimateOrder(act, wallet) : estimateCall(act, wallet))
  } catch (error) {
    throw toChainProblem(error, currencyOf(getCurrency(act)))
  }
}

const reader = (wallet: ConnectedWallet) => {
  const provider = chainProvider(wallet)
  return async (method: string, ...params: unknown[]) =>
    BigInt((await provider.request({ method, params })) as Hex)
}

async function estimateCall(act: Act, wallet: ConnectedWallet): Promise<Cost> {
  const { account } = wallet
  const read = reader(wallet)
  const { to, data, value } = await readCall(act, wallet)
  const balance = await read('eth_getBalance', account, 'latest')
  if (balance < value) throw tooLittleMoney(balance, value)
  const call = { from: account, to, data, value: numberToHex(value) }
  const [estimate, gasPrice] = await Promise.all([
    read('eth_estimateGas', call),
    read('eth_gasPrice'),
  ])
  const fee = estimate * gasPrice
  const isAffordable = !wallet.isRelayed && balance >= value + fee
  if (!isAffordable && !isRelayable(act)) throw tooLittleMoney(balance, value + fee)
  const feePayer = isAffordable ? 'wallet' : 'server'
  return { value, gas: computeGasLimit(estimate, hasRpc.value), fee, feePayer, balance }
}

/** Requires that the relay can carry out an act, for a wallet that only signs. @throws {Problem} */
function requireRelayed(act: Act): void {
  const isNative = !isOrder(act) && (getPayment(act) > 0n || isPricedInNative(act))
  if (!isNative && isRelayOpen(act)) return
  throw new Problem(
    isNative
      ? `The account of a passkey deals in dollars: it sends no transaction, so it could not spend ${currencyOf('native').symbol}.`
      : 'The account of a passkey sends no transaction, and this server does not pay for that one now.',
    'Nothing was paid. Connect another wallet for it.',
    { code: 'passkey/not-relayed' },
  )
}

const isPricedInNative = (act: Act): boolean =>
  act.kind === 'list' &&
  act.terms.currency === 'native' &&
  [act.terms.price, act.terms.rentalPricePerDay, act.terms.forkPrice].some((it) => it !== '0')

/** Returns whether the server may send an act in the name of the wallet: one that sends no native money. */
const isRelayable = (act: Act): boolean => getPayment(act) === 0n && isRelayOpen(act)

/**
 * The gas of an order, for an estimate before it is signed: somewhat more than docs/gas.md measures,
 * because the transfers of other dollars cost more than those of the test dollar.
 */
const usualGas: { readonly [kind in Payment['kind']]: bigint } = {
  buy: 175_000n,
  rent: 165_000n,
  fork: 190_000n,
  royalty: 135_000n,
}

/** The gas that an order takes more when it is paid at its own address. */
const gasOfDeposit = 95_000n

async function estimateOrder(act: Payment, wallet: ConnectedWallet): Promise<Cost> {
  const read = reader(wallet)
  const { balance: dollars } = await checkPayment(act, wallet)
  const [balance, gasPrice] = await Promise.all([
    read('eth_getBalance', wallet.account, 'latest'),
    read('eth_gasPrice'),
  ])
  const feePayer = isRelayOpen(act) ? 'server' : 'wallet'
  const isBatch = feePayer === 'wallet' && (await offersBatches(wallet))
  const gas = usualGas[act.kind] + (isBatch ? gasOfDeposit : 0n)
  const fee = gas * gasPrice
  if (feePayer === 'wallet' && balance < fee) throw tooLittleMoney(balance, fee)
  return { value: 0n, gas, fee, feePayer, balance, dollars, isBatch }
}

/**
 * Returns the call of a contract that performs an act.
 *
 * @throws {Problem} for a mint whose token would open nothing
 */
export async function readCall(act: Act, { account }: ConnectedWallet): Promise<ActCall> {
  const deployment = await loadDeployment()
  if (act.kind === 'mint') requireMintable(act.seal, { ...deployment, account })
  return encodeAct(deployment, ledgerActOf(act, account))
}

const tooLittleMoney = (balance: bigint, needed: bigint) =>
  tooLittle('native', { balance, needed, code: 'wallet/short' })

type Place = Pick<Deployment, 'chainId' | 'registry'> & { readonly account: string }

/**
 * Refuses a mint whose token would open nothing.
 *
 * @throws {Problem}
 */
function requireMintable(seal: UnmintedSeal, { account, ...here }: Place): void {
  if (!isSameAccount(seal.creator, account)) {
    throw new Problem(
      `The memory is sealed for ${shortenAccount(seal.creator)}, and nobody could open a token that another wallet mints.`,
      'Nothing was paid. Connect that wallet.',
      { code: 'seal/other-wallet' },
    )
  }
  if (seal.chainId !== here.chainId || !isSameAccount(seal.registry, here.registry)) {
    throw new Problem(
      'The memory is sealed for other contracts than this server has now.',
      'Nothing was paid. Seal it again.',
      { code: 'seal/other-registry' },
    )
  }
  if (seal.expiresAt < Date.now() + shortestTime) {
    throw new Problem(
      'The time to mint this sealed memory is over.',
      'Nothing was paid. Seal it again from its file.',
      { code: 'seal/expired' },
    )
  }
}

/**
 * Computes the gas limit from an estimate. It has a margin, because payments may need more gas by
 * then, and unused gas is free. The embedded chain refuses more than its public limit, and of a payment
 * more than its purchase may take, which only the server knows where the payment is dear.
 */
export function computeGasLimit(estimate: bigint, isThroughServer: boolean): bigint {
  const withMargin = (estimate * 5n) / 4n + 30_000n
  const limits = isThroughServer ? [publicLimits.gas, gasOfPurchase] : []
  const isDear = isThroughServer && estimate <= gasOfDearestPurchase
  const most = limits.find((limit) => estimate <= limit) ?? (isDear ? estimate : withMargin)
  return withMargin < most ? withMargin : most
}

/** The acts that the relay of the server refused to pay for. */
const refusedActs = new Set<string>()

/** Returns whether the relay of the server may carry out an act of this visitor. */
function isRelayOpen(act: Act): boolean {
  const isOpen = deployment.value?.openActs?.includes('relay') === true || accessKey.value !== ''
  return isOpen && !refusedActs.has(JSON.stringify(act))
}

/** Remembers that the relay does not pay for an act, so that the next try is the wallet's own transaction. */
export function rememberRefusal(act: Act, { code = '' }: Pick<Problem, 'code'>): void {
  if (isRefusalOfRelay(code)) refusedActs.add(JSON.stringify(act))
}

/** Returns whether a failure is that of the relay and its limits, not of the act. */
export const isRefusalOfRelay = (code: string): boolean =>
  /^(relay|wallet|api-key)\//.test(code) || code === 'request/not-authorized'
