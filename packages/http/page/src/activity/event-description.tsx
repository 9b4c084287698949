import type { ComponentChildren, JSX } from 'preact'
import type { Event } from '../../../src/client/responses.ts'
import { Account } from '../parts/account.tsx'
import { Amount } from '../parts/amount.tsx'
import { Moment } from '../parts/moment.tsx'
import { TokenLink } from '../parts/token-link.tsx'
import { currencyOfEvent } from '../text/amount.ts'
import { formatBps } from '../text/describe-royalties.ts'

type Of<Kind extends Event['kind']> = { readonly event: Extract<Event, { kind: Kind }> }

/** Describes an event. */
export function EventDescription({ event }: { readonly event: Event }): JSX.Element {
  switch (event.kind) {
    case 'mint':
      return <Mint event={event} />
    case 'card':
      return <Entry name="Described">the creator added a public description</Entry>
    case 'transfer':
      return (
        <Entry name={event.from === null ? 'Issued' : 'Transferred'}>
          to <Account of={event.to} />
        </Entry>
      )
    case 'listing':
    case 'dollar-listing':
      return <Listing event={event} />
    case 'sale':
    case 'dollar-sale':
      return (
        <Entry name="Sold">
          to <Account of={event.recipient} /> for{' '}
          <Amount of={event.price} currency={currencyOfEvent(event)} />
        </Entry>
      )
    case 'rental':
    case 'dollar-rental':
      return <Rental event={event} />
    case 'fork':
    case 'dollar-fork':
      return <Fork event={event} />
    case 'royalty':
    case 'dollar-royalty':
      return (
        <Entry name="Royalty">
          <Amount of={event.amount} currency={currencyOfEvent(event)} /> to{' '}
          <Account of={event.to} />
        </Entry>
      )
    case 'heir-named':
    case 'heartbeat':
    case 'takeover-announced':
    case 'takeover':
      return <OfHeirs event={event} />
  }
}

type HeirEvent = Of<'heir-named' | 'heartbeat' | 'takeover-announced' | 'takeover'>

function OfHeirs({ event }: HeirEvent): JSX.Element {
  const account = <Account of={event.account} />
  if (event.kind === 'heartbeat') return <Entry name="Sign of life">of {account}</Entry>
  const heir = event.heir === null ? 'nobody' : <Account of={event.heir} />
  const names = {
    'heir-named': 'Heir named',
    'takeover-announced': 'Takeover announced',
    takeover: 'Taken over',
  }
  return (
    <Entry name={names[event.kind]}>
      {heir} from {account}
      {event.kind === 'takeover-announced' && (
        <>
          , from <Moment at={event.takeoverAt} /> on
        </>
      )}
    </Entry>
  )
}

type EntryProps = { readonly name: string; readonly children: ComponentChildren }

function Entry({ name, children }: EntryProps): JSX.Element {
  return (
    <>
      <strong>{name}</strong> {children}
    </>
  )
}

function Mint({ event }: Of<'mint'>): JSX.Element {
  const { creator, parent } = event
  return (
    <Entry name="Created">
      by <Account of={creator} />
      {parent !== '0' && (
        <>
          {' '}
          from <TokenLink tokenId={parent} />
        </>
      )}
    </Entry>
  )
}

function Listing({ event }: Of<'listing' | 'dollar-listing'>): JSX.Element {
  const { price, rentalPricePerDay, forkPrice, forkRoyaltyBps } = event
  const currency = currencyOfEvent(event)
  const parts = [
    price !== '0' && (
      <>
        for sale at <Amount of={price} currency={currency} />
      </>
    ),
    rentalPricePerDay !== '0' && (
      <>
        for rent at <Amount of={rentalPricePerDay} currency={currency} /> a day
      </>
    ),
    forkPrice !== '0' && (
      <>
        for forks at <Amount of={forkPrice} currency={currency} /> with a royalty of{' '}
        {formatBps(forkRoyaltyBps)}
      </>
    ),
  ].filter((it) => it !== false)
  if (parts.length === 0) return <Entry name="Taken down">no longer listed</Entry>
  return (
    <Entry name="Listed">
      {parts.map((part, at) => (
        <span key={at}>
          {at > 0 && ', '}
          {part}
        </span>
      ))}
    </Entry>
  )
}

function Rental({ event }: Of<'rental' | 'dollar-rental'>): JSX.Element {
  return (
    <Entry name="Rented">
      by <Account of={event.renter} /> for{' '}
      <Amount of={event.paid} currency={currencyOfEvent(event)} />, ends{' '}
      <Moment at={event.expiresAt} />
    </Entry>
  )
}

function Fork({ event }: Of<'fork' | 'dollar-fork'>): JSX.Element {
  // Dollars may come from anybody: the fork is that of its recipient.
  const by = event.kind === 'fork' ? event.forker : event.recipient
  return (
    <Entry name="Forked">
      as <TokenLink tokenId={event.child} /> by <Account of={by} /> for{' '}
      <Amount of={event.price} currency={currencyOfEvent(event)} />
    </Entry>
  )
}
