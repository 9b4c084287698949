import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { createErase } from '../../../src/client/erase.ts'
import type { Erased } from '../../../src/client/responses.ts'
import { AddressField, useRecipient } from '../account/address-field.tsx'
import { openAct } from '../acts/pending-act.ts'
import { usableWallet } from '../acts/use-act.ts'
import { refreshAll } from '../api/changes.ts'
import { deployment } from '../api/deployment.ts'
import { type Problem, toProblem } from '../api/problem.ts'
import { announce } from '../parts/announce.ts'
import { ProblemNotice } from '../parts/notice.tsx'
import { type ConnectedWallet, connectedWallet } from '../wallet/connected-wallet.ts'
import { requestSigner } from '../wallet/signers.ts'

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

type State = { readonly isRunning?: boolean; readonly problem?: Problem }

/** Shows the form with which an owner erases a memory. */
export function EraseForm({ tokenId }: { readonly tokenId: string }): JSX.Element {
  const [text, setText] = useState('')
  const [{ isRunning = false, problem }, setState] = useState<State>({})
  const wallet = usableWallet()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (wallet === undefined || text !== tokenId) return
    setState({ isRunning: true })
    eraseMemory(tokenId, wallet).then(
      () => {
        setState({})
        announce('The memory is erased.')
      },
      (error: unknown) => setState({ problem: toProblem(error) }),
    )
  }
  return (
    <details class="act">
      <summary>Erase its memory</summary>
      <form onSubmit={submit}>
        <p class="hint">
          The sealed bytes and the public description go from this server, for ever. The token and
          what the chain records stay. You must own every token that opens this memory, and nobody
          may be renting it.
        </p>
        <label class="field">
          <span>Type {tokenId} to confirm</span>
          <input
            inputMode="numeric"
            autocomplete="off"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value.trim())}
          />
        </label>
        {problem !== undefined && <ProblemNotice problem={problem} />}
        <button type="submit" disabled={text !== tokenId || wallet === undefined || isRunning}>
          {isRunning ? 'Erasing…' : 'Erase for ever'}
        </button>
      </form>
    </details>
  )
}

/**
 * Erases the memory of a token for the wallet that owns it, which signs the request.
 *
 * @throws {Problem} when the wallet or the server refuses
 */
async function eraseMemory(tokenId: string, wallet: ConnectedWallet): Promise<Erased> {
  const erased = await createErase(requestSigner(wallet))(tokenId)
  // The chain has not changed, so no event says that the views are old.
  refreshAll()
  return erased
}
