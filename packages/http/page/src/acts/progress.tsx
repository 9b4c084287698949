import type { JSX } from 'preact'
import { Copyable } from '../parts/copyable.tsx'
import { Notice } from '../parts/notice.tsx'
import { shortenHash } from '../text/account.ts'
import { connectedWallet } from '../wallet/connected-wallet.ts'
import type { Act } from './act.ts'
import type { ActStage } from './act-stage.ts'
import { describeSigning } from './signature-notice.tsx'

type Props = {
  readonly act: Act
  readonly stage: Extract<ActStage, { at: 'signing' | 'sent' }>
}

/** Shows the progress of an act. */
export function Progress({ act, stage }: Props): JSX.Element {
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
        {stage.at === 'sent' ? describeWaiting(stage) : describeSigning(act, stage.cost)}
      </p>
      {stage.at === 'sent' && stage.hash !== undefined && (
        <p>
          Transaction{' '}
          <Copyable text={stage.hash} shown={shortenHash(stage.hash)} what="transaction" />
        </p>
      )}
      {stage.at === 'sent' && stage.isDisconnected && <Disconnected />}
    </>
  )
}

const describeWaiting = ({ hash }: Extract<ActStage, { at: 'sent' }>): string =>
  hash === undefined ? 'The server is sending it…' : 'Waiting for confirmation…'

function Disconnected(): JSX.Element {
  return (
    <Notice kind="warn">
      <p>
        <strong>The server does not answer.</strong> What you sent is not lost: this page keeps
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
