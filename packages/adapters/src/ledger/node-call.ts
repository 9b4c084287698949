import { type Currency, Failure, highestPrice, isFailure } from '@heirloom/core'
import {
  decodeErrorResult,
  decodeFunctionData,
  type Hex,
  parseAbi,
  RpcError,
  toFunctionSelector,
} from 'viem'
import { causes } from '../platform/error-words.ts'
import { forwarderAbi, memoryMarketplaceAbi } from './contracts.generated.ts'
import { failureOfRevert, revertData } from './revert.ts'

/**
 * Returns the node's answer to a call. The data of a call that is simulated tells the currency of the
 * amounts in its revert.
 *
 * @throws the failure that a revert names, `transaction/would-fail` for a call with data that fails
 * otherwise, or `ledger/unavailable`
 */
export async function callNode<T>(
  operation: string,
  call: () => Promise<T>,
  data?: Hex,
): Promise<T> {
  try {
    return await call()
  } catch (cause) {
    const known = failureIn(cause, data) ?? (data && unnamedFailure(cause))
    throw known ?? new Failure('ledger/unavailable', { operation }, { cause })
  }
}

/** The longest reason that is passed on: a contract or a token of others may choose it. */
const longestReason = 200

/** Returns the failure of a call that was executed and failed for a reason without a code. */
function unnamedFailure(cause: unknown): Failure | undefined {
  const text = executionFailure(cause)
  if (text === undefined) return undefined
  const reason = text.replace(/[^ -~]/g, ' ').slice(0, longestReason)
  return new Failure('transaction/would-fail', { reason }, { cause })
}

/**
 * Returns the failure in an error or its causes, or the one that the revert of a call with this data
 * names.
 */
export function failureIn(error: unknown, data: Hex = '0x'): Failure | undefined {
  const known = [...causes(error)].find((cause) => isFailure(cause))
  return known ?? failureOfRevert(error, currencyOfCall(data)) ?? dollarRefusal(error, data)
}

/** Returns whether the node refused a call. A lost connection and a timeout are no refusals. */
export function isRefusal(error: unknown): boolean {
  return [...causes(error)].some(
    (cause) => isFailure(cause) || (cause instanceof RpcError && cause.code < -1),
  )
}

/** The errors that dollars are known to name: those of tokens in general, and of the test dollar. */
const dollarErrors = parseAbi([
  'error Error(string)',
  'error AuthorizationOutOfTime(uint256 validAfter, uint256 validBefore)',
  'error AuthorizationSignatureInvalid(address authorizer)',
  'error AuthorizationSpent(address authorizer, bytes32 nonce)',
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
])

/**
 * Returns the failure of an order that reverted with an error that the contracts of the pair do not
 * have: only the dollar can have caused it. Returns `undefined` for any other error.
 */
function dollarRefusal(error: unknown, call: Hex): Failure<'dollar/refused'> | undefined {
  const data = revertData(error)
  if (data === undefined || !isOrderCall(call)) return undefined
  return new Failure('dollar/refused', { reason: reasonIn(data) }, { cause: error })
}

function reasonIn(data: Hex): string {
  try {
    const { errorName, args } = decodeErrorResult({ abi: dollarErrors, data })
    const text = errorName === 'Error' ? args[0] : errorName
    return text.replace(/[^ -~]/g, ' ').slice(0, longestReason)
  } catch {
    return data === '0x' ? 'it gives no reason' : `it reverts with ${data.slice(0, 10)}`
  }
}

/** The codes of nodes for a call that was executed and failed. */
const executed: readonly unknown[] = [3, -32015]
/** The codes that nodes use for that, and for outages of their own too. */
const ambiguous: readonly unknown[] = [-32000, -32003, -32603]
/** The words of nodes for a call that was executed and failed. */
const words =
  /revert|out of ?gas|gas required exceeds|opcode|invalid ?jump|stack ?(under|over)flow|vm exception|evm error/i

/**
 * Returns the words of a node that executed a call which failed; `undefined` for any other error. That
 * is an answer about this call alone, also where the revert has no data: only a lost answer is an outage.
 */
export function executionFailure(error: unknown): string | undefined {
  for (const cause of causes(error)) {
    const { code, details, message } = cause as Readonly<Record<string, unknown>>
    const text = String(details ?? message)
    if (executed.includes(code) || (ambiguous.includes(code) && words.test(text))) return text
  }
  return undefined
}

const selectorsOf = (abi: typeof memoryMarketplaceAbi | typeof forwarderAbi, name: string) =>
  abi.flatMap((it) => (it.type === 'function' && it.name === name ? [toFunctionSelector(it)] : []))

const inMarket = (...names: readonly string[]): ReadonlySet<string> =>
  new Set(names.flatMap((name) => selectorsOf(memoryMarketplaceAbi, name)))

const orderCalls = inMarket('payOrder', 'settle')

const dollarCalls = inMarket('payOrder', 'settle', 'listInDollars')

const listings = inMarket('listMany')

const [execute = '0x'] = selectorsOf(forwarderAbi, 'execute')

/** Returns the currency of the amounts in a call, which its reverts do not name. */
export function currencyOfCall(data: Hex): Currency {
  const selector = selectorOf(data)
  if (dollarCalls.has(selector)) return 'dollar'
  if (listings.has(selector)) return currencyOfListings(data)
  return selector === execute ? currencyOfCall(forwardedData(data)) : 'native'
}

/** Returns the currency of the first listing of many whose price is too high: no other amount can revert. */
function currencyOfListings(data: Hex): Currency {
  const { functionName, args } = decodeFunctionData({ abi: memoryMarketplaceAbi, data })
  const offers = functionName === 'listMany' ? args[0] : []
  const tooHigh = offers.find(({ price, rentPerDay, forkPrice }) =>
    [price, rentPerDay, forkPrice].some((it) => it > highestPrice),
  )
  return tooHigh?.inDollars ? 'dollar' : 'native'
}

/** Returns whether a call carries out an order, in which the dollar moves. */
const isOrderCall = (data: Hex): boolean => orderCalls.has(selectorOf(data))

const selectorOf = (data: Hex): string => data.slice(0, 10).toLowerCase()

function forwardedData(data: Hex): Hex {
  const { args } = decodeFunctionData({ abi: forwarderAbi, data })
  return (args as readonly [{ readonly data: Hex }])[0].data
}
