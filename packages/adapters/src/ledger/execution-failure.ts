import { causes } from '../platform/causes.ts'

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
