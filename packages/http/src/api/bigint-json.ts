/** Replaces a bigint by its decimal string, as the replacer of `JSON.stringify`. */
export const bigintJson = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? `${value}` : value

/**
 * Replaces a natural bigint by its decimal digits and `n`, as the replacer of `JSON.stringify`. No other text
 * in the value may have that form.
 */
export const encodeBigints = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? `${value}n` : value

/** Puts the bigints back, as the reviver of `JSON.parse`. */
export const decodeBigints = (_: string, value: unknown): unknown =>
  typeof value === 'string' && /^\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value
