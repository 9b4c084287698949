import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Listed, Token } from '../../../src/client/responses.ts'
import { type Act, type Terms, termsOf } from '../acts/act.ts'
import { openAct } from '../acts/pending-act.ts'
import { Amount } from '../parts/amount.tsx'
import { describeOwedRoyalties } from '../text/describe-split.ts'

type Props = { readonly token: Token; readonly listing: Listed; readonly terms: Terms }

/** Shows what a listing offers, and the actions that accept it. */
export function Offers({ token, listing }: Omit<Props, 'terms'>): JSX.Element {
  const terms = termsOf(listing)
  const props = { token, listing, terms }
  return (
    <>
      {terms.price !== '0' && <Sale {...props} />}
      {terms.rentalPricePerDay !== '0' && <Rent {...props} />}
      {terms.forkPrice !== '0' && <Fork {...props} />}
    </>
  )
}

const openDialog = (act: Act) => () => {
  openAct.value = act
}

function Sale({ token: { tokenId, originality }, listing: { seller }, terms }: Props): JSX.Element {
  const { currency, price } = terms
  return (
    <div class="offer">
      <p class="price">
        <Amount of={price} currency={currency} />
      </p>
      <p>
        {originality === 'copied'
          ? 'You become the owner of the token, but it opens nothing.'
          : 'You become the owner of the token and can open its memory.'}
      </p>
      <button
        type="button"
        class="main"
        onClick={openDialog({ kind: 'buy', tokenId, currency, price, seller })}
      >
        Buy
      </button>
    </div>
  )
}

const longestRental = 365

function Rent({ token: { tokenId }, listing: { seller }, terms }: Props): JSX.Element {
  const [text, setText] = useState('7')
  const { currency, rentalPricePerDay: perDay } = terms
  const days =
    /^[1-9]\d{0,2}$/.test(text) && Number(text) <= longestRental ? Number(text) : undefined
  return (
    <div class="offer">
      <p class="price">
        <Amount of={perDay} currency={currency} /> <small>per day</small>
      </p>
      <label class="field inline">
        <span>Days</span>
        <input
          type="number"
          min="1"
          max={longestRental}
          value={text}
          aria-invalid={days === undefined}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      {days === undefined ? (
        <p class="wrong">Choose 1 to {longestRental} whole days.</p>
      ) : (
        <p>
          {days} {days === 1 ? 'day costs' : 'days cost'}{' '}
          <Amount of={BigInt(perDay) * BigInt(days)} currency={currency} />.
        </p>
      )}
      <button
        type="button"
        disabled={days === undefined}
        onClick={openDialog({ kind: 'rent', tokenId, currency, perDay, days: days ?? 1, seller })}
      >
        Rent
      </button>
    </div>
  )
}

function Fork({ token: { tokenId, originality }, listing, terms }: Props): JSX.Element {
  const { currency, forkPrice: price } = terms
  const { totalRoyaltyBps: royaltyBps, seller, canBeForked } = listing
  if (!canBeForked) {
    return (
      <div class="offer">
        <p>It cannot be forked: its chain of forks has the maximal length. Fork an ancestor.</p>
      </div>
    )
  }
  return (
    <div class="offer">
      <p class="price">
        <Amount of={price} currency={currency} /> <small>per fork</small>
      </p>
      <p>
        {originality === 'copied'
          ? 'You get your own token for the same copy, but it opens nothing.'
          : 'You get your own token for the same memory.'}{' '}
        {describeOwedRoyalties(listing)}
      </p>
      <button
        type="button"
        onClick={openDialog({ kind: 'fork', tokenId, currency, price, royaltyBps, seller })}
      >
        Fork
      </button>
    </div>
  )
}
