import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Listed, Token } from '../../../src/client/responses.ts'
import { open } from '../acts/pending-act.ts'
import { EtherField } from '../parts/ether-field.tsx'
import { ether } from '../text/ether.ts'
import { type TypedTerms, termsOf } from './terms.ts'

/** Lets an owner offer a memory, or take the offer down. */
export function ListForm({ token }: { readonly token: Token }): JSX.Element {
  const { tokenId, listing } = token
  const takeDown = () => {
    open.value = { kind: 'take-down', tokenId }
  }
  return (
    <details class="act" open={listing === null}>
      <summary>{listing === null ? 'Offer it' : 'Change your offer'}</summary>
      <Fields key={listing?.listedAt ?? ''} tokenId={tokenId} listing={listing} />
      {listing !== null && (
        <p class="buttons">
          <button type="button" onClick={takeDown}>
            Take it down
          </button>
        </p>
      )}
    </details>
  )
}

const shown = (wei: string | undefined) =>
  wei === undefined || wei === '0' ? '' : ether(BigInt(wei))

const draftOf = (listing: Listed | null): TypedTerms => ({
  price: shown(listing?.price),
  rent: shown(listing?.rentalPricePerDay),
  fork: shown(listing?.forkPrice),
  percent: String((listing?.forkRoyaltyBps ?? 500) / 100),
})

type Props = { readonly tokenId: string; readonly listing: Listed | null }

function Fields({ tokenId, listing }: Props): JSX.Element {
  const [draft, setDraft] = useState(() => draftOf(listing))
  const set = (changed: Partial<TypedTerms>) => setDraft({ ...draft, ...changed })
  const terms = termsOf(draft)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (terms !== undefined) open.value = { kind: 'list', tokenId, terms }
  }
  const none = 'Leave empty not to offer that'
  return (
    <form onSubmit={submit}>
      <EtherField name="Price" text={draft.price} setText={(price) => set({ price })} hint={none} />
      <EtherField
        name="Rent a day"
        text={draft.rent}
        setText={(rent) => set({ rent })}
        hint={none}
      />
      <EtherField
        name="Price of a fork"
        text={draft.fork}
        setText={(fork) => set({ fork })}
        hint={none}
      />
      <label class="field">
        <span>Royalty of forks (%)</span>
        <input
          type="text"
          inputMode="decimal"
          value={draft.percent}
          onInput={({ currentTarget }) => set({ percent: currentTarget.value })}
        />
        <small>
          What every later price of a fork owes to the maker of this one, as far as earlier makers
          leave something
        </small>
      </label>
      <button type="submit" class="main" disabled={terms === undefined}>
        {listing === null ? 'List it' : 'Change the listing'}
      </button>
    </form>
  )
}
