import { computed } from '@preact/signals'
import { deployment } from './deployment.ts'
import { type Currency, type CurrencyKind, decimalsOf, ether } from './text/currency.ts'

/** The native currency of the server's chain; ether until the server has named it. */
const nativeCurrency = computed<Currency>(() => ({
  ...ether,
  ...deployment.value?.nativeCurrency,
}))

/** The dollar of the contracts; `undefined` where they have none. */
export const dollarCurrency = computed<Currency | undefined>(() => {
  const dollar = deployment.value?.dollar
  if (dollar == null) return undefined
  const { name, symbol } = dollar
  return { kind: 'dollar', name, symbol, decimals: decimalsOf.dollar }
})

/** Stands for the dollar until the server has named it. */
const anyDollar: Currency = {
  kind: 'dollar',
  name: 'dollars',
  symbol: 'dollars',
  decimals: decimalsOf.dollar,
}

/** Returns the currency of a kind on the server's chain. */
export const currencyOf = (kind: CurrencyKind): Currency =>
  kind === 'native' ? nativeCurrency.value : (dollarCurrency.value ?? anyDollar)
