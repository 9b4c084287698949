import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { currencyOf, dollarCurrency } from '../currencies.ts'
import type { CurrencyKind } from '../text/currency.ts'

type Props = {
  readonly currency: CurrencyKind
  readonly choose: (currency: CurrencyKind) => void
}

const kinds: readonly CurrencyKind[] = ['native', 'dollar']

/** Lets a visitor choose a currency; shows nothing where the contracts have one only. */
export function CurrencyChoice({ currency, choose }: Props): JSX.Element | undefined {
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
