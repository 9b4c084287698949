import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Lineage, Listed, Token } from '../../../src/client/responses.ts'
import type { Act } from '../acts/act.ts'
import { open } from '../acts/pending-act.ts'
import { Amount } from '../parts/amount.tsx'
import { isSame } from '../text/account.ts'
import { owedWords, splitSentence } from '../text/describe-split.ts'
import { connected } from '../wallet/connected-wallet.ts'
import { ListForm } from './list-form.tsx'
import { OriginalityNotice, OriginalLink } from './originality.tsx'
import { RoyaltyForm } from './royalty-form.tsx'

/** What a memory costs, who is paid, and what can be done about it. */
export function TermsPanel({ lineage }: { readonly lineage: Lineage }): JSX.Element {
  const { token, split } = lineage
  const { listing } = token
  const isOwner = isSame(token.owner, connected.value?.account)
  return (
    <section class="panel terms" aria-labelledby="terms">
      <h2 id="terms">Terms</h2>
      <OriginalityNotice of={token.originality}>
        <OriginalLink token={token} />
      </OriginalityNotice>
      {listing === null && <p>It is not on offer now.</p>}
      {listing?.isForSale === true && <Sale token={token} listing={listing} />}
      {listing?.isForRent === true && <Rent token={token} listing={listing} />}
      {listing?.isForFork === true && <Fork token={token} listing={listing} />}
      <p class="split">
        {listing?.isForSale === true ? 'When it is sold: ' : 'If it were sold: '}
        {splitSentence(split, token.owner, connected.value?.account)}
      </p>
      {isOwner ? <ListForm token={token} /> : <RoyaltyForm token={token} />}
    </section>
  )
}

type Props = { readonly token: Token; readonly listing: Listed }

const start = (act: Act) => () => {
  open.value = act
}

function Sale({ token: { tokenId, originality }, listing: { price, seller } }: Props): JSX.Element {
  return (
    <div class="offer">
      <p class="price">
        <Amount wei={price} />
      </p>
      <p>
        {originality === 'copied'
          ? 'Buy it: the token becomes yours, and opens nothing.'
          : 'Buy it: the token and all rights to open it become yours.'}
      </p>
      <button type="button" class="main" onClick={start({ kind: 'buy', tokenId, price, seller })}>
        Buy
      </button>
    </div>
  )
}

const longest = 365

function Rent({ token: { tokenId }, listing }: Props): JSX.Element {
  const [text, setText] = useState('7')
  const { rentalPricePerDay: perDay, seller } = listing
  const days = /^[1-9]\d{0,2}$/.test(text) && Number(text) <= longest ? Number(text) : undefined
  return (
    <div class="offer">
      <p class="price">
        <Amount wei={perDay} /> <small>a day</small>
      </p>
      <label class="field inline">
        <span>Days</span>
        <input
          type="number"
          min="1"
          max={longest}
          value={text}
          aria-invalid={days === undefined}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      {days === undefined ? (
        <p class="wrong">Choose 1 to {longest} whole days.</p>
      ) : (
        <p>
          {days} {days === 1 ? 'day costs' : 'days cost'}{' '}
          <Amount wei={BigInt(perDay) * BigInt(days)} />.
        </p>
      )}
      <button
        type="button"
        disabled={days === undefined}
        onClick={start({ kind: 'rent', tokenId, perDay, days: days ?? 1, seller })}
      >
        Rent
      </button>
    </div>
  )
}

function Fork({ token: { tokenId, originality }, listing }: Props): JSX.Element {
  const { forkPrice: price, totalRoyaltyBps: royaltyBps, seller, canBeForked } = listing
  if (!canBeForked) {
    return (
      <div class="offer">
        <p>It cannot be forked any more: too many forks lead to it. Fork one that it came from.</p>
      </div>
    )
  }
  return (
    <div class="offer">
      <p class="price">
        <Amount wei={price} /> <small>a fork</small>
      </p>
      <p>
        {originality === 'copied'
          ? 'A token of your own for the same copy, which opens nothing.'
          : 'A token of your own for the same memory.'}{' '}
        {owedWords(listing)}
      </p>
      <button type="button" onClick={start({ kind: 'fork', tokenId, price, royaltyBps, seller })}>
        Fork
      </button>
    </div>
  )
}
