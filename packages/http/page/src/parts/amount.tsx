import { signal } from '@preact/signals'
import { Fragment } from 'preact'
import { currencyOf } from '../api/deployment.ts'
import {
  approximate,
  type CurrencyKind,
  currencyKinds,
  formatAmount,
  formatExactAmount,
  formatShortAmount,
} from '../text/amount.ts'

type Props = {
  /** The amount, in the smallest unit of its currency. */
  readonly of: bigint | string
  /** Native by default. */
  readonly currency?: CurrencyKind
  /** Whether it is paid now, so that it is also said what it is about in money. */
  readonly isDue?: boolean
}

/** Shows an amount with its unit, short or exactly; a pointer and a screen reader have it exactly. */
export function Amount({ of, currency: kind = 'native', isDue = false }: Props): JSX.Element {
  const amount = BigInt(of)
  const currency = currencyOf(kind)
  const exact = formatExactAmount(amount, currency)
  const whole =
    kind === 'native' ? `${formatAmount(amount, currency)} ${currency.name}, ${exact}` : exact
  const money = isDue ? approximate(amount, currency) : ''
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
      {money !== '' && ' '}
      {money !== '' && <small class="hint">{money}</small>}
    </data>
  )
}

type SumsProps = { readonly of: Readonly<Record<CurrencyKind, bigint | string>> }

/** Shows a sum in each currency that has one. */
export function Amounts({ of }: SumsProps): JSX.Element {
  const kinds = currencyKinds.filter((kind) => BigInt(of[kind]) > 0n)
  return (
    <>
      {kinds.length === 0 && 'nothing'}
      {kinds.map((kind, at) => (
        <Fragment key={kind}>
          {at > 0 && ' and '}
          <Amount of={of[kind]} currency={kind} />
        </Fragment>
      ))}
    </>
  )
}

const storageKey = 'heirloom.exact'

/** Whether amounts and times are shown exactly; the choice stays in this browser. */
export const isExact = signal(localStorage.getItem(storageKey) !== null)

/** Shows amounts and times exactly, or short again. */
export function toggleExact(): void {
  isExact.value = !isExact.value
  if (isExact.value) localStorage.setItem(storageKey, 'true')
  else localStorage.removeItem(storageKey)
}
