import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { currencyOf } from '../currencies.ts'
import { formatExactAmount, parseAmount } from '../text/amount.ts'
import type { Currency, CurrencyKind } from '../text/currency.ts'

type Props = {
  readonly name: string
  readonly currency: CurrencyKind
  readonly text: string
  readonly setText: (text: string) => void
  readonly hint?: string
}

/** Shows a field for an amount in a currency. */
export function AmountField({ name, currency: kind, text, setText, hint }: Props): JSX.Element {
  const hintId = useId()
  const currency = currencyOf(kind)
  const amount = parseAmount(text, currency)
  const isWrong = text.trim() !== '' && amount === undefined
  return (
    <label class="field">
      <span>
        {name} ({currency.symbol})
      </span>
      <input
        type="text"
        inputMode="decimal"
        autocomplete="off"
        value={text}
        aria-invalid={isWrong}
        aria-describedby={hintId}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <small id={hintId} class={isWrong ? 'wrong' : ''}>
        {isWrong ? describeFormat(currency) : describeAmount(amount, currency, hint)}
      </small>
    </label>
  )
}

const describeFormat = ({ kind, decimals }: Currency): string =>
  `Enter an amount such as ${kind === 'native' ? '0.05' : '2.50'}, with a point and at most ${decimals} decimals.`

function describeAmount(
  amount: bigint | undefined,
  currency: Currency,
  hint: string | undefined,
): string {
  return amount === undefined || amount === 0n ? (hint ?? '') : formatExactAmount(amount, currency)
}
