import { computed, signal } from '@preact/signals'
import type { Deployment } from '../../../src/client/responses.ts'
import {
  type Currency,
  type CurrencyKind,
  decimalsOf,
  ether,
  formatShortAmount,
} from '../text/amount.ts'
import { readNow } from './get-json.ts'

/** The chain and the contracts of the server; `undefined` until it answers. */
export const deployment = signal<Deployment | undefined>(undefined)

/** The chain id of the embedded chain. */
export const embeddedChainId = 31_337

/** Loads the deployment; retries until the server answers. */
export async function loadDeployment(): Promise<Deployment> {
  for (;;) {
    try {
      const loaded = deployment.value ?? (await readNow('deployment', {}))
      deployment.value = loaded
      return loaded
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }
  }
}

/** The native currency of the server's chain; ether until the server has named it. */
const nativeCurrency = computed<Currency>(() => ({
  ...ether,
  ...deployment.value?.nativeCurrency,
  rate: deployment.value?.nativePrice ?? undefined,
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

/** Formats an amount of a currency of the server's chain with its unit. */
export const shortAmount = (amount: bigint | string, kind: CurrencyKind): string =>
  formatShortAmount(BigInt(amount), currencyOf(kind))

/** Returns the currency of a kind on the server's chain. */
export const currencyOf = (kind: CurrencyKind): Currency =>
  kind === 'native' ? nativeCurrency.value : (dollarCurrency.value ?? anyDollar)
