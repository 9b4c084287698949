import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { openAct } from '../acts/pending-act.ts'
import { deployment } from '../deployment.ts'
import { AddressField } from '../parts/address-field.tsx'
import { connectedWallet } from '../wallet/connected-wallet.ts'
import { useRecipient } from './use-recipient.ts'

/** Shows the form with which an owner gives a memory to another account. */
export function TransferForm({ tokenId }: { readonly tokenId: string }): JSX.Element {
  const [text, setText] = useState('')
  const { registry, marketplace, forwarder } = deployment.value ?? {}
  const own = connectedWallet.value?.account
  const recipient = useRecipient(text, { own, contracts: [registry, marketplace, forwarder] })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (recipient.to !== undefined) openAct.value = { kind: 'transfer', tokenId, to: recipient.to }
  }
  return (
    <details class="act">
      <summary>Transfer it</summary>
      <form onSubmit={submit}>
        <AddressField
          name="To the account"
          text={text}
          setText={setText}
          hint={
            recipient.problem ??
            recipient.note ??
            'The new owner alone decides about it from then on.'
          }
          isWrong={recipient.problem !== undefined}
        />
        <button type="submit" disabled={recipient.to === undefined}>
          Transfer
        </button>
      </form>
    </details>
  )
}
