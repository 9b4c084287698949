import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { currencyOf, dollarCurrency } from '../api/deployment.ts'
import { type Currency, type CurrencyKind, formatExactAmount, parseAmount } from '../text/amount.ts'

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

type CurrencyChoiceProps = {
  readonly currency: CurrencyKind
  readonly choose: (currency: CurrencyKind) => void
}

const kinds: readonly CurrencyKind[] = ['native', 'dollar']

/** Lets a visitor choose a currency; shows nothing where the contracts have one only. */
export function CurrencyChoice({ currency, choose }: CurrencyChoiceProps): JSX.Element | undefined {
  const name = useId()
  if (dollarCurrency.value === undefined) return undefined
  return (
    <fieldset class="toggles currency">
      <legend>Currency</legend>
      {kinds.map((kind) => (
        <label key={kind}>
          <input
            type="radio"
            name={name}
            checked={kind === currency}
            onChange={() => choose(kind)}
          />
          <span>{currencyOf(kind).symbol}</span>
        </label>
      ))}
    </fieldset>
  )
}
