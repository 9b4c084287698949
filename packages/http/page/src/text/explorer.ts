import { deployment } from '../deployment.ts'
import { isWebAddress } from '../wallet/web-address.ts'

/**
 * Returns the address of a transaction or an account in the explorer of the chain; `undefined` without
 * one.
 */
export function explorerAddress(kind: 'tx' | 'address', of: string): string | undefined {
  const explorer = deployment.value?.explorerUrl
  if (explorer == null || !isWebAddress(explorer)) return undefined
  return `${explorer.replace(/\/$/, '')}/${kind}/${of}`
}
