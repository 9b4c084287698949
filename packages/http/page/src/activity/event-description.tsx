import type { JSX } from 'preact'
import type { Event } from '../../../src/client/responses.ts'
import { Account } from '../parts/account.tsx'
import { Amount } from '../parts/amount.tsx'
import { Moment } from '../parts/moment.tsx'
import { TokenLink } from '../parts/token-link.tsx'
import { currencyOfEvent } from '../text/amount.ts'
import { formatBps } from '../text/describe-royalties.ts'

/** The name of an event and its text: a sign and the name of a member stand for what `Part` shows. */
type Text = readonly [name: string, text: string]

const texts = {
  mint: ['Created', 'by @creator'],
  card: ['Described', 'the creator added a public description'],
  transfer: ['Transferred', 'to @to'],
  sale: ['Sold', 'to @recipient for $price'],
  rental: ['Rented', 'by @renter for $paid, ends ~expiresAt'],
  fork: ['Forked', 'as #child by @forker for $price'],
  royalty: ['Royalty', '$amount to @to'],
  heartbeat: ['Sign of life', 'of @account'],
  'heir-named': ['Heir named', '@heir from @account'],
  'takeover-announced': ['Takeover announced', '@heir from @account, from ~takeoverAt on'],
  takeover: ['Taken over', '@heir from @account'],
} satisfies { readonly [kind in Exclude<Event['kind'], `dollar-${string}` | 'listing'>]: Text }

const offers = [
  ['price', 'for sale at $price'],
  ['rentalPricePerDay', 'for rent at $rentalPricePerDay a day'],
  ['forkPrice', 'for forks at $forkPrice with a royalty of %forkRoyaltyBps'],
] as const

function textOf(event: Event): Text {
  const { kind } = event
  if (kind === 'mint' && event.parent !== '0') return ['Created', 'by @creator from #parent']
  if (kind === 'transfer' && event.from === null) return ['Issued', 'to @to']
  // Dollars may come from anybody: the fork is that of its recipient.
  if (kind === 'dollar-fork') return ['Forked', 'as #child by @recipient for $price']
  if (kind !== 'listing' && kind !== 'dollar-listing') {
    return texts[kind.replace('dollar-', '') as keyof typeof texts] as unknown as Text
  }
  const made = offers.filter(([price]) => event[price] !== '0').map(([, text]) => text)
  return made.length === 0 ? ['Taken down', 'no longer listed'] : ['Listed', made.join(', ')]
}

/** Describes an event. */
export function EventDescription({ event }: { readonly event: Event }): JSX.Element {
  const [name, text] = textOf(event)
  return (
    <>
      <strong>{name}</strong>{' '}
      {text.split(/([@#$~%]\w+)/).map((part, at) => (
        <Part key={at} text={part} event={event} />
      ))}
    </>
  )
}

function Part({ text, event }: { readonly text: string; readonly event: Event }): JSX.Element {
  const value = (event as Readonly<Record<string, unknown>>)[text.slice(1)]
  const of = `${value}`
  switch (text[0]) {
    case '@':
      return value === null ? <>nobody</> : <Account of={of} />
    case '#':
      return <TokenLink tokenId={of} />
    case '$':
      return <Amount of={of} currency={currencyOfEvent(event)} />
    case '~':
      return <Moment at={of} />
    case '%':
      return <>{formatBps(Number(of))}</>
    default:
      return <>{text}</>
  }
}
