import type { JSX } from 'preact'
import type { Lineage, Listed } from '../../../src/client/responses.ts'
import { withQuery } from '../../../src/client/transport/with-query.ts'
import { type Terms, termsOf } from '../acts/act.ts'
import { TermsTable } from '../acts/terms-table.tsx'
import { getJson } from '../api/get-json.ts'
import { useResource } from '../api/use-resource.ts'
import { currencyOf } from '../currencies.ts'
import { lazy } from '../parts/lazy.tsx'
import { isSameAccount } from '../text/account.ts'
import { describeSplit, type PriceSplit } from '../text/describe-split.ts'
import { connectedWallet } from '../wallet/connected-wallet.ts'
import { ListForm } from './list-form.tsx'
import { Offers } from './offers.tsx'
import { OriginalityNotice, OriginalLink } from './originality.tsx'
import { RoyaltyForm } from './royalty-form.tsx'

const TransferForm = lazy<{ readonly tokenId: string }>(
  async () => (await import('./transfer-form.tsx')).TransferForm,
)

/** Shows the terms of a memory, the split of its price, and the actions on it. */
export function TermsPanel({ lineage }: { readonly lineage: Lineage }): JSX.Element {
  const { token } = lineage
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
      <SaleSplit lineage={lineage} />
      {isOwner ? <ListForm token={token} /> : <RoyaltyForm token={token} />}
      {isOwner && <TransferForm tokenId={token.tokenId} />}
    </section>
  )
}

function OwnListing({ listing }: { readonly listing: Listed }): JSX.Element {
  return (
    <>
      <p class="hint">
        It is yours, so there is nothing to buy, rent or fork. Others are offered these terms:
      </p>
      <TermsTable terms={termsOf(listing)} />
    </>
  )
}

type Props = { readonly lineage: Lineage }

/** Describes who is paid when a memory is sold. */
function SaleSplit({ lineage }: Props): JSX.Element | undefined {
  const { listing, owner: seller } = lineage.token
  const terms = listing === null ? undefined : termsOf(listing)
  const split = useSplit(lineage, terms)
  if (split === undefined) return undefined
  const isForSale = terms !== undefined && terms.price !== '0'
  const currency = currencyOf(terms?.currency ?? 'native')
  return (
    <p class="split">
      {isForSale ? 'When it is sold: ' : 'If it were sold: '}
      {describeSplit(split, { currency, seller, you: connectedWallet.value?.account })}
    </p>
  )
}

/** One dollar, whose split shows the shares of a memory that has no price in dollars. */
const oneDollar = '1000000'

/** Returns the split of the price in its currency; `undefined` until it is known. */
function useSplit({ token, split }: Lineage, terms: Terms | undefined): PriceSplit | undefined {
  const isInDollars = terms?.currency === 'dollar'
  const price = terms === undefined || terms.price === '0' ? oneDollar : terms.price
  const path = isInDollars ? withQuery(`/api/memory/${token.tokenId}/lineage`, { price }) : ''
  const { value } = useResource(path, (signal) => getJson<Lineage>(path, signal))
  return isInDollars ? value?.split : split
}
