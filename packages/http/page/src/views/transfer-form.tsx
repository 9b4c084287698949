import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { openAct } from '../acts/pending-act.ts'
import { deployment } from '../deployment.ts'
import { connectedWallet } from '../wallet/connected-wallet.ts'
import { describeRecipient } from './recipient.ts'

/** Shows the form with which an owner gives a memory to another account. */
export function TransferForm({ tokenId }: { readonly tokenId: string }): JSX.Element {
  const [text, setText] = useState('')
  const hintId = useId()
  const { registry, marketplace, forwarder } = deployment.value ?? {}
  const own = connectedWallet.value?.account
  const recipient = describeRecipient(text, { own, contracts: [registry, marketplace, forwarder] })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (recipient.to !== undefined) openAct.value = { kind: 'transfer', tokenId, to: recipient.to }
  }
  return (
    <details class="act">
      <summary>Transfer it</summary>
      <form onSubmit={submit}>
        <label class="field">
          <span>To the account</span>
          <input
            type="text"
            autocomplete="off"
            spellcheck={false}
            placeholder="0x…"
            value={text}
            aria-invalid={recipient.problem !== undefined}
            aria-describedby={hintId}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
          <small id={hintId} class={recipient.problem === undefined ? '' : 'wrong'}>
            {recipient.problem ?? 'The new owner alone decides about it from then on.'}
          </small>
        </label>
        <button type="submit" disabled={recipient.to === undefined}>
          Transfer
        </button>
      </form>
    </details>
  )
}
