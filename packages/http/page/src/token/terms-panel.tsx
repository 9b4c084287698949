import type { Listed, Split, Token } from '../../../src/client/responses.ts'
import { termsOf } from '../acts/listing-terms.ts'
import { TermsTable } from '../acts/terms-table.tsx'
import { OriginalityNotice, OriginalLink } from '../browse/originality.tsx'
import { Amount } from '../parts/amount.tsx'
import { Loading, lazy } from '../parts/lazy.tsx'
import { Moment } from '../parts/moment.tsx'
import { Notice, Unread } from '../parts/notice.tsx'
import { Button, ButtonLine, Fold, Section } from '../parts/section.tsx'
import { isSameAccount } from '../text/account.ts'
import { describeCap } from '../text/describe-royalties.ts'
import { connectedWallet } from '../wallet/connected-wallet.ts'
import { ListForm, RoyaltyForm } from './list-form.tsx'
import { BuyButton, Offers } from './offers.tsx'
import { PriceSplit } from './price-split.tsx'
import { useFamily } from './use-token.ts'

type Props = { readonly token: Token }

/** Shows what a memory is offered for, who is paid, and the acts, by its row alone. */
export function TermsPanel({ token }: Props): JSX.Element {
  return (
    <Section id="terms" title="Terms" class="panel terms">
      <ErasedNotice token={token} />
      <OriginalityNotice of={token.originality}>
        <OriginalLink token={token} />
      </OriginalityNotice>
      {token.erasedAt === null && <Trade token={token} isOwner={isOwn(token)} />}
    </Section>
  )
}

/** Shows what a memory is offered for. */
function Trade({ token, isOwner }: Props & { readonly isOwner: boolean }): JSX.Element {
  const { listing } = token
  return (
    <>
      {listing === null && <p>It is not for sale, for rent or for fork now.</p>}
      {listing === null && isOwner && <ButtonLine name="List it" onClick={openListForm} />}
      {listing !== null && isOwner && <OwnListing listing={listing} />}
      {listing !== null && !isOwner && <Offers token={token} listing={listing} />}
      {listing !== null && !isOwner && <BuyBar token={token} listing={listing} />}
      <SaleSplit token={token} />
      {!isOwner && <RoyaltyForm token={token} />}
    </>
  )
}

/** Opens the form with which the owner lists the memory, and moves the focus there. */
function openListForm(): void {
  const form = document.getElementById('list')
  if (!(form instanceof HTMLDetailsElement)) return
  form.open = true
  form.querySelector('summary')?.focus()
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

type BarProps = Props & { readonly listing: Listed }

/** Shows the price and the act at the bottom of a phone, where the terms are further up or down. */
function BuyBar({ token, listing }: BarProps): JSX.Element {
  const { currency, price, rentalPricePerDay: perDay } = termsOf(listing)
  const isForSale = price !== '0'
  const showTerms = () => document.getElementById('terms')?.scrollIntoView()
  return (
    <div class="bar">
      <span class="price">
        {isForSale && <Amount of={price} currency={currency} isDue />}
        {!isForSale && perDay !== '0' && (
          <>
            <Amount of={perDay} currency={currency} isDue /> <small>per day</small>
          </>
        )}
      </span>
      {isForSale ? (
        <BuyButton token={token} listing={listing} />
      ) : (
        <Button name="See the terms" class="main" onClick={showTerms} />
      )}
    </div>
  )
}

const noTerms = { currency: 'native', price: '0' } as const

/** Shows who is paid when a memory is sold. Only a licensed fork owes something to others. */
function SaleSplit({ token }: Props): JSX.Element {
  const { currency, price } = token.listing === null ? noTerms : termsOf(token.listing)
  const whole = price === '0' ? '1' : price
  if (token.link !== 'fork') {
    return <SplitOf token={token} split={{ currency, price: whole, royalties: [], rest: whole }} />
  }
  return (
    <Fold id="split" summary="Who is paid when it is sold">
      <ReadSplit token={token} />
    </Fold>
  )
}

function ReadSplit({ token }: Props): JSX.Element {
  const family = useFamily(token.tokenId)
  const { value, isLoading } = family
  return (
    <>
      {isLoading && <Loading />}
      <Unread what="The division of the price" of={family} />
      {value !== undefined && <SplitOf token={token} split={value.split} />}
    </>
  )
}

function SplitOf({ token, split }: Props & { readonly split: Split }): JSX.Element {
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
      <strong>Its memory was erased</strong> for its owner, <Moment at={erasedAt} />. Nobody can
      open this token, and nothing brings the memory back.
      {listing !== null && ' The chain still has a listing of it: do not pay for it.'}
    </Notice>
  )
}

const TransferForm = lazy(async () => (await import('./owner-forms.tsx')).TransferForm)

const EraseForm = lazy(async () => (await import('./owner-forms.tsx')).EraseForm)

const GrantForm = lazy(async () => (await import('./grant-form.tsx')).GrantForm)

/** Returns whether the connected wallet owns a memory. */
const isOwn = ({ owner }: Pick<Token, 'owner'>): boolean =>
  isSameAccount(owner, connectedWallet.value?.account)

/** Shows what only the owner of a memory does with it: list, grant, transfer and erase it. */
export function OwnerPanel({ token }: { readonly token: Token }): JSX.Element | undefined {
  if (!isOwn(token)) return undefined
  const isErased = token.erasedAt !== null
  return (
    <section class="panel owned" aria-labelledby="owned">
      <h2 id="owned" tabIndex={-1}>
        Your memory
      </h2>
      {!isErased && <ListForm token={token} />}
      {!isErased && <GrantForm tokenId={token.tokenId} />}
      <TransferForm tokenId={token.tokenId} />
      {!isErased && <EraseForm tokenId={token.tokenId} />}
    </section>
  )
}
