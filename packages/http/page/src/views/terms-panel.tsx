import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Lineage, Listed, Token } from '../../../src/client/responses.ts'
import type { Act } from '../acts/act.ts'
import { openAct } from '../acts/pending-act.ts'
import { TermsTable } from '../acts/terms-table.tsx'
import { Amount } from '../parts/amount.tsx'
import { isSameAccount } from '../text/account.ts'
import { describeOwedRoyalties, describeSplit } from '../text/describe-split.ts'
import { connectedWallet } from '../wallet/connected-wallet.ts'
import { ListForm } from './list-form.tsx'
import { OriginalityNotice, OriginalLink } from './originality.tsx'
import { RoyaltyForm } from './royalty-form.tsx'

/** Shows the terms of a memory, the split of its price, and the actions on it. */
export function TermsPanel({ lineage }: { readonly lineage: Lineage }): JSX.Element {
  const { token, split } = lineage
  const { listing } = token
  const isOwner = isSameAccount(token.owner, connectedWallet.value?.account)
  return (
    <section class="panel terms" aria-labelledby="terms">
      <h2 id="terms">Terms</h2>
      <OriginalityNotice of={token.originality}>
        <OriginalLink token={token} />
      </OriginalityNotice>
      {listing === null && <p>It is not listed.</p>}
      {listing !== null && isOwner && <OwnListing listing={listing} />}
      {listing !== null && !isOwner && <Offers token={token} listing={listing} />}
      <p class="split">
        {listing?.isForSale === true ? 'When it is sold: ' : 'If it were sold: '}
        {describeSplit(split, token.owner, connectedWallet.value?.account)}
      </p>
      {isOwner ? <ListForm token={token} /> : <RoyaltyForm token={token} />}
    </section>
  )
}

type Props = { readonly token: Token; readonly listing: Listed }

function OwnListing({ listing }: Pick<Props, 'listing'>): JSX.Element {
  return (
    <>
      <p class="hint">
        It is yours, so there is nothing to buy, rent or fork. Others are offered these terms:
      </p>
      <TermsTable terms={listing} />
    </>
  )
}

function Offers({ token, listing }: Props): JSX.Element {
  return (
    <>
      {listing.isForSale && <Sale token={token} listing={listing} />}
      {listing.isForRent && <Rent token={token} listing={listing} />}
      {listing.isForFork && <Fork token={token} listing={listing} />}
    </>
  )
}

const openDialog = (act: Act) => () => {
  openAct.value = act
}

function Sale({ token: { tokenId, originality }, listing: { price, seller } }: Props): JSX.Element {
  return (
    <div class="offer">
      <p class="price">
        <Amount wei={price} />
      </p>
      <p>
        {originality === 'copied'
          ? 'You become the owner of the token, but it opens nothing.'
          : 'You become the owner of the token and can open its memory.'}
      </p>
      <button
        type="button"
        class="main"
        onClick={openDialog({ kind: 'buy', tokenId, price, seller })}
      >
        Buy
      </button>
    </div>
  )
}

const longestRental = 365

function Rent({ token: { tokenId }, listing }: Props): JSX.Element {
  const [text, setText] = useState('7')
  const { rentalPricePerDay: perDay, seller } = listing
  const days =
    /^[1-9]\d{0,2}$/.test(text) && Number(text) <= longestRental ? Number(text) : undefined
  return (
    <div class="offer">
      <p class="price">
        <Amount wei={perDay} /> <small>per day</small>
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
          <Amount wei={BigInt(perDay) * BigInt(days)} />.
        </p>
      )}
      <button
        type="button"
        disabled={days === undefined}
        onClick={openDialog({ kind: 'rent', tokenId, perDay, days: days ?? 1, seller })}
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
        <p>It cannot be forked: its chain of forks has the maximal length. Fork an ancestor.</p>
      </div>
    )
  }
  return (
    <div class="offer">
      <p class="price">
        <Amount wei={price} /> <small>per fork</small>
      </p>
      <p>
        {originality === 'copied'
          ? 'You get your own token for the same copy, but it opens nothing.'
          : 'You get your own token for the same memory.'}{' '}
        {describeOwedRoyalties(listing)}
      </p>
      <button
        type="button"
        onClick={openDialog({ kind: 'fork', tokenId, price, royaltyBps, seller })}
      >
        Fork
      </button>
    </div>
  )
}
