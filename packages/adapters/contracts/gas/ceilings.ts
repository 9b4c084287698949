/** The most gas that each operation may use. */
export const ceilings = {
  mint: 106_000,
  'mintBatch(100), per token': 74_000,
  list: 58_000,
  'buy, first sale': 98_000,
  'buy, resale': 70_000,
  rent: 72_000,
  renew: 55_000,
  fork: 92_000,
  royalty: 42_000,
} as const

/** An operation with a ceiling. */
export type Operation = keyof typeof ceilings
