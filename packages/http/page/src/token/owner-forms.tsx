import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { createErase } from '../../../src/client/erase.ts'
import { useAddressField } from '../account/address-field.tsx'
import { openDialog } from '../acts/pending-act.ts'
import { usableWallet } from '../acts/use-act.ts'
import { refreshAll } from '../api/changes.ts'
import { useRun } from '../api/use-answer.ts'
import { useRead } from '../api/use-resource.ts'
import { announce } from '../parts/announce.ts'
import { ActForm, Submit, TextField } from '../parts/form-fields.tsx'
import { Loading } from '../parts/lazy.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { isSameAccount } from '../text/account.ts'
import { connectedWallet } from '../wallet/connected-wallet.ts'
import { requestSigner } from '../wallet/signers.ts'
import { useFamily } from './use-token.ts'

/** Shows the form with which an owner gives a memory to another account. */
export function TransferForm({ tokenId }: { readonly tokenId: string }): JSX.Element {
  const { to, field } = useAddressField({
    name: 'To the account',
    usual: 'The new owner alone decides about it from then on.',
  })
  const submit = openDialog(to && { kind: 'transfer', tokenId, to })
  return (
    <ActForm summary="Transfer it" submit={submit}>
      {field}
      <Submit name="Transfer" missing={!to && 'Name the account.'} />
    </ActForm>
  )
}

/** Shows the form with which an owner erases a memory. */
export function EraseForm({ tokenId }: { readonly tokenId: string }): JSX.Element {
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const { isRunning, problem, run } = useRun()
  const wallet = usableWallet()
  const submit = () => {
    if (wallet === undefined || text !== tokenId) return
    run(async () => {
      await createErase(requestSigner(wallet))(tokenId)
      refreshAll()
      announce('The memory is erased.')
    })
  }
  return (
    <ActForm summary="Erase its memory" submit={submit} onOpen={() => setOpen(true)}>
      <p class="hint">
        The sealed bytes and the public description go from this server, for ever; the token stays.
        You must own every token that opens this memory, and nobody may be renting it.
      </p>
      {isOpen && (
        <UnlessObstructed tokenId={tokenId}>
          <TextField
            name={`Type ${tokenId} to confirm`}
            inputMode="numeric"
            autocomplete="off"
            text={text}
            setText={(typed) => setText(typed.trim())}
          />
          <ProblemNotice problem={problem} />
          <Submit
            name={isRunning ? 'Erasing…' : 'Erase for ever'}
            missing={text !== tokenId && `Type ${tokenId}.`}
            isDisabled={wallet === undefined || isRunning}
          />
        </UnlessObstructed>
      )}
    </ActForm>
  )
}

type ObstructedProps = { readonly tokenId: string; readonly children: ComponentChildren }

/** Shows why a memory cannot be erased now, or else how; the server knows what this page does not. */
function UnlessObstructed({ tokenId, children }: ObstructedProps): JSX.Element {
  const rentals = useRead('rentals', { tokenId })
  const family = useFamily(tokenId)
  if (rentals.isLoading || family.isLoading) return <Loading />
  const { token, ancestors = [], descendants = [] } = family.value ?? {}
  const all = [...ancestors, ...descendants].map((it) => it.token)
  const opening = [token, ...all].filter((it) => it?.contentHash === token?.contentHash)
  const own = connectedWallet.value?.account
  const reasons = [
    [rentals.value?.items.length ?? 0, 'running rentals of it'],
    [opening.filter((it) => !isSameAccount(it?.owner, own)).length, 'forks of others that open it'],
    [opening.filter((it) => it?.listing != null).length, 'offers of it'],
  ] as const
  const found = reasons.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`)
  if (token === undefined || found.length === 0) return <>{children}</>
  return <p>It cannot be erased now. There are: {found.join(', ')}.</p>
}
