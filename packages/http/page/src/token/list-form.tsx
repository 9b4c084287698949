import { useEffect, useRef, useState } from 'preact/hooks'
import type { Listed, Token } from '../../../src/client/responses.ts'
import { type Terms, termsOf } from '../acts/listing-terms.ts'
import { openDialog } from '../acts/pending-act.ts'
import { AmountField, CurrencyChoice } from '../parts/amount-field.tsx'
import { ActForm, Form, Submit, TextField } from '../parts/form-fields.tsx'
import { ButtonLine } from '../parts/section.tsx'
import { type CurrencyKind, decimalsOf, formatAmount, parseAmount } from '../text/amount.ts'
import { describeCap, mostRoyalties } from '../text/describe-royalties.ts'

type FormProps = {
  readonly token: Token
  /** Whether its fields are seen at once where the memory is not listed. */
  readonly isOpen?: boolean
}

/** Shows the form with which an owner lists a memory or takes the listing down. */
export function ListForm({ token, isOpen = false }: FormProps): JSX.Element {
  const { tokenId, listing } = token
  const details = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    // What was listed or taken down folds again.
    if (details.current !== null) details.current.open = isOpen && listing === null
  }, [listing === null])
  return (
    <details class="act" id="list" ref={details}>
      <summary>{listing === null ? 'List this memory' : 'Change the listing'}</summary>
      {/* Two listings may be of one second. */}
      <Fields key={JSON.stringify(listing)} tokenId={tokenId} listing={listing} />
      {listing !== null && (
        <ButtonLine name="Take down" onClick={openDialog({ kind: 'take-down', tokenId })} />
      )}
    </details>
  )
}

const defaultBps = 500

/** Returns terms as a form shows them. Amounts in another currency are left out: a price does not survive it. */
function draftOf(terms: Terms | undefined, currency: CurrencyKind) {
  const decimals = decimalsOf[currency]
  const toField = (amount = '0') =>
    amount === '0' || terms?.currency !== currency ? '' : formatAmount(BigInt(amount), { decimals })
  return {
    currency,
    price: toField(terms?.price),
    rent: toField(terms?.rentalPricePerDay),
    fork: toField(terms?.forkPrice),
    percent: String((terms?.forkRoyaltyBps ?? defaultBps) / 100),
  }
}

type Props = { readonly tokenId: string; readonly listing: Listed | null }

const prices = [
  ['price', 'Price'],
  ['rent', 'Rent per day'],
  ['fork', 'Fork price'],
] as const

function Fields({ tokenId, listing }: Props): JSX.Element {
  const current = listing === null ? undefined : termsOf(listing)
  const [draft, setDraft] = useState(() => draftOf(current, current?.currency ?? 'native'))
  const set = (changed: Partial<TypedTerms>) => setDraft({ ...draft, ...changed })
  const terms = parseTerms(draft)
  const { currency, percent } = draft
  return (
    <Form submit={openDialog(terms && { kind: 'list', tokenId, terms })}>
      <CurrencyChoice
        currency={currency}
        choose={(chosen) => setDraft({ ...draftOf(current, chosen), percent })}
      />
      {prices.map(([key, name]) => (
        <AmountField
          key={key}
          name={name}
          currency={currency}
          text={draft[key]}
          setText={(text) => set({ [key]: text })}
          hint="Leave empty if not offered"
        />
      ))}
      <RoyaltyField text={percent} setText={(text) => set({ percent: text })} />
      <ForkShares listing={listing} />
      <Submit
        name={listing === null ? 'List' : 'Update the listing'}
        class="main"
        missing={terms === undefined && 'Enter at least one price.'}
      />
    </Form>
  )
}

type RoyaltyProps = { readonly text: string; readonly setText: (text: string) => void }

function RoyaltyField({ text, setText }: RoyaltyProps): JSX.Element {
  const isWrong = parsePercent(text) === undefined
  return (
    <TextField
      name="Fork royalty (%)"
      inputMode="decimal"
      text={text}
      setText={setText}
      hint={
        isWrong
          ? 'Enter a share from 0 to 100, with at most 2 decimals.'
          : 'The share of every later price of a fork that goes to the creator of this memory. It never changes for a fork that is made.'
      }
      isWrong={isWrong}
    />
  )
}

/** Explains how the claims on a fork share its price, and why a share may be cut. */
function ForkShares({ listing }: Pick<Props, 'listing'>): JSX.Element {
  const cap = listing === null ? undefined : describeCap(listing)
  return (
    <details class="hint">
      <summary>How a fork shares its price</summary>
      <p>
        A fork owes what this memory owes to earlier creators, and this royalty on top; together at
        most 100 % of a price, and a memory owes at most {mostRoyalties}. Yours is cut to what the
        earlier ones leave: after a claim of 60 %, a royalty of 60 % becomes 40 %.
      </p>
      {cap !== undefined && <p>{cap}</p>}
    </details>
  )
}

/** Terms as typed: amounts in units of their currency, the royalty in percent. */
type TypedTerms = Readonly<ReturnType<typeof draftOf>>

/** Parses a share in percent to basis points; `undefined` if it is none. */
export function parsePercent(text: string): number | undefined {
  if (!/^\d{1,3}(\.\d{1,2})?$/.test(text.trim())) return undefined
  const bps = Math.round(Number(text) * 100)
  return bps <= 10_000 ? bps : undefined
}

/** Parses typed terms; `undefined` if they cannot be listed. */
export function parseTerms(draft: TypedTerms): Terms | undefined {
  const { currency } = draft
  const decimals = decimalsOf[currency]
  const amounts = [draft.price, draft.rent, draft.fork].map((text) =>
    text.trim() === '' ? 0n : parseAmount(text, { decimals }),
  )
  const [price, rent, fork] = amounts
  const bps = parsePercent(draft.percent)
  if (price === undefined || rent === undefined || fork === undefined) return undefined
  if (bps === undefined) return undefined
  if (price + rent + fork === 0n) return undefined
  return {
    currency,
    price: price.toString(),
    rentalPricePerDay: rent.toString(),
    forkPrice: fork.toString(),
    forkRoyaltyBps: bps,
  }
}

/** Shows the form of a royalty payment to the creator of a memory. */
export function RoyaltyForm({ token }: { readonly token: Token }): JSX.Element {
  const { tokenId, creator } = token
  const [text, setText] = useState('')
  const [currency, setCurrency] = useState<CurrencyKind>('native')
  const amount = parseAmount(text, { decimals: decimalsOf[currency] }) ?? 0n
  const act = { kind: 'royalty', tokenId, currency, amount: amount.toString(), creator } as const
  const choose = (chosen: CurrencyKind) => {
    setCurrency(chosen)
    setText('')
  }
  return (
    <ActForm
      summary="Pay the creator a royalty"
      submit={openDialog(amount === 0n ? undefined : act)}
    >
      <CurrencyChoice currency={currency} choose={choose} />
      <AmountField name="Amount" currency={currency} text={text} setText={setText} />
      <Submit name="Pay royalty" missing={amount === 0n && 'Enter an amount.'} />
    </ActForm>
  )
}
