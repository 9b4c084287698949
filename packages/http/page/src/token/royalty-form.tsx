import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Token } from '../../../src/client/responses.ts'
import { openDialog } from '../acts/pending-act.ts'
import { AmountField, CurrencyChoice } from '../parts/amount-field.tsx'
import { ActForm, Submit } from '../parts/form-fields.tsx'
import { type CurrencyKind, decimalsOf, parseAmount } from '../text/amount.ts'

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
      <Submit name="Pay royalty" isDisabled={amount === 0n} />
    </ActForm>
  )
}
