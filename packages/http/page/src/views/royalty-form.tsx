import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Token } from '../../../src/client/responses.ts'
import { openAct } from '../acts/pending-act.ts'
import { EtherField } from '../parts/ether-field.tsx'
import { parseEther } from '../text/ether.ts'

/** Shows the form of a royalty payment to the creator of a memory. */
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
    openAct.value = { kind: 'royalty', tokenId, amount: amount.toString(), creator }
  }
  return (
    <details class="act">
      <summary>Pay the creator a royalty</summary>
      <form onSubmit={submit}>
        <EtherField name="Amount" text={text} setText={setText} />
        <button type="submit" disabled={amount === 0n}>
          Pay royalty
        </button>
      </form>
    </details>
  )
}
