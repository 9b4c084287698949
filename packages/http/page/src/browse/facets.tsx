import type { ComponentChildren } from 'preact'
import type { Facets } from '../../../src/client/responses.ts'
import { currencyOf, dollarCurrency } from '../api/deployment.ts'
import { findFormatName } from '../formats/describe-format.ts'
import { AccountText } from '../parts/account.tsx'
import { UserText } from '../parts/user-text.tsx'
import { currencyKinds } from '../text/amount.ts'
import {
  type BrowseQuery,
  buildBrowsePath,
  changeQuery,
  leavesOutDollars,
  type Offer,
} from './browse-query.ts'

type Props = { readonly query: BrowseQuery; readonly facets: Facets | undefined }

/** Shows the values that narrow the listings, each as a link with its number of listings. */
export function FacetLists({ query, facets }: Props): JSX.Element {
  const of = (name: TextName) => ({ query, name, values: facets?.[namesOf[name]] ?? [] })
  return (
    <div data-stay>
      <Offers query={query} facets={facets} />
      <Currencies query={query} facets={facets} />
      <Values title="Category" {...of('category')} />
      <Values title="Format" {...of('format')} Shown={FormatText} />
      <Values title="Tag" {...of('tag')} />
      <Values title="Maker" {...of('maker')} Shown={AccountText} />
    </div>
  )
}

type TextName = 'category' | 'tag' | 'format' | 'maker'

const namesOf = { category: 'categories', tag: 'tags', format: 'formats', maker: 'makers' } as const

const FormatText = ({ of }: { readonly of: string }): JSX.Element => (
  <UserText of={findFormatName(of) ?? of} />
)

const offers: readonly (readonly [Offer, string])[] = [
  ['sale', 'For sale'],
  ['rent', 'For rent'],
  ['fork', 'Forkable'],
]

function Offers({ query, facets }: Props): JSX.Element {
  return (
    <Group title="On offer">
      {offers.map(([offer, name]) => {
        const chosen = offers
          .map(([it]) => it)
          .filter((it) => query.offers.includes(it) !== (it === offer))
        return (
          <Value
            key={offer}
            isChosen={query.offers.includes(offer)}
            count={facets?.offers[offer]}
            to={changeQuery(query, { offers: chosen })}
          >
            {name}
          </Value>
        )
      })}
    </Group>
  )
}

function Currencies({ query, facets }: Props): JSX.Element | undefined {
  if (dollarCurrency.value === undefined) return undefined
  return (
    <Group title="Currency">
      {currencyKinds.map((currency) => {
        const isChosen = query.currency === currency
        // A range in one currency means nothing in the other.
        const change = { currency: isChosen ? ('' as const) : currency, least: '', most: '' }
        return (
          <Value
            key={currency}
            isChosen={isChosen}
            count={leavesOutDollars(query) ? undefined : facets?.currencies[currency]}
            to={changeQuery(query, change)}
          >
            {currencyOf(currency).symbol}
          </Value>
        )
      })}
    </Group>
  )
}

type ValuesProps = {
  readonly title: string
  readonly query: BrowseQuery
  readonly name: TextName
  readonly values: Facets['tags']
  readonly Shown?: (props: { readonly of: string }) => JSX.Element
}

/** The number of values that are shown before the others are asked for. */
const shownFirst = 6

function Values(props: ValuesProps): JSX.Element | undefined {
  const { title, query, name, values, Shown = UserText } = props
  const chosen = query[name]
  const own = values.find(({ value }) => value.toLowerCase() === chosen.toLowerCase())
  const all = chosen === '' ? values : [{ value: chosen, count: own?.count }]
  // A single value that is not chosen narrows nothing.
  if (all.length === 0) return undefined
  const items = all.map(({ value, count }) => (
    <Value
      key={value}
      isChosen={chosen !== ''}
      count={count}
      to={changeQuery(query, { [name]: chosen === '' ? value : '' })}
    >
      <Shown of={value} />
    </Value>
  ))
  return (
    <Group title={title} more={items.slice(shownFirst)}>
      {items.slice(0, shownFirst)}
    </Group>
  )
}

type GroupProps = {
  readonly title: string
  readonly children: ComponentChildren
  readonly more?: readonly JSX.Element[]
}

function Group({ title, children, more = [] }: GroupProps): JSX.Element {
  return (
    <section class="facet" aria-label={title}>
      <h2>{title}</h2>
      <ul>{children}</ul>
      {more.length > 0 && (
        <details>
          <summary>{more.length} more</summary>
          <ul>{more}</ul>
        </details>
      )}
    </section>
  )
}

type ValueProps = {
  readonly isChosen: boolean
  readonly count: number | undefined
  readonly to: BrowseQuery
  readonly children: ComponentChildren
}

function Value({ isChosen, count, to, children }: ValueProps): JSX.Element {
  return (
    <li>
      {count === 0 && !isChosen ? (
        <span class="value none">{children}</span>
      ) : (
        <a
          class={isChosen ? 'value chosen' : 'value'}
          href={buildBrowsePath(to)}
          {...(isChosen && { 'aria-current': 'true' as const })}
        >
          <span>{children}</span>
          {isChosen && <span class="unseen">, chosen: remove</span>}
          {isChosen && <span aria-hidden="true">✕</span>}
        </a>
      )}
      {count !== undefined && <span class="number">{count}</span>}
    </li>
  )
}
