import { shownValue } from './shown-value.ts'
import { UsageError } from './usage-error.ts'

/**
 * Reads an optional whole number.
 *
 * @throws a `UsageError` that names the option
 */
export function readCount(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^(0|[1-9]\d{0,8})$/.test(text)) {
    throw new UsageError(`${option} must be a whole number, such as 20${shownValue(text)}.`)
  }
  return Number(text)
}
