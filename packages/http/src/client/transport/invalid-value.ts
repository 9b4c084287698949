import { HeirloomError } from '../heirloom-error.ts'

/** A value that a caller passed, and the name of the field that it was for, such as `dollars.price`. */
export type Field = { readonly kind: string; readonly field: string; readonly value: unknown }

/** Returns the failure for a value that cannot be sent; nothing was. */
export function invalidValue({ kind, field, value }: Field): HeirloomError<'value/invalid'> {
  const problem =
    kind === 'URL' ? 'begins with http:// or https://' : 'is a decimal without sign or leading zero'
  const given = describeValue(value)
  return new HeirloomError({
    code: 'value/invalid',
    facts: { kind, problem, field, given },
    message: `${field} is ${given}; ${advice[kind] ?? ''}.`,
  })
}

const advice: Readonly<Record<string, string>> = {
  'token id': 'give the id of a token as a number, a bigint or a decimal string',
  URL: 'give it with http:// or https://, as in http://localhost:3000',
  amount: 'give an amount of 0 or more as a bigint or a decimal string, without a point or a unit',
}

/** Returns a value as text; a long text, which may be a secret in the wrong place, as its length. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'missing'
  if (typeof value === 'string') {
    return value.length <= 40 ? JSON.stringify(value) : `a text of ${value.length} characters`
  }
  if (typeof value === 'object' && value !== null)
    return Array.isArray(value) ? 'a list' : 'an object'
  return String(value)
}
