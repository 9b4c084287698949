import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Listed, Token } from '../../../src/client/responses.ts'
import { openAct } from '../acts/pending-act.ts'
import { EtherField } from '../parts/ether-field.tsx'
import { formatEther } from '../text/ether.ts'
import { parseTerms, type TypedTerms } from './terms.ts'

/** Shows the form with which an owner lists a memory or takes the listing down. */
export function ListForm({ token }: { readonly token: Token }): JSX.Element {
  const { tokenId, listing } = token
  const takeDown = () => {
    openAct.value = { kind: 'take-down', tokenId }
  }
  return (
    <details class="act" open={listing === null}>
      <summary>{listing === null ? 'List this memory' : 'Change the listing'}</summary>
      <Fields key={listing?.listedAt ?? ''} tokenId={tokenId} listing={listing} />
      {listing !== null && (
        <p class="buttons">
          <button type="button" onClick={takeDown}>
            Take down
          </button>
        </p>
      )}
    </details>
  )
}

const toField = (wei: string | undefined) =>
  wei === undefined || wei === '0' ? '' : formatEther(BigInt(wei))

const draftOf = (listing: Listed | null): TypedTerms => ({
  price: toField(listing?.price),
  rent: toField(listing?.rentalPricePerDay),
  fork: toField(listing?.forkPrice),
  percent: String((listing?.forkRoyaltyBps ?? 500) / 100),
})

type Props = { readonly tokenId: string; readonly listing: Listed | null }

function Fields({ tokenId, listing }: Props): JSX.Element {
  const [draft, setDraft] = useState(() => draftOf(listing))
  const set = (changed: Partial<TypedTerms>) => setDraft({ ...draft, ...changed })
  const terms = parseTerms(draft)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (terms !== undefined) openAct.value = { kind: 'list', tokenId, terms }
  }
  const hint = 'Leave empty if not offered'
  return (
    <form onSubmit={submit}>
      <EtherField name="Price" text={draft.price} setText={(price) => set({ price })} hint={hint} />
      <EtherField
        name="Rent per day"
        text={draft.rent}
        setText={(rent) => set({ rent })}
        hint={hint}
      />
      <EtherField
        name="Fork price"
        text={draft.fork}
        setText={(fork) => set({ fork })}
        hint={hint}
      />
      <label class="field">
        <span>Fork royalty (%)</span>
        <input
          type="text"
          inputMode="decimal"
          value={draft.percent}
          onInput={({ currentTarget }) => set({ percent: currentTarget.value })}
        />
        <small>Your share of every later price of a fork. Earlier creators are paid first</small>
      </label>
      <button type="submit" class="main" disabled={terms === undefined}>
        {listing === null ? 'List' : 'Update the listing'}
      </button>
    </form>
  )
}
