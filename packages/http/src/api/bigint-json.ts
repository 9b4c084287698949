/** Gives amounts and ids to `JSON.stringify` as decimal strings. */
export const bigintJson = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? `${value}` : value
