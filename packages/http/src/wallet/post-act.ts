import { miningTimeout } from '@heirloom/adapters/internal/acts'
import type { PostAct } from '@heirloom/adapters/internal/wallet'
import type { Hex } from '@heirloom/core'
import type { RelayBody } from '../api/schemas/relay-schemas.ts'
import type { ReadonlyStatic } from '../api/schemas/schema-parts.ts'
import { isHeirloomError } from '../client/heirloom-error.ts'
import { decodeResponse } from '../client/transport/decode-response.ts'
import { requestLine } from '../client/transport/request-line.ts'
import type { Transport } from '../client/transport/transport.ts'

/** Returns the function that lets a server relay; it waits at most `timeout` milliseconds. */
export function createPost(transport: Transport, timeout: number = miningTimeout): PostAct {
  return async (request) => {
    const body = new TextEncoder().encode(
      JSON.stringify(request satisfies ReadonlyStatic<typeof RelayBody>),
    )
    const options = { signal: AbortSignal.timeout(timeout) }
    try {
      const call = { ...requestLine('relay'), body, options }
      const { txHash } = decodeResponse<{ readonly txHash?: unknown }>(await transport.send(call))
      if (isHash(txHash)) return { txHash }
      return { error: new Error('The answer has no hash.'), isRefusal: false }
    } catch (error) {
      return { error, isRefusal: isRefusal(error) }
    }
  }
}

const isHash = (value: unknown): value is Hex =>
  typeof value === 'string' && /^0x[0-9a-f]{64}$/.test(value)

/** Failures of a server that relayed nothing, beside those with a status of the client's fault. */
const refusals: ReadonlySet<string> = new Set([
  'service/busy',
  'service/stopping',
  'transaction/cancelled',
])

/** Returns whether a server says that it did not relay, and will not. */
const isRefusal = (error: unknown): boolean =>
  isHeirloomError(error) &&
  ((error.status !== undefined && error.status >= 400 && error.status < 500) ||
    refusals.has(error.code))
