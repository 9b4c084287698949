import type { AmountInput, TokenIdInput } from '../requests.ts'
import { HeirloomError } from '../heirloom-error.ts'

const decimal = /^(0|[1-9][0-9]{0,77})$/

/**
 * Returns a token id as the API spells it.
 *
 * @throws `value/invalid`
 */
export function spelledId(id: TokenIdInput): string {
  if (typeof id === 'number' && !Number.isSafeInteger(id)) throw invalid('token id')
  return spelled(String(id), 'token id')
}

/**
 * Returns an amount as the API spells it.
 *
 * @throws `value/invalid`
 */
export function spelledAmount(amount: AmountInput): string {
  return spelled(String(amount), 'amount')
}

// Checked here too, for an id becomes a part of a path.
function spelled(text: string, kind: string): string {
  if (!decimal.test(text)) throw invalid(kind)
  return text
}

function invalid(kind: string): HeirloomError<'value/invalid'> {
  const problem = 'is a decimal without sign or leading zero'
  return new HeirloomError({
    code: 'value/invalid',
    facts: { kind, problem },
    message: `A ${kind} ${problem}.`,
  })
}
