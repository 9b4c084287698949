import { type Hex, toFunctionSelector } from 'viem'
import { memoryMarketplaceBytecode, memoryRegistryAbi } from '../contracts.generated.ts'

type Execution = { readonly to: string | undefined; readonly data: string }

/** The functions that take much gas and call no other code. */
const closed: readonly string[] = ['mintBatch', 'mintDescribed']

const selectors: ReadonlySet<string> = new Set(
  memoryRegistryAbi.flatMap((it) =>
    it.type === 'function' && closed.includes(it.name) ? [toFunctionSelector(it)] : [],
  ),
)

/**
 * Returns what recognises an execution of nothing but the code of this project that may need more
 * gas than a stranger's: the deployment of a pair, and a batch of mints on the given registry. Its
 * loops are bounded by the contracts.
 */
export const runsOwnCode =
  (registry: () => Hex | undefined) =>
  ({ to, data }: Execution): boolean => {
    const bytes = data.toLowerCase()
    if (to === undefined) return bytes === memoryMarketplaceBytecode
    return to.toLowerCase() === registry()?.toLowerCase() && selectors.has(bytes.slice(0, 10))
  }
