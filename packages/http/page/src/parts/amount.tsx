import type { JSX } from 'preact'
import { currencyOf } from '../currencies.ts'
import { formatAmount, formatExactAmount, formatShortAmount } from '../text/amount.ts'
import type { CurrencyKind } from '../text/currency.ts'

type Props = {
  /** The amount, in the smallest unit of its currency. */
  readonly of: bigint | string
  /** Native by default. */
  readonly currency?: CurrencyKind
  /** Whether it is inside a link or a button, which takes the focus. */
  readonly isInside?: boolean
}

/** Shows an amount with its unit; hover and focus show it exactly. */
export function Amount({ of, currency: kind = 'native', isInside = false }: Props): JSX.Element {
  const amount = BigInt(of)
  const currency = currencyOf(kind)
  const exact = formatExactAmount(amount, currency)
  return (
    <data
      class="exact"
      value={amount.toString()}
      title={exact}
      data-exact={exact}
      {...(!isInside && { tabIndex: 0 })}
    >
      <span aria-hidden="true">{formatShortAmount(amount, currency)}</span>
      <span class="unseen">
        {kind === 'native' && `${formatAmount(amount, currency)} ${currency.name}, `}
        {exact}
      </span>
    </data>
  )
}
