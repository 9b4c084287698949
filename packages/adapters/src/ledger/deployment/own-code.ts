import { type Hex, keccak256, toFunctionSelector } from 'viem'
import { creation, memoryRegistryAbi } from '../contracts.generated.ts'

type Execution = { readonly to: string | undefined; readonly data: string }

/** The functions that may take much gas and call no other contract. */
const ownFunctions: readonly string[] = ['mintBatch', 'mintDescribed']

const selectors: ReadonlySet<string> = new Set(
  memoryRegistryAbi.flatMap((it) =>
    it.type === 'function' && ownFunctions.includes(it.name) ? [toFunctionSelector(it)] : [],
  ),
)

/**
 * Returns a predicate for executions that run only this project's code, and so may use more gas
 * than others: the deployment of a pair, and batches of mints on the registry, whose loops are
 * bounded.
 */
export const runsOwnCode =
  (registry: () => Hex | undefined) =>
  ({ to, data }: Execution): boolean => {
    const bytes = data.toLowerCase()
    if (to === undefined) return createsPair(bytes)
    return to.toLowerCase() === registry()?.toLowerCase() && selectors.has(bytes.slice(0, 10))
  }

/** Returns whether a creation is the deployment of a pair, bound to any dollar. */
function createsPair(bytes: string): boolean {
  const end = 2 + 2 * creation.length
  return bytes.length === end + 64 && keccak256(bytes.slice(0, end) as Hex) === creation.hash
}
