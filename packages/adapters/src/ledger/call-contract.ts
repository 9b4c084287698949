import type { Hex, PublicClient } from 'viem'
import { causes } from '../platform/error-words.ts'
import { callNode } from './node-call.ts'

/** A call of a contract that anybody may have written. */
export type BoundedCall = { readonly to?: Hex; readonly data: Hex; readonly gas: bigint }

/**
 * Returns the result of a call; `undefined` if it was executed and failed, or returned nothing.
 *
 * @throws `ledger/unavailable`
 */
export async function callContract(
  client: PublicClient,
  call: BoundedCall,
): Promise<Hex | undefined> {
  return callNode('eth_call', async () => {
    try {
      return (await client.call(call)).data
    } catch (error) {
      if (isExecutionFailure(error)) return undefined
      throw error
    }
  })
}

/** The error codes of nodes for a call that reverted or ran out of gas. */
const executionErrors = [3, -32000, -32015]

/** Anvil reports a call that ran out of gas as an internal error with these words. */
const halted = /^EVM error /

const isExecutionFailure = (error: unknown): boolean =>
  [...causes(error)].some(
    (cause) =>
      ('code' in cause && executionErrors.includes(Number(cause.code))) ||
      ('details' in cause && halted.test(String(cause.details))),
  )
