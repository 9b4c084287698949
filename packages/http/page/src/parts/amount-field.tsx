import { currencyOf, dollarCurrency } from '../api/deployment.ts'
import {
  type Currency,
  type CurrencyKind,
  currencyKinds,
  formatAmount,
  isAmbiguous,
  parseAmount,
} from '../text/amount.ts'
import { TextField, type TextFieldProps, Toggles } from './form-fields.tsx'

type Props = Pick<TextFieldProps, 'name' | 'text' | 'setText' | 'hint'> & {
  readonly currency: CurrencyKind
}

/** Shows a field for an amount in a currency. */
export function AmountField({ name, currency: kind, text, setText, hint }: Props): JSX.Element {
  const currency = currencyOf(kind)
  const amount = parseAmount(text, currency)
  const isWrong = text.trim() !== '' && amount === undefined
  return (
    <TextField
      name={`${name} (${currency.symbol})`}
      inputMode="decimal"
      autocomplete="off"
      text={text}
      setText={setText}
      hint={isWrong ? describeFormat(text, currency) : describeAmount(amount, currency, hint)}
      isWrong={isWrong}
    />
  )
}

const describeFormat = (text: string, { kind, decimals }: Currency): string =>
  isAmbiguous(text)
    ? `“${text.trim()}” may be thousands or a fraction: enter ${text.trim().replace(',', '')} or ${text.trim().replace(',', '.')}.`
    : `Enter an amount such as ${kind === 'native' ? '0.05' : '2.50'}, with at most ${decimals} decimals.`

function describeAmount(
  amount: bigint | undefined,
  currency: Currency,
  hint: string | undefined,
): string {
  if (amount === undefined || amount === 0n) return hint ?? ''
  return `${formatAmount(amount, currency)} ${currency.symbol}`
}

type CurrencyChoiceProps = {
  readonly currency: CurrencyKind
  readonly choose: (currency: CurrencyKind) => void
}

/** Lets a visitor choose a currency; shows nothing where the contracts have one only. */
export function CurrencyChoice({ currency, choose }: CurrencyChoiceProps): JSX.Element | undefined {
  if (dollarCurrency.value === undefined) return undefined
  return (
    <Toggles
      class="toggles currency"
      legend="Currency"
      values={currencyKinds}
      chosen={currency}
      choose={choose}
      show={(kind) => currencyOf(kind).symbol}
    />
  )
}
