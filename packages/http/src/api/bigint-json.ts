/** Replaces a bigint by its decimal string, as the replacer of `JSON.stringify`. */
export const bigintJson = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? `${value}` : value
