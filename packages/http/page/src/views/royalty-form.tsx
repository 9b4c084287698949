import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Token } from '../../../src/client/responses.ts'
import { open } from '../acts/pending-act.ts'
import { EtherField } from '../parts/ether-field.tsx'
import { parseEther } from '../text/ether.ts'

/** Lets anybody thank the maker of a memory. */
export function RoyaltyForm({
  token: { tokenId, creator },
}: {
  readonly token: Token
}): JSX.Element {
  const [text, setText] = useState('')
  const amount = parseEther(text) ?? 0n
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (amount === 0n) return
    open.value = { kind: 'royalty', tokenId, amount: amount.toString(), creator }
  }
  return (
    <details class="act">
      <summary>Pay its maker a royalty</summary>
      <form onSubmit={submit}>
        <EtherField name="Amount" text={text} setText={setText} />
        <button type="submit" disabled={amount === 0n}>
          Pay royalty
        </button>
      </form>
    </details>
  )
}
