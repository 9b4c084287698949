/** The kind of a currency: the native one of the chain, or the dollar of the contracts. */
export type CurrencyKind = 'native' | 'dollar'

/** A currency as the page shows it. */
export type Currency = {
  readonly kind: CurrencyKind
  readonly name: string
  readonly symbol: string
  /** An amount is a whole number of 10^-decimals. */
  readonly decimals: number
}

/** The native currency of most chains. */
export const ether: Currency = { kind: 'native', name: 'Ether', symbol: 'ETH', decimals: 18 }

/** The decimals of amounts of each kind; prices in dollars have six on every chain. */
export const decimalsOf: { readonly [kind in CurrencyKind]: number } = { native: 18, dollar: 6 }
