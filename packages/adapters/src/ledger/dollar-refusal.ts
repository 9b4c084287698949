import { Failure } from '@heirloom/core'
import { decodeErrorResult, type Hex, parseAbi } from 'viem'
import { isOrderCall } from './call-currency.ts'
import { revertData } from './revert.ts'

/** The errors that dollars are known to name: those of tokens in general, and of the test dollar. */
const abi = parseAbi([
  'error Error(string)',
  'error AuthorizationOutOfTime(uint256 validAfter, uint256 validBefore)',
  'error AuthorizationSignatureInvalid(address authorizer)',
  'error AuthorizationSpent(address authorizer, bytes32 nonce)',
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
])

/** The longest reason that is passed on: the token is the code of others. */
const longestReason = 200

/**
 * Returns the failure of an order that reverted with an error that the contracts of the pair do not
 * have: only the dollar can have caused it. Returns `undefined` for any other error.
 */
export function dollarRefusal(error: unknown, call: Hex): Failure<'dollar/refused'> | undefined {
  const data = revertData(error)
  if (data === undefined || !isOrderCall(call)) return undefined
  return new Failure('dollar/refused', { reason: reasonIn(data) }, { cause: error })
}

function reasonIn(data: Hex): string {
  try {
    const { errorName, args } = decodeErrorResult({ abi, data })
    const text = errorName === 'Error' ? args[0] : errorName
    return text.replace(/[^ -~]/g, ' ').slice(0, longestReason)
  } catch {
    return data === '0x' ? 'it gives no reason' : `it reverts with ${data.slice(0, 10)}`
  }
}
