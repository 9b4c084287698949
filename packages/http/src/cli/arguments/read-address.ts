import { shownValue } from '../../api/shown-value.ts'
import { UsageError } from './usage-error.ts'

/**
 * Reads the address of a wallet or a contract.
 *
 * @throws a `UsageError` that names the option
 */
export function readAddress(name: string, text: string): `0x${string}` {
  if (/^0x[0-9a-f]{40}$/i.test(text)) return text as `0x${string}`
  throw new UsageError(
    `${name} must be an address: 0x and 40 hexadecimal digits${shownValue(text)}.`,
  )
}
