import { useEffect, useRef, useState } from 'preact/hooks'
import type { Facets } from '../../../src/client/responses.ts'
import { currencyOf, dollarCurrency } from '../api/deployment.ts'
import { Select, TextField } from '../parts/form-fields.tsx'
import type { Navigation } from '../route.ts'
import { parseAmount } from '../text/amount.ts'
import {
  type BrowseQuery,
  getComparedOffer,
  getPricedCurrency,
  getRangedOffer,
  isFiltered,
  leavesOutDollars,
  type Sort,
  sorts,
} from './browse-query.ts'
import { FacetLists } from './facets.tsx'

type Props = {
  readonly query: BrowseQuery
  readonly change: (changed: Partial<BrowseQuery>, how?: Navigation) => void
}

/** The width from which the filters stand beside the list. */
const wide = '(width >= 52rem)'

/** Returns whether the filters stand beside the list; above it they are folded. */
function useIsWide(): boolean {
  const [isWide, setIsWide] = useState(() => matchMedia(wide).matches)
  useEffect(() => {
    const query = matchMedia(wide)
    const update = () => setIsWide(query.matches)
    query.addEventListener('change', update)
    return () => query.removeEventListener('change', update)
  }, [])
  return isWide
}

type FiltersProps = Props & {
  /** The query of the list, in which the words of the search may be corrected. */
  readonly shown: BrowseQuery
  readonly facets: Facets | undefined
}

/** Shows the filters of the listings. */
export function Filters({ query, shown, change, facets }: FiltersProps): JSX.Element {
  const isWide = useIsWide()
  return (
    <search class="filters">
      <Field
        name="Search"
        value={query.search}
        change={(search, how) => change({ search }, how)}
        hint="Title, description, tag"
      />
      <Order query={query} change={change} />
      <LeftOut query={query} />
      <details class="narrow-only" open={isWide}>
        <summary>Filters</summary>
        <FacetLists query={shown} facets={facets} />
        <details open={query.least + query.most !== ''}>
          <summary>Price</summary>
          <Range query={query} change={change} />
        </details>
      </details>
      {isFiltered(query) && (
        <p data-stay>
          <a href="/">Clear all filters</a>
        </p>
      )}
    </search>
  )
}

const rangeOf = { sale: 'Price', rent: 'Rent per day', fork: 'Fork price' } as const

function Range({ query, change }: Props): JSX.Element {
  const what = rangeOf[getRangedOffer(query)]
  const currency = currencyOf(getPricedCurrency(query))
  const isAmount = (text: string) => text.trim() === '' || parseAmount(text, currency) !== undefined
  return (
    <div class="pair">
      {(['least', 'most'] as const).map((end) => (
        <Field
          key={end}
          name={end === 'least' ? `${what}, from` : 'to'}
          unit={currency.symbol}
          value={query[end]}
          change={(value, how) => change({ [end]: value }, how)}
          isValid={isAmount}
        />
      ))}
    </div>
  )
}

function Order({ query, change }: Props): JSX.Element {
  return (
    <Select
      label="Order"
      chosen={query.sort}
      choose={(sort) => change({ sort })}
      options={Object.entries(sorts).map(([sort, [, , name]]) => [sort as Sort, name])}
    />
  )
}

/** Describes the listings that an order or a range of prices leaves out. */
function LeftOut({ query }: Pick<Props, 'query'>): JSX.Element | undefined {
  const offer = getComparedOffer(query)
  if (offer === undefined) return undefined
  const hasDollars = dollarCurrency.value !== undefined && leavesOutDollars(query)
  return (
    <p class="hint" role="status">
      Shown are only memories {comparedNames[offer]}
      {hasDollars &&
        ` in ${currencyOf('native').symbol}: choose ${dollarCurrency.value?.symbol} under Currency for the others`}
      .
    </p>
  )
}

const comparedNames = { sale: 'for sale', rent: 'for rent', fork: 'that can be forked' } as const

type FieldProps = {
  readonly name: string
  readonly value: string
  readonly change: (value: string, how: Navigation) => void
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
  // What is typed in one go is one entry of the history.
  const hasEntry = useRef(false)
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
      change(typed, hasEntry.current ? 'replace' : 'stay')
      hasEntry.current = true
    }, debounce)
  }
  return (
    <TextField
      name={unit === undefined ? name : `${name} (${unit})`}
      type="search"
      text={text}
      setText={onType}
      placeholder={hint}
      isWrong={isInvalid}
      inputMode={unit === undefined ? undefined : 'decimal'}
      onBlur={() => {
        hasEntry.current = false
      }}
    />
  )
}
