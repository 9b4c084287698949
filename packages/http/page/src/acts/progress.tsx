import type { JSX } from 'preact'
import { Copyable } from '../parts/copyable.tsx'
import { Notice } from '../parts/notice.tsx'
import { shortenHash } from '../text/account.ts'
import { connectedWallet } from '../wallet/connected-wallet.ts'
import type { ActStage } from './act-stage.ts'

type Props = { readonly stage: Extract<ActStage, { at: 'signing' | 'sent' }> }

/** Shows the progress of an act. */
export function Progress({ stage }: Props): JSX.Element {
  const isSent = stage.at === 'sent'
  return (
    <>
      <ol class="steps" aria-label="Progress">
        <Step state={isSent ? 'done' : 'now'}>
          {isSent ? 'Signed' : `Waiting for ${connectedWallet.value?.name ?? 'the wallet'}`}
        </Step>
        <Step state={isSent ? 'done' : 'later'}>Sent</Step>
        <Step state={isSent ? 'now' : 'later'}>Confirmed</Step>
      </ol>
      <p role="status">
        {isSent ? 'Waiting for confirmation…' : 'Confirm the transaction in your wallet.'}
      </p>
      {stage.at === 'sent' && (
        <p>
          Transaction{' '}
          <Copyable text={stage.hash} shown={shortenHash(stage.hash)} what="transaction" />
        </p>
      )}
      {stage.at === 'sent' && stage.isDisconnected && <Disconnected />}
    </>
  )
}

function Disconnected(): JSX.Element {
  return (
    <Notice kind="warn">
      <p>
        <strong>The server does not answer.</strong> Your transaction is not lost: this page keeps
        checking, and shows the result when the server is back. Do not pay again.
      </p>
    </Notice>
  )
}

function Step({
  state,
  children,
}: {
  readonly state: 'done' | 'now' | 'later'
  readonly children: string
}): JSX.Element {
  return (
    <li class={state} {...(state === 'now' && { 'aria-current': 'step' as const })}>
      {children}
      {state === 'done' && <span class="unseen"> (done)</span>}
    </li>
  )
}
