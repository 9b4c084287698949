import { type ActResult, findOrder } from '@heirloom/adapters/internal/acts'
import { effectsIn, fateInReceipt, isUsedUp, readCalls } from '@heirloom/adapters/internal/wallet'
import { formatTransactionReceipt, type Hex, isHash, type RpcTransactionReceipt } from 'viem'
import { shortAmount } from '../api/deployment.ts'
import { addressOf, postJson, readNow } from '../api/get-json.ts'
import { Problem, toProblem } from '../api/problem.ts'
import { keyHeaders } from '../create/access-key.ts'
import { isSameAccount } from '../text/account.ts'
import type { CurrencyKind } from '../text/amount.ts'
import { connectedWallet, type Provider } from '../wallet/connected-wallet.ts'
import { type Chain, openChain } from '../wallet/open-chain.ts'
import { type Act, isOrder } from './act.ts'
import type { ActEvent, Receipt } from './act-stage.ts'
import { estimateCost, isRefusalOfRelay, rememberRefusal } from './estimate-cost.ts'
import { ledgerActOf } from './ledger-act.ts'
import type { PendingAct, SentAct, SentBatch } from './pending-act.ts'
import { forgetSignedOrder, type SignedAct } from './sign-order.ts'
import { isGone } from './to-chain-problem.ts'

/** The interval between looks at a transaction, in milliseconds. */
const pollInterval = 700

/** The chain, the receiver of what is seen there, and the end of the interest in it. */
type Watch = {
  readonly chain: () => Provider
  readonly dispatch: (event: ActEvent) => void
  readonly signal: AbortSignal
}

/** Follows an act until its outcome is known, through lost connections. */
export async function followAct(pending: PendingAct, watch: Watch): Promise<void> {
  const { hash, signed, batch } = pending.sent
  if (hash !== undefined) return followTransaction(pending, hash, watch)
  const event = await poll(watch, async () => {
    if (batch !== undefined) return lookAtBatch(pending, batch, watch)
    return signed && relay({ ...pending, signed }, watch)
  })
  if (event === undefined) return
  watch.dispatch(event)
  if (event.kind === 'named') await followTransaction(pending, event.hash as Hex, watch)
}

/** Looks until there is something to report, through lost connections. */
async function poll(
  { dispatch, signal }: Watch,
  look: () => Promise<ActEvent | undefined>,
): Promise<ActEvent | undefined> {
  while (!signal.aborted) {
    let wait: number | undefined
    try {
      const event = await look()
      if (event !== undefined) return event
      dispatch({ kind: 'connected' })
    } catch (error) {
      wait = toProblem(error).wait
      // A server that says when to retry is connected.
      dispatch({ kind: wait === undefined ? 'disconnected' : 'connected' })
    }
    await pause(wait)
  }
  return undefined
}

type Relayed = PendingAct & { readonly signed: SignedAct }

/** Sends a signed act to the relay, which names its transaction or refuses. */
async function relay(relayed: Relayed, watch: Watch): Promise<ActEvent> {
  try {
    return { kind: 'named', hash: await postRelay(relayed.signed) }
  } catch (error) {
    const problem = toProblem(error)
    if (isWorthRetrying(problem)) throw problem
    return { kind: 'refused', problem: await explainRefusal(relayed, problem, watch) }
  }
}

const isWorthRetrying = ({ isRetryable, code = '' }: Problem): boolean =>
  isRetryable && !isRefusalOfRelay(code)

/** Returns the problem of a refused act, as the chain shows it: a server may say anything. */
async function explainRefusal(
  { act, sent, signed }: Relayed,
  problem: Problem,
  { chain }: Watch,
): Promise<Problem> {
  rememberRefusal(act, problem)
  const isUsed = await isUsedUp(await openChain(chain()), signed).catch(() => false)
  if (!isUsed) return problem
  // The visitor is told, and what they pay from now on is another order.
  if (isOrder(act)) forgetSignedOrder(act, { account: sent.by })
  return usedUp(`what you signed was used, but the server says: ${problem.message}`)
}

/** Returns the problem of what was carried out before. */
export const usedUp = (what: string): Problem =>
  new Problem(
    `The chain shows that ${what}${what.endsWith('.') ? '' : '.'}`,
    'Look at your memories before you pay again.',
    { code: 'relay/used-up' },
  )

/**
 * Looks at calls that a wallet sends together. Whatever it says of them, the chain decides; `undefined`
 * while neither names a transaction.
 */
async function lookAtBatch(
  pending: PendingAct,
  { id, since }: SentBatch,
  { chain }: Watch,
): Promise<ActEvent | undefined> {
  const { by, order = '0x' } = pending.sent
  const wallet = connectedWallet.value
  const isSame = isSameAccount(by, wallet?.account)
  const said = wallet && isSame ? await readCalls(wallet.provider, id) : undefined
  const { client, pair } = await openChain(chain())
  const found = await findOrder(client, pair, { hash: order, since: BigInt(since) })
  const hash = found?.transactionHash ?? said?.txHash
  if (hash !== undefined) return { kind: 'named', hash }
  const isOver = said?.isFailed === true || isOverdue(pending)
  return isOver ? { kind: 'refused', problem: failedBatch() } : undefined
}

const failedBatch = () =>
  new Problem(
    'The wallet did not carry out what you confirmed, and the chain does not show it.',
    'Look at your memories and at your wallet. Trying again pays once: it is the same order.',
    { code: 'wallet/batch-failed' },
  )

async function followTransaction(pending: PendingAct, hash: Hex, watch: Watch): Promise<void> {
  const { chain, dispatch } = watch
  const event = await poll(watch, async () => {
    const request = { method: 'eth_getTransactionReceipt', params: [hash] }
    const receipt = (await chain().request(request)) as RpcTransactionReceipt | undefined
    if (receipt) return readOutcome(pending, receipt, await openChain(chain()))
    return isOverdue(pending) ? { kind: 'refused', problem: notCarriedOut(pending) } : undefined
  })
  if (event !== undefined) dispatch(event)
}

/** The time in which a chain mines what its last second allowed, in seconds. */
const grace = 300

/** Returns whether what was signed, or sent as a batch, can no longer be carried out. */
const isOverdue = ({ sent: { signed, batch } }: PendingAct): boolean =>
  Date.now() / 1000 > ((signed ?? batch)?.deadline ?? Infinity) + grace

const notCarriedOut = ({ sent: { batch } }: PendingAct) =>
  new Problem(
    `The ${batch === undefined ? 'server' : 'wallet'} named a transaction, but the chain has none with this hash.`,
    'What you signed is no longer valid. Look at your memories before you try again.',
    { code: 'relay/not-carried-out' },
  )

const pause = (wait = 0) =>
  new Promise((resolve) => setTimeout(resolve, Math.max(pollInterval, wait * 1000)))

async function readOutcome(
  { act, sent }: PendingAct,
  raw: RpcTransactionReceipt,
  chain: Chain,
): Promise<ActEvent> {
  const { by, signed } = sent
  const receipt = formatTransactionReceipt(raw)
  const { gasUsed, effectiveGasPrice, blockNumber: block, transactionHash: hash } = receipt
  const fee = gasUsed * effectiveGasPrice
  const fate = signed === undefined ? receipt : await fateInReceipt(chain, signed, receipt)
  if (typeof fate !== 'object') return { kind: 'refused', problem: otherTransaction() }
  if (receipt.status === 'reverted') {
    return { kind: 'refused', problem: await explainRevert(act, by, fee) }
  }
  const order = orderIn(sent)
  const effect = order === undefined ? { act: ledgerActOf(act, by), by } : { order }
  const effects = effectsIn(chain.pair, fate, effect)
  if (effects === undefined) return { kind: 'refused', problem: withoutEffect() }
  const feePayer = signed === undefined ? 'wallet' : 'server'
  return { kind: 'mined', receipt: { hash, block, fee, feePayer, ...resultOf(effects) } }
}

/** Returns the hash of the order that was sent, if it was one. */
const orderIn = ({ order, signed }: SentAct): Hex | undefined =>
  signed?.body.payOrder === undefined ? order : signed.hash

const resultOf = ({ tokenIds: [minted], expiresAt }: ActResult): Partial<Receipt> => ({
  minted: minted?.toString(),
  rentedUntil: expiresAt === undefined ? undefined : Number(expiresAt),
})

const withoutEffect = () =>
  new Problem(
    'The transaction that the wallet named does not carry out what you confirmed.',
    'Look at your memories and at your wallet before you try again.',
    { code: 'transaction/other' },
  )

/** Returns the problem of a transaction that failed, with the reason that the chain gives now. */
async function explainRevert(act: Act, by: Hex, fee: bigint): Promise<Problem> {
  const wallet = connectedWallet.value
  const problem =
    wallet && isSameAccount(by, wallet.account)
      ? await estimateCost(act, wallet).then(() => undefined, toProblem)
      : undefined
  const reason = /^(contract|listing)\//.test(problem?.code ?? '') ? problem : undefined
  return new Problem(
    reason?.message ?? 'The transaction failed.',
    `The price was not paid; the network fee was ${shortAmount(fee, 'native')}. ${isGone(reason) ? 'Look for another offer.' : 'Try again to see the current terms.'}`,
    { code: reason?.code ?? 'transaction/reverted' },
  )
}

/**
 * Sends a signed act to the relay of the server, and returns the hash of its transaction. The same
 * act is sent once, however often it is asked for.
 *
 * @throws {Problem} when the server refuses, or does not answer
 */
async function postRelay({ body }: Pick<SignedAct, 'body'>): Promise<Hex> {
  const { txHash } = await postJson<{ readonly txHash?: unknown }>(
    addressOf('relay', {}),
    body,
    keyHeaders(),
  )
  if (isHash(`${txHash}`)) return `${txHash}` as Hex
  throw otherTransaction()
}

/** Returns the problem of a server that named a transaction in vain. */
const otherTransaction = (): Problem =>
  new Problem(
    'The server named a transaction that does not carry out what you signed.',
    'Look at your memories before you try again. Trying again signs nothing that could be paid twice.',
    { code: 'relay/other-transaction' },
  )

/** The number of attempts, and the pause between them in milliseconds. */
const [attempts, betweenAttempts] = [40, 100]

/** Waits for a limited time until the catalogue, which lags behind the chain, shows something. */
async function waitUntil(isVisible: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (await isVisible().catch(() => false)) return
    await new Promise((resolve) => setTimeout(resolve, betweenAttempts))
  }
}

/** Waits until the catalogue has a new token. */
export function waitForToken(
  tokenId: string,
  query: { readonly parent: string } | { readonly contentHash: string },
): Promise<void> {
  return waitUntil(async () => {
    const { items } = await readNow('tokens', { ...query, limit: 100 })
    return items.some((it) => it.tokenId === tokenId)
  })
}

type Withdrawal = { readonly currency: CurrencyKind; readonly amount: string }

/** Waits until the catalogue shows a withdrawal of an account, which has no event. */
export function waitForWithdrawal(
  account: string,
  { currency, amount }: Withdrawal,
): Promise<void> {
  return waitUntil(async () => {
    const earnings = await readNow('earnings', { address: account })
    const { credit } = currency === 'dollar' ? earnings.dollars : earnings
    return credit !== amount
  })
}
