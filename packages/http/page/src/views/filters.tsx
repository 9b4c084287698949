import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { currencyOf, dollarCurrency } from '../currencies.ts'
import { parseAmount } from '../text/amount.ts'
import {
  type BrowseQuery,
  getPricedCurrency,
  getRangedOffer,
  isFiltered,
  leavesOutDollars,
  type Offer,
  type Sort,
  sorts,
} from './browse-query.ts'

type Props = {
  readonly query: BrowseQuery
  readonly change: (changed: Partial<BrowseQuery>) => void
}

/** Shows the filters of the listings. */
export function Filters({ query, change }: Props): JSX.Element {
  return (
    <search class="filters">
      <Field
        name="Search"
        value={query.search}
        change={(search) => change({ search })}
        hint="Title, description, tag"
      />
      <Offers query={query} change={change} />
      <Currencies query={query} change={change} />
      <details open={query.category + query.tag + query.creator + query.least + query.most !== ''}>
        <summary>More filters</summary>
        <Field name="Category" value={query.category} change={(category) => change({ category })} />
        <Field name="Tag" value={query.tag} change={(tag) => change({ tag })} />
        <Field
          name="Creator"
          hint="0x…"
          value={query.creator}
          change={(creator) => change({ creator })}
          isValid={isAccount}
        />
        <Range query={query} change={change} />
      </details>
      <Order query={query} change={change} />
      {dollarCurrency.value !== undefined && leavesOutDollars(query) && (
        <p class="hint">
          Prices are compared in {currencyOf('native').symbol}: listings in{' '}
          {dollarCurrency.value.symbol} are left out. Choose a currency to change that.
        </p>
      )}
      {isFiltered(query) && (
        <p>
          <a href="/">Clear all filters</a>
        </p>
      )}
    </search>
  )
}

const offers: readonly (readonly [Offer, string])[] = [
  ['sale', 'For sale'],
  ['rent', 'For rent'],
  ['fork', 'Forkable'],
]

function Offers({ query, change }: Props): JSX.Element {
  const toggle = (offer: Offer) => {
    const { offers: old } = query
    change({ offers: old.includes(offer) ? old.filter((it) => it !== offer) : [...old, offer] })
  }
  return (
    <fieldset class="toggles">
      <legend>On offer</legend>
      {offers.map(([offer, name]) => (
        <label key={offer}>
          <input
            type="checkbox"
            checked={query.offers.includes(offer)}
            onChange={() => toggle(offer)}
          />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  )
}

function Currencies({ query, change }: Props): JSX.Element | undefined {
  const dollar = dollarCurrency.value
  if (dollar === undefined) return undefined
  // A range in one currency means nothing in the other.
  const choose = (currency: BrowseQuery['currency']) => change({ currency, least: '', most: '' })
  return (
    <label class="field">
      <span>Currency</span>
      <select
        value={query.currency}
        onChange={({ currentTarget }) => choose(currentTarget.value as BrowseQuery['currency'])}
      >
        <option value="">All</option>
        <option value="native">{currencyOf('native').symbol}</option>
        <option value="dollar">{dollar.symbol}</option>
      </select>
    </label>
  )
}

const rangeOf = { sale: 'Price', rent: 'Rent per day', fork: 'Fork price' } as const

function Range({ query, change }: Props): JSX.Element {
  const what = rangeOf[getRangedOffer(query)]
  const currency = currencyOf(getPricedCurrency(query))
  const isAmount = (text: string) => text.trim() === '' || parseAmount(text, currency) !== undefined
  return (
    <div class="pair">
      <Field
        name={`${what}, from`}
        unit={currency.symbol}
        value={query.least}
        change={(least) => change({ least })}
        isValid={isAmount}
      />
      <Field
        name="to"
        unit={currency.symbol}
        value={query.most}
        change={(most) => change({ most })}
        isValid={isAmount}
      />
    </div>
  )
}

const isAccount = (text: string) => /^(0x[0-9a-f]{40})?$/i.test(text.trim())

function Order({ query, change }: Props): JSX.Element {
  return (
    <label class="field">
      <span>Order</span>
      <select
        value={query.sort}
        onChange={({ currentTarget }) => change({ sort: currentTarget.value as Sort })}
      >
        {Object.entries(sorts).map(([sort, [, , name]]) => (
          <option key={sort} value={sort}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

type FieldProps = {
  readonly name: string
  readonly value: string
  readonly change: (value: string) => void
  readonly hint?: string
  readonly unit?: string
  readonly isValid?: (text: string) => boolean
}

/** The pause in typing before a search, in milliseconds. */
const debounce = 250

function Field({ name, value, change, hint, unit, isValid }: FieldProps) {
  const [text, setText] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const sent = useRef(value)
  useEffect(() => {
    // A value sent by this field must not undo later typing.
    if (value !== sent.current) setText(value)
    sent.current = value
  }, [value])
  // A pending search must not navigate back after the user has left.
  useEffect(() => () => clearTimeout(timer.current), [])
  const isInvalid = isValid?.(text) === false
  const onType = (typed: string) => {
    setText(typed)
    clearTimeout(timer.current)
    if (isValid?.(typed) === false) return
    timer.current = setTimeout(() => {
      sent.current = typed
      change(typed)
    }, debounce)
  }
  return (
    <label class="field">
      <span>
        {name}
        {unit !== undefined && ` (${unit})`}
      </span>
      <input
        type="search"
        value={text}
        {...(hint !== undefined && { placeholder: hint })}
        aria-invalid={isInvalid}
        {...(unit !== undefined && { inputMode: 'decimal' as const })}
        onInput={({ currentTarget }) => onType(currentTarget.value)}
      />
    </label>
  )
}
