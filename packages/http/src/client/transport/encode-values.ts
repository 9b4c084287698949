import type { AmountInput, TokenIdInput } from '../requests.ts'
import { type Field, invalidValue } from './invalid-value.ts'

const decimal = /^(0|[1-9][0-9]{0,77})$/

/**
 * Encodes a token id as the decimal string of the API.
 *
 * @throws `value/invalid`
 */
export function encodeTokenId(id: TokenIdInput, field = 'tokenId'): string {
  const given = { kind: 'token id', field, value: id }
  if (typeof id === 'number' && !Number.isSafeInteger(id)) throw invalidValue(given)
  return requireDecimal(given)
}

/**
 * Encodes an amount as the decimal string of the API.
 *
 * @throws `value/invalid`
 */
export function encodeAmount(amount: AmountInput, field: string): string {
  return requireDecimal({ kind: 'amount', field, value: amount })
}

// The client checks too, because an id becomes part of a path.
function requireDecimal(given: Field): string {
  const text = String(given.value)
  if (!decimal.test(text)) throw invalidValue(given)
  return text
}

/** The prices of a listing. */
type Prices<Amount> = {
  readonly price: Amount
  readonly rentalPricePerDay: Amount
  readonly forkPrice: Amount
}

/** Encodes the prices of a listing, which are members of `parent` if that is given. */
export const encodePrices = (
  { price, rentalPricePerDay, forkPrice }: Prices<AmountInput>,
  parent = '',
): Prices<string> => ({
  price: encodeAmount(price, `${parent}price`),
  rentalPricePerDay: encodeAmount(rentalPricePerDay, `${parent}rentalPricePerDay`),
  forkPrice: encodeAmount(forkPrice, `${parent}forkPrice`),
})

/** Encodes a value as JSON in UTF-8. */
export const encodeJson = (value: unknown): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(JSON.stringify(value))
