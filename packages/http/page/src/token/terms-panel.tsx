import type { JSX } from 'preact'
import type { Lineage, Listed, Token } from '../../../src/client/responses.ts'
import { termsOf } from '../acts/listing-terms.ts'
import { TermsTable } from '../acts/terms-table.tsx'
import { OriginalityNotice, OriginalLink } from '../browse/originality.tsx'
import { lazy } from '../parts/lazy.tsx'
import { Moment } from '../parts/moment.tsx'
import { Notice } from '../parts/notice.tsx'
import { Section } from '../parts/section.tsx'
import { isSameAccount } from '../text/account.ts'
import { describeCap } from '../text/describe-royalties.ts'
import { connectedWallet } from '../wallet/connected-wallet.ts'
import { ListForm } from './list-form.tsx'
import { Offers } from './offers.tsx'
import { PriceSplit } from './price-split.tsx'
import { summarizeRatings } from './rating-summary.tsx'
import { RoyaltyForm } from './royalty-form.tsx'

type Props = { readonly lineage: Lineage }

type PanelProps = Props & {
  /** The number of ratings for each score; absent while they load. */
  readonly counts: readonly number[] | undefined
}

/** Shows the terms of a memory, the split of its price, and what it is offered for. */
export function TermsPanel({ lineage, counts }: PanelProps): JSX.Element {
  const { token } = lineage
  return (
    <Section id="terms" title="Terms" class="panel terms">
      <p class="hint">
        {/* The line is there from the start, so that nothing moves when it is filled. */}
        {counts === undefined ? '\u00a0' : <a href="#ratings">{summarizeRatings(counts)}</a>}
      </p>
      <ErasedNotice token={token} />
      <OriginalityNotice of={token.originality}>
        <OriginalLink token={token} />
      </OriginalityNotice>
      {token.erasedAt === null && <Trade lineage={lineage} isOwner={isOwn(token)} />}
    </Section>
  )
}

/** Shows what a memory is offered for. */
function Trade({ lineage, isOwner }: Props & { readonly isOwner: boolean }): JSX.Element {
  const { token } = lineage
  const { listing } = token
  return (
    <>
      {listing === null && (
        <p>
          It is not listed.
          {isOwner && (
            <>
              {' '}
              <a href="#owned">List it</a>
            </>
          )}
        </p>
      )}
      {listing !== null && isOwner && <OwnListing listing={listing} />}
      {listing !== null && !isOwner && <Offers lineage={lineage} listing={listing} />}
      <SaleSplit lineage={lineage} />
      {!isOwner && <RoyaltyForm token={token} />}
    </>
  )
}

function OwnListing({ listing }: { readonly listing: Listed }): JSX.Element {
  const terms = termsOf(listing)
  const cap = terms.forkPrice === '0' ? undefined : describeCap(listing)
  return (
    <>
      <p class="hint">
        It is yours, so there is nothing to buy, rent or fork. Others are offered these terms:
      </p>
      <TermsTable terms={terms} />
      {cap !== undefined && <p class="hint">{cap}</p>}
    </>
  )
}

/** Shows who is paid when a memory is sold. */
function SaleSplit({ lineage: { token, split } }: Props): JSX.Element {
  const { tokenId, listing, owner: seller } = token
  const isForSale = listing !== null && termsOf(listing).price !== '0'
  const price = isForSale ? 'requested' : 'example'
  return (
    <PriceSplit
      split={split}
      seller={seller}
      tokenId={tokenId}
      price={price}
      currency={split.currency}
    />
  )
}

/** Says that a memory was erased, before anything is paid for its token. */
function ErasedNotice({ token }: { readonly token: Token }): JSX.Element | undefined {
  const { erasedAt, listing } = token
  if (erasedAt === null) return undefined
  return (
    <Notice kind="warn">
      <p>
        <strong>Its memory was erased</strong> for its owner, <Moment at={erasedAt} />. Nobody can
        open this token, and nothing brings the memory back.
        {listing !== null && ' The chain still has a listing of it: do not pay for it.'}
      </p>
    </Notice>
  )
}

const TransferForm = lazy<{ readonly tokenId: string }>(
  async () => (await import('./owner-forms.tsx')).TransferForm,
)

const EraseForm = lazy<{ readonly tokenId: string }>(
  async () => (await import('./owner-forms.tsx')).EraseForm,
)

/** Returns whether the connected wallet owns a memory. */
const isOwn = ({ owner }: Pick<Token, 'owner'>): boolean =>
  isSameAccount(owner, connectedWallet.value?.account)

/** Shows what only the owner of a memory does with it: list, transfer and erase it. */
export function OwnerPanel({ token }: { readonly token: Token }): JSX.Element | undefined {
  if (!isOwn(token)) return undefined
  const isErased = token.erasedAt !== null
  return (
    <section class="panel owned" aria-labelledby="owned">
      <h2 id="owned" tabIndex={-1}>
        Your memory
      </h2>
      {!isErased && <ListForm token={token} />}
      <TransferForm tokenId={token.tokenId} />
      {!isErased && <EraseForm tokenId={token.tokenId} />}
    </section>
  )
}
