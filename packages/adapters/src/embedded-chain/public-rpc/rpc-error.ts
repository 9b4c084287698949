/** The error codes of JSON-RPC 2.0, and those that Ethereum clients add to them. */
export const rpcCode = {
  reverted: 3,
  refused: -32000,
  limitExceeded: -32005,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
} as const

/** A refusal in JSON-RPC's own terms, as clients of a chain decode it. */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: number
  readonly data: string | undefined
  /** After how many seconds the same request may be answered; absent where it never is. */
  readonly retryAfter: number | undefined

  constructor(code: number, message: string, data?: string, retryAfter?: number) {
    super(message)
    this.code = code
    this.data = data
    this.retryAfter = retryAfter
  }
}

/** Returns the refusal of a client that must wait for some seconds (EIP-1474). */
export function limitExceeded(reason: string, seconds: number): RpcError {
  const wait = Math.max(1, Math.ceil(seconds))
  const message = `${reason}; try again in ${wait} s.`
  return new RpcError(rpcCode.limitExceeded, message, undefined, wait)
}

/** An error as EDR answers it. */
export type Refusal = { readonly code: number; readonly message: string; readonly data?: unknown }

// Clients tell refusals apart by geth's words, and EDR has its own.
const gethWords: readonly (readonly [RegExp, string])[] = [
  [/^Sender doesn't have enough funds/, 'insufficient funds for gas * price + value'],
  [
    /^Transaction (maxFeePerGas|gasPrice) .* is too low/,
    'max fee per gas less than block base fee',
  ],
  [/^Transaction requires at least \d+ gas/, 'intrinsic gas too low'],
  [/^Transaction gas limit is \d+ and exceeds/, 'intrinsic gas too high'],
]

/**
 * Says an EDR error as geth would.
 *
 * EDR answers every failed call with -32000 and wraps the returned bytes in an object; clients
 * recognise a revert by geth's code 3 and look for the bytes themselves.
 */
export function rpcErrorOf({ code, message, data }: Refusal): RpcError {
  const returned = returnedBytes(data)
  const bare = message === 'Transaction reverted without a reason'
  if (returned === undefined || (returned === '0x' && !bare)) {
    const words = gethWords.find(([pattern]) => pattern.test(message))?.[1]
    return new RpcError(code, words === undefined ? message : `${words}: ${message}`)
  }
  const reason = /^reverted with reason string '(.*)'$/s.exec(message)?.[1]
  const sentence = reason === undefined ? 'execution reverted' : `execution reverted: ${reason}`
  return new RpcError(rpcCode.reverted, sentence, returned)
}

function returnedBytes(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('data' in data)) return undefined
  return typeof data.data === 'string' ? data.data : undefined
}
