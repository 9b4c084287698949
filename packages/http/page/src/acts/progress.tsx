import type { JSX } from 'preact'
import { Copyable } from '../parts/copyable.tsx'
import { Notice } from '../parts/notice.tsx'
import { shortHash } from '../text/account.ts'
import { connected } from '../wallet/connected-wallet.ts'
import type { Stage } from './act-stage.ts'

type Props = { readonly stage: Extract<Stage, { at: 'asking' | 'sent' }> }

/** Shows how far an act has come. */
export function Progress({ stage }: Props): JSX.Element {
  const isSent = stage.at === 'sent'
  return (
    <>
      <ol class="steps" aria-label="Progress">
        <Step state={isSent ? 'done' : 'now'}>
          {isSent ? 'Signed' : `Asking ${connected.value?.name ?? 'the wallet'}`}
        </Step>
        <Step state={isSent ? 'done' : 'later'}>Sent</Step>
        <Step state={isSent ? 'now' : 'later'}>Accepted by the chain</Step>
      </ol>
      <p role="status">
        {isSent ? 'Waiting for the chain…' : 'Look at the wallet: it may ask you to confirm.'}
      </p>
      {stage.at === 'sent' && (
        <p>
          Transaction{' '}
          <Copyable text={stage.hash} shown={shortHash(stage.hash)} what="transaction" />
        </p>
      )}
      {stage.at === 'sent' && stage.isLost && <Lost />}
    </>
  )
}

function Lost(): JSX.Element {
  return (
    <Notice kind="warn">
      <p>
        <strong>The server does not answer.</strong> What you signed is not lost: this page goes on
        asking, and tells you what became of it as soon as the server is back. Do not pay again.
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
