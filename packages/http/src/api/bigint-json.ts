/** Gives amounts and ids to `JSON.stringify` as decimal strings. */
export const spelledBigint = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? `${value}` : value
