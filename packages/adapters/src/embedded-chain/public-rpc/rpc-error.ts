/** The error codes of JSON-RPC 2.0 and of Ethereum clients. */
export const rpcCode = {
  reverted: 3,
  refused: -32000,
  limitExceeded: -32005,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
} as const

/** A JSON-RPC error that is sent to the client. */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: number
  readonly data: string | undefined
  /** The seconds after which the same request may succeed; absent when it never will. */
  readonly retryAfter: number | undefined

  constructor(code: number, message: string, data?: string, retryAfter?: number) {
    super(message)
    this.code = code
    this.data = data
    this.retryAfter = retryAfter
  }
}

/** Returns the error for a client that must wait for some seconds (EIP-1474). */
export function limitExceeded(reason: string, seconds: number): RpcError {
  const wait = Math.max(1, Math.ceil(seconds))
  const message = `${reason}; try again in ${wait} s.`
  return new RpcError(rpcCode.limitExceeded, message, undefined, wait)
}

/** An error in a response of EDR. */
export type EdrError = { readonly code: number; readonly message: string; readonly data?: unknown }

// Clients distinguish errors by geth's messages, and EDR has its own.
const gethMessages: readonly (readonly [RegExp, string])[] = [
  [/^Sender doesn't have enough funds/, 'insufficient funds for gas * price + value'],
  [
    /^Transaction (maxFeePerGas|gasPrice) .* is too low/,
    'max fee per gas less than block base fee',
  ],
  [/^Transaction requires at least \d+ gas/, 'intrinsic gas too low'],
  [/^Transaction gas limit is \d+ and exceeds/, 'intrinsic gas too high'],
]

/**
 * Translates an EDR error into the one that geth would return.
 *
 * EDR returns code -32000 for every failed call and wraps the returned bytes in an object. Clients
 * recognise a revert by geth's code 3 and expect the bytes themselves.
 */
export function rpcErrorOf({ code, message, data }: EdrError): RpcError {
  const returned = returnedBytes(data)
  const bare = message === 'Transaction reverted without a reason'
  if (returned === undefined || (returned === '0x' && !bare)) {
    const gethMessage = gethMessages.find(([pattern]) => pattern.test(message))?.[1]
    return new RpcError(code, gethMessage === undefined ? message : `${gethMessage}: ${message}`)
  }
  const reason = /^reverted with reason string '(.*)'$/s.exec(message)?.[1]
  const sentence = reason === undefined ? 'execution reverted' : `execution reverted: ${reason}`
  return new RpcError(rpcCode.reverted, sentence, returned)
}

function returnedBytes(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('data' in data)) return undefined
  return typeof data.data === 'string' ? data.data : undefined
}
