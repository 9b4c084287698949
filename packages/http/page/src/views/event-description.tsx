import type { ComponentChildren, JSX } from 'preact'
import type { Event } from '../../../src/client/responses.ts'
import { Account } from '../parts/account.tsx'
import { Amount } from '../parts/amount.tsx'
import { Moment } from '../parts/moment.tsx'
import { percentOfBps } from '../text/describe-split.ts'

type Of<Kind extends Event['kind']> = { readonly event: Extract<Event, { kind: Kind }> }

/** Tells in words what happened. */
export function Happened({ event }: { readonly event: Event }): JSX.Element {
  switch (event.kind) {
    case 'mint':
      return <Mint event={event} />
    case 'card':
      return <Told name="Described">its maker showed a card of it</Told>
    case 'transfer':
      return <Transfer event={event} />
    case 'listing':
      return <Listing event={event} />
    case 'sale':
      return <Sale event={event} />
    case 'rental':
      return <Rental event={event} />
    case 'fork':
      return <Fork event={event} />
    case 'royalty':
      return (
        <Told name="Royalty">
          <Amount wei={event.amount} /> to <Account of={event.to} />
        </Told>
      )
  }
}

type ToldProps = { readonly name: string; readonly children: ComponentChildren }

function Told({ name, children }: ToldProps): JSX.Element {
  return (
    <>
      <strong>{name}</strong> {children}
    </>
  )
}

function Mint({ event }: Of<'mint'>): JSX.Element {
  const { creator, parent } = event
  return (
    <Told name="Made">
      by <Account of={creator} />
      {parent !== '0' && (
        <>
          {' '}
          from <a href={`/token/${parent}`}>No. {parent}</a>
        </>
      )}
    </Told>
  )
}

function Transfer({ event }: Of<'transfer'>): JSX.Element {
  return (
    <Told name={event.from === null ? 'Issued' : 'Passed on'}>
      to <Account of={event.to} />
    </Told>
  )
}

function Listing({ event }: Of<'listing'>): JSX.Element {
  const { price, rentalPricePerDay, forkPrice, forkRoyaltyBps } = event
  const parts = [
    price !== '0' && (
      <>
        buy <Amount wei={price} />
      </>
    ),
    rentalPricePerDay !== '0' && (
      <>
        rent <Amount wei={rentalPricePerDay} /> a day
      </>
    ),
    forkPrice !== '0' && (
      <>
        fork <Amount wei={forkPrice} /> and {percentOfBps(forkRoyaltyBps)}
      </>
    ),
  ].filter((it) => it !== false)
  if (parts.length === 0) return <Told name="Taken down">no longer on offer</Told>
  return (
    <Told name="Listed">
      {parts.map((part, at) => (
        <span key={at}>
          {at > 0 && ', '}
          {part}
        </span>
      ))}
    </Told>
  )
}

function Sale({ event }: Of<'sale'>): JSX.Element {
  return (
    <Told name="Sold">
      to <Account of={event.recipient} /> for <Amount wei={event.price} />
    </Told>
  )
}

function Rental({ event }: Of<'rental'>): JSX.Element {
  return (
    <Told name="Rented">
      by <Account of={event.renter} /> for <Amount wei={event.paid} />, ends{' '}
      <Moment at={event.expiresAt} />
    </Told>
  )
}

function Fork({ event }: Of<'fork'>): JSX.Element {
  return (
    <Told name="Forked">
      as <a href={`/token/${event.child}`}>No. {event.child}</a> by <Account of={event.forker} />{' '}
      for <Amount wei={event.price} />
    </Told>
  )
}
