import { Failure } from '@heirloom/core'
import {
  type Hex,
  keccak256,
  type PublicClient,
  parseTransaction,
  type TransactionReceipt,
  type TransactionSerializableEIP1559,
} from 'viem'
import { broadcast, miningTimeout } from '../ledger/acts/index.ts'
import {
  attemptsOf,
  newestHash,
  type OnReplace,
  type Sent,
  type SignedBytes,
  type SigningAccount,
} from './sender.ts'

/** The number of blocks that must leave a transaction out before it is replaced. */
const blocksLeftOut = 3n

/** The time after which it is replaced although its price covers the base fee, in milliseconds. */
const patience = 30_000

/** The raise of a replacement: nodes refuse one that adds less than a tenth. */
const raise = { numerator: 9n, denominator: 8n }

/** The highest price of a replacement, as a multiple of the first price, where no limit is set. */
const usualCap = 4n

export declare namespace waitForAttempts {
  type Parts = {
    readonly client: PublicClient
    readonly account: SigningAccount
    /** The longest wait, in milliseconds. */
    readonly timeout: number | undefined
    /** The most that the fees of one act may be, in wei. */
    readonly feeLimit: bigint | undefined
  }
}

/**
 * Waits for the receipt of one of the transactions of an act. With `onReplace`, one that the blocks leave
 * out because the fees of the chain rose is signed again at a higher price, for the same call and under
 * the same nonce, so that only one of them is mined.
 *
 * @throws `transaction/unconfirmed` with the hash of the newest transaction
 */
export async function waitForAttempts(
  parts: waitForAttempts.Parts,
  sent: Sent,
  onReplace: OnReplace | undefined,
): Promise<TransactionReceipt> {
  const { client, timeout = miningTimeout } = parts
  const end = performance.now() + timeout
  const replacer = onReplace && createReplacer(parts, onReplace)
  for (let current = sent; ; ) {
    const receipt = await findReceipt(client, current)
    if (receipt !== undefined) return receipt
    const left = end - performance.now()
    if (left <= 0) throw new Failure('transaction/unconfirmed', { txHash: newestHash(current) })
    // A node that fails, and a raise beyond a limit, leave it as it is.
    current = (await replacer?.(current).catch(() => undefined)) ?? current
    await new Promise((resolve) => setTimeout(resolve, Math.min(left, client.pollingInterval)))
  }
}

/** Returns the receipt of the transaction of an act that was mined, as far as the node shows it. */
export async function findReceipt(
  client: PublicClient,
  sent: Sent,
): Promise<TransactionReceipt | undefined> {
  const receipts = attemptsOf(sent).map((hash) =>
    client.getTransactionReceipt({ hash }).catch(() => undefined),
  )
  return (await Promise.all(receipts)).find((it) => it !== undefined)
}

type Replacer = (sent: Sent) => Promise<Sent | undefined>

/** Creates the function that replaces the newest transaction of an act once blocks have left it out. */
function createReplacer(parts: waitForAttempts.Parts, onReplace: OnReplace): Replacer {
  const isLeftOut = leftOutWatch(parts.client)
  return async (sent) => {
    const { raw: first, replacements = [] } = sent
    if (first === undefined) return undefined
    const newest = replacements.at(-1)?.raw ?? first
    if (!(await isLeftOut(newest))) return undefined
    const dearer = await signDearer(parts, { first, newest })
    if (dearer === undefined) return undefined
    onReplace(dearer.signed, dearer.cost)
    await broadcast(parts, dearer.signed).catch(() => undefined)
    return { ...sent, replacements: [...replacements, dearer.signed] }
  }
}

/** Returns a function that says whether enough blocks left a transaction out since it last said so. */
function leftOutWatch(client: PublicClient): (raw: Hex) => Promise<boolean> {
  let since: { readonly height: bigint; readonly time: number } | undefined
  return async (raw) => {
    const { number: height, baseFeePerGas } = await client.getBlock()
    since ??= { height, time: performance.now() }
    if (height - since.height < blocksLeftOut) return false
    const isTooCheap = (baseFeePerGas ?? 0n) > (readUnsigned(raw).maxFeePerGas ?? 0n)
    if (!isTooCheap && performance.now() - since.time < patience) return false
    since = { height, time: performance.now() }
    return true
  }
}

type Attempts = { readonly first: Hex; readonly newest: Hex }
type Dearer = { readonly signed: SignedBytes; readonly cost: bigint }

/** Signs the newest transaction at a price that nodes accept; `undefined` if that is too much. */
async function signDearer(
  { client, account, feeLimit }: waitForAttempts.Parts,
  { first, newest }: Attempts,
): Promise<Dearer | undefined> {
  const unsigned = readUnsigned(newest)
  const { value = 0n, gas = 0n, maxFeePerGas = 0n, maxPriorityFeePerGas: tip = 0n } = unsigned
  const market = await client.estimateFeesPerGas()
  const cap =
    feeLimit === undefined
      ? (readUnsigned(first).maxFeePerGas ?? 0n) * usualCap
      : feeLimit / (gas || 1n)
  const least = raised(maxFeePerGas)
  const price = smaller(larger(least, market.maxFeePerGas), cap)
  const cost = value + gas * price
  if (price < least) return undefined
  if ((await client.getBalance({ address: account.address })) < cost) return undefined
  const dearer: TransactionSerializableEIP1559 = {
    ...unsigned,
    type: 'eip1559',
    maxFeePerGas: price,
    maxPriorityFeePerGas: smaller(larger(raised(tip), market.maxPriorityFeePerGas), price),
  }
  const raw = await account.signTransaction(dearer)
  return { signed: { raw, txHash: keccak256(raw) }, cost }
}

/** Returns what a transaction of a wallet can cost at most, in wei. */
export function highestCostOf(raw: Hex): bigint {
  const { value = 0n, gas = 0n, maxFeePerGas = 0n } = readUnsigned(raw)
  return value + gas * maxFeePerGas
}

/** Reads the transaction that was signed. */
function readUnsigned(raw: Hex): TransactionSerializableEIP1559 {
  const { r: _r, s: _s, v: _v, yParity: _y, ...unsigned } = parseTransaction(raw as `0x02${string}`)
  return unsigned
}

const raised = (price: bigint) => (price * raise.numerator) / raise.denominator + 1n

/** Returns the larger of two amounts. */
export const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other)

const smaller = (one: bigint, other: bigint) => (one < other ? one : other)
