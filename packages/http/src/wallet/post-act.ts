import { miningTimeout } from '@heirloom/adapters/internal/acts'
import type { Hex } from '@heirloom/core'
import { HeirloomError, isHeirloomError } from '../client/heirloom-error.ts'
import { decodeResponse } from '../client/transport/decode-response.ts'
import type { Transport } from '../client/transport/transport.ts'
import type { RelayRequest, SignedAct } from './signed-act.ts'

/** The answer of a server: the hash of the transaction that it names, or what went wrong. */
export type RelayAnswer = { readonly txHash: Hex } | { readonly error: unknown }

/** Lets a server relay what was signed. The same bytes may be sent any number of times. */
export type PostAct = (body: RelayRequest) => Promise<RelayAnswer>

/** Returns the function that lets a server relay; it waits at most `timeout` milliseconds. */
export function createPost(transport: Transport, timeout: number = miningTimeout): PostAct {
  return async (request) => {
    const body = new TextEncoder().encode(JSON.stringify(request))
    const options = { signal: AbortSignal.timeout(timeout) }
    try {
      const call = { method: 'POST', path: '/api/relay', body, options } as const
      const { txHash } = decodeResponse<{ readonly txHash?: unknown }>(await transport.send(call))
      return isHash(txHash) ? { txHash } : { error: new Error('The answer has no hash.') }
    } catch (error) {
      return { error }
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
export const isRelayRefusal = (error: unknown): error is HeirloomError =>
  isHeirloomError(error) &&
  ((error.status !== undefined && error.status >= 400 && error.status < 500) ||
    refusals.has(error.code))

/** Returns the error of what was signed and not seen on the chain: it may still be carried out. */
export const relayUnconfirmed = (
  { hash: txHash, deadline }: SignedAct,
  cause?: unknown,
): HeirloomError<'transaction/unconfirmed'> =>
  new HeirloomError({
    code: 'transaction/unconfirmed',
    facts: { txHash },
    message: `The server has ${txHash}, which you signed, and the chain does not show it; it may be carried out until ${new Date(deadline * 1000).toISOString()}, so confirm it before you try again.`,
    cause,
  })
