import { type Hex, toFunctionSelector } from 'viem'
import { memoryMarketplaceBytecode, memoryRegistryAbi } from '../contracts.generated.ts'

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
    if (to === undefined) return bytes === memoryMarketplaceBytecode
    return to.toLowerCase() === registry()?.toLowerCase() && selectors.has(bytes.slice(0, 10))
  }
