import type { JSX } from 'preact'
import { currencyOf } from '../currencies.ts'
import { isExact } from '../exactness.ts'
import { formatAmount, formatExactAmount, formatShortAmount } from '../text/amount.ts'
import type { CurrencyKind } from '../text/currency.ts'

type Props = {
  /** The amount, in the smallest unit of its currency. */
  readonly of: bigint | string
  /** Native by default. */
  readonly currency?: CurrencyKind
}

/** Shows an amount with its unit, short or exactly; a pointer and a screen reader have it exactly. */
export function Amount({ of, currency: kind = 'native' }: Props): JSX.Element {
  const amount = BigInt(of)
  const currency = currencyOf(kind)
  const exact = formatExactAmount(amount, currency)
  const whole =
    kind === 'native' ? `${formatAmount(amount, currency)} ${currency.name}, ${exact}` : exact
  return (
    <data class="exact" value={amount.toString()} title={exact}>
      {isExact.value ? (
        whole
      ) : (
        <>
          <span aria-hidden="true">{formatShortAmount(amount, currency)}</span>
          <span class="unseen">{whole}</span>
        </>
      )}
    </data>
  )
}
