import { HeirloomError } from '../heirloom-error.ts'
import type { AmountInput, TokenIdInput } from '../requests.ts'

const decimal = /^(0|[1-9][0-9]{0,77})$/

/**
 * Encodes a token id as the decimal string of the API.
 *
 * @throws `value/invalid`
 */
export function encodeTokenId(id: TokenIdInput): string {
  if (typeof id === 'number' && !Number.isSafeInteger(id)) throw invalidValue('token id')
  return requireDecimal(String(id), 'token id')
}

/**
 * Encodes an amount in wei as the decimal string of the API.
 *
 * @throws `value/invalid`
 */
export function encodeAmount(amount: AmountInput): string {
  return requireDecimal(String(amount), 'amount')
}

// The client checks too, because an id becomes part of a path.
function requireDecimal(text: string, kind: string): string {
  if (!decimal.test(text)) throw invalidValue(kind)
  return text
}

function invalidValue(kind: string): HeirloomError<'value/invalid'> {
  const problem = 'is a decimal without sign or leading zero'
  return new HeirloomError({
    code: 'value/invalid',
    facts: { kind, problem },
    message: `A ${kind} ${problem}.`,
  })
}

/** The prices of a listing. */
type Prices<Amount> = {
  readonly price: Amount
  readonly rentalPricePerDay: Amount
  readonly forkPrice: Amount
}

/** Encodes the prices of a listing. */
export const encodePrices = ({
  price,
  rentalPricePerDay,
  forkPrice,
}: Prices<AmountInput>): Prices<string> => ({
  price: encodeAmount(price),
  rentalPricePerDay: encodeAmount(rentalPricePerDay),
  forkPrice: encodeAmount(forkPrice),
})
