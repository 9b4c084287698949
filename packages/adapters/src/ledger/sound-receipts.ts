import type { Hex, Transport } from 'viem'
import { faultOfReceipt, type ShownReceipt } from '../platform/nodes/receipt-fault.ts'

/** Thrown in the place of an answer that cannot be right: nothing is known, and it is asked again. */
export class WrongAnswer extends Error {
  override readonly name = 'WrongAnswer'
}

/** Returns the error of a receipt that cannot be right, and why. */
export const wrongReceipt = (hash: Hex, fault: string): WrongAnswer =>
  new WrongAnswer(`The receipt that the node shows for transaction ${hash} ${fault}.`)

/** Returns a transport that throws `WrongAnswer` for a receipt that cannot be right. */
export function soundReceipts(transport: Transport): Transport {
  return (options) => {
    const opened = transport(options)
    const request = async (call: { readonly method: string; readonly params?: unknown }) => {
      const answer = await opened.request(call as never)
      if (call.method === 'eth_getTransactionReceipt' && answer !== null) {
        const [hash] = call.params as readonly [Hex]
        const fault = faultOfReceipt(answer as ShownReceipt, hash)
        if (fault !== undefined) throw wrongReceipt(hash, fault)
      }
      return answer
    }
    return { ...opened, request: request as typeof opened.request }
  }
}
