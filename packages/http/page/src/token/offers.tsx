import type { ComponentChildren } from 'preact'
import type { Listed, Token } from '../../../src/client/responses.ts'
import { type Terms, termsOf } from '../acts/listing-terms.ts'
import { openDialog } from '../acts/pending-act.ts'
import { Extension, useOwnRental } from '../acts/terms-table.tsx'
import { Amount } from '../parts/amount.tsx'
import { TextField, useText } from '../parts/form-fields.tsx'
import { Button, Fact } from '../parts/section.tsx'
import type { CurrencyKind } from '../text/amount.ts'
import { describeCap, describeOwedRoyalties, formatBps } from '../text/describe-royalties.ts'

type OffersProps = { readonly token: Token; readonly listing: Listed }

type Props = { readonly token: Token; readonly listing: Listed; readonly terms: Terms }

/** Shows what one can do with a memory, what each gives and costs, and the actions. */
export function Offers({ token, listing }: OffersProps): JSX.Element {
  const props = { token, listing, terms: termsOf(listing) }
  return (
    <div class="offered">
      <Sale {...props} />
      <Rent {...props} />
      <Fork {...props} />
    </div>
  )
}

/** Opens the purchase of a memory that is for sale. */
export function BuyButton({ token: { tokenId }, listing }: OffersProps): JSX.Element {
  const { currency, price } = termsOf(listing)
  const { seller } = listing
  return (
    <Button
      name="Buy"
      class="main"
      onClick={openDialog({ kind: 'buy', tokenId, currency, price, seller })}
    />
  )
}

type OfferProps = {
  readonly title: string
  readonly price: string
  readonly currency: CurrencyKind
  readonly unit?: string
  /** Why it is not offered; absent when it is. */
  readonly notOffered?: string | undefined
  readonly children: ComponentChildren
}

/** Shows an offer: its price, what one does, and then what one gets. */
function Offer(props: OfferProps): JSX.Element {
  const { title, price, currency, unit, notOffered, children } = props
  return (
    <section class="offer" aria-label={title}>
      <h3>{title}</h3>
      {notOffered === undefined ? (
        <>
          <p class="price">
            <Amount of={price} currency={currency} isDue /> <small>{unit}</small>
          </p>
          {children}
        </>
      ) : (
        <p class="hint">{notOffered}</p>
      )}
    </section>
  )
}

type GainProps = { readonly gets: string; readonly lasts: string; readonly owes: ComponentChildren }

/** Says what one gets, for how long, and what one owes later. */
function Gain({ gets, lasts, owes }: GainProps): JSX.Element {
  return (
    <dl class="gain">
      <Fact name="You get" value={gets} />
      <Fact name="For how long" value={lasts} />
      <Fact name="You owe later" value={owes} />
    </dl>
  )
}

function Sale({ token, listing, terms }: Props): JSX.Element {
  const { originality } = token
  const { price } = terms
  const isCopied = originality === 'copied'
  return (
    <Offer title="Buy" {...terms} notOffered={price === '0' ? 'It is not for sale.' : undefined}>
      <BuyButton token={token} listing={listing} />
      <Gain
        gets={isCopied ? 'The token, which opens nothing' : 'The token, and its memory to open'}
        lasts="Until you sell it or pass it on"
        owes={describeOwedByBuyer(listing)}
      />
    </Offer>
  )
}

/** Says what of a later sale goes to the creators before; those of a fork of it, besides, to its own. */
function describeOwedByBuyer({ totalRoyaltyBps, effectiveRoyaltyBps }: Listed): string {
  const bps = totalRoyaltyBps - effectiveRoyaltyBps
  return bps === 0
    ? 'Nothing'
    : `${formatBps(bps)} of everything it earns later, to earlier creators`
}

const longestRental = 365

const rentName = (own: object | undefined) => (own === undefined ? 'Rent' : 'Rent more days')

function Rent({ token: { tokenId, originality }, listing: { seller }, terms }: Props): JSX.Element {
  const typed = useText('7')
  const { text } = typed
  const own = useOwnRental(tokenId)
  const { currency, rentalPricePerDay: perDay } = terms
  const notOffered = perDay === '0' ? 'It is not for rent.' : undefined
  const days =
    /^[1-9]\d{0,2}$/.test(text) && Number(text) <= longestRental ? Number(text) : undefined
  return (
    <Offer title="Rent" price={perDay} currency={currency} unit="per day" notOffered={notOffered}>
      <TextField
        class="field inline"
        name="Days"
        type="number"
        min={1}
        max={longestRental}
        {...typed}
        isWrong={days === undefined}
      />
      {days === undefined ? (
        <p class="wrong">Choose 1 to {longestRental} whole days.</p>
      ) : (
        <p>
          {days} {days === 1 ? 'day costs' : 'days cost'}{' '}
          <Amount of={BigInt(perDay) * BigInt(days)} currency={currency} isDue />.
        </p>
      )}
      <Extension tokenId={tokenId} days={days} />
      <Button
        name={rentName(own)}
        disabled={days === undefined}
        onClick={openDialog({ kind: 'rent', tokenId, currency, perDay, days: days ?? 1, seller })}
      />
      <Gain
        gets={originality === 'copied' ? 'A rental that opens nothing' : 'Its memory to open'}
        lasts={`The days that you choose, at most ${longestRental}`}
        owes="Nothing"
      />
    </Offer>
  )
}

function Fork({ token: { tokenId, originality }, listing, terms }: Props): JSX.Element {
  const { currency, forkPrice: price } = terms
  const { totalRoyaltyBps: royaltyBps, seller } = listing
  return (
    <Offer
      title="Fork"
      price={price}
      currency={currency}
      unit="per fork"
      notOffered={whyNoFork(listing, price)}
    >
      <Button
        name="Fork"
        onClick={openDialog({ kind: 'fork', tokenId, currency, price, royaltyBps, seller })}
      />
      <Gain
        gets={
          originality === 'copied'
            ? 'A token of your own for the same copy, which opens nothing'
            : 'A token of your own for the same memory, to open, change and sell'
        }
        lasts="For ever, whatever happens to this one"
        owes={<OwedByFork listing={listing} />}
      />
    </Offer>
  )
}

type OwedProps = Pick<Props, 'listing'>

/** Says what of the earnings of a fork goes to earlier creators, and why it is less than listed. */
function OwedByFork({ listing }: OwedProps): JSX.Element {
  const isNothing = listing.totalRoyaltyBps === 0
  return (
    <>
      {isNothing ? 'Nothing' : describeOwedRoyalties(listing)} {describeCap(listing)}
    </>
  )
}

function whyNoFork({ canBeForked }: Listed, price: string): string | undefined {
  if (price === '0') return 'No forks are licensed.'
  if (canBeForked) return undefined
  return 'It cannot be forked: its chain of forks has the maximal length. Fork an ancestor.'
}
