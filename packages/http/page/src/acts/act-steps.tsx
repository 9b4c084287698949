import { useEffect } from 'preact/hooks'
import { deployment } from '../api/deployment.ts'
import { CopyableHash } from '../parts/copyable.tsx'
import { focusMain } from '../parts/dialog.tsx'
import { Notice, ProblemNotice } from '../parts/notice.tsx'
import { Button, ButtonLine } from '../parts/section.tsx'
import { ConnectChoices } from '../wallet/connect-choices.tsx'
import { connectedWallet } from '../wallet/connected-wallet.ts'
import { TestDollars } from '../wallet/test-dollars.tsx'
import { WrongChain } from '../wallet/wrong-chain.tsx'
import { type Act, isOwnPurchase, type Purchase } from './act.ts'
import type { ActStage } from './act-stage.ts'
import { tooFewDollarsCode } from './check-payment.ts'
import { CostPreview, describeSigning } from './cost-preview.tsx'
import { ReceiptView } from './receipt-view.tsx'
import { isGone } from './to-chain-problem.ts'
import { type ActProgress, usableWallet, useAct } from './use-act.ts'

type Props = { readonly act: Act; readonly close: () => void }

/** Shows an act in its dialog as it is estimated, confirmed and followed. */
export function ActSteps({ act, close }: Props): JSX.Element {
  const progress = useAct(act)
  const { at } = progress.stage
  useEffect(() => {
    if (at === 'mined') focusMain()
  }, [at])
  const isUnsent = at === 'estimating' || at === 'ready' || at === 'refused'
  if (isUnsent && isOwnPurchase(act, connectedWallet.value?.account)) {
    return <OwnToken act={act} close={close} />
  }
  const needsWallet = at === 'estimating' || at === 'ready'
  if (needsWallet && connectedWallet.value === undefined) {
    return (
      <>
        <p>Choose a wallet.</p>
        <ConnectChoices />
      </>
    )
  }
  if (needsWallet && deployment.value !== undefined && usableWallet() === undefined) {
    return <WrongChain />
  }
  return <StageView act={act} close={close} progress={progress} />
}

type ViewProps = Props & { readonly progress: ActProgress }

function StageView({ act, close, progress }: ViewProps): JSX.Element {
  const { stage, confirm, retry } = progress
  switch (stage.at) {
    case 'estimating':
    case 'ready':
      return <CostPreview act={act} stage={stage} confirm={confirm} close={close} />
    case 'signing':
    case 'sent':
      return <Progress act={act} stage={stage} />
    case 'mined':
      return <ReceiptView act={act} receipt={stage.receipt} close={close} />
    case 'refused':
      return <Refused act={act} stage={stage} retry={retry} close={close} />
  }
}

type RefusedProps = Props & {
  readonly stage: Extract<ActProgress['stage'], { at: 'refused' }>
  readonly retry: () => void
}

function Refused({ act, stage, retry, close }: RefusedProps): JSX.Element {
  const isShort = stage.problem.code === tooFewDollarsCode
  return (
    <>
      <ProblemNotice problem={stage.problem} />
      {stage.hash !== undefined && <p class="hash">Transaction {stage.hash}</p>}
      {act.kind === 'mint' && stage.problem.code?.startsWith('seal/') !== true && (
        <p class="hint">
          The sealed memory waits under Create until its time is over. You can also mint it later.
        </p>
      )}
      {isShort && <TestDollars onGiven={retry} />}
      <p class="buttons">
        {isGone(stage.problem) ? (
          <a class="button main" href="/" onClick={close}>
            Look at other offers
          </a>
        ) : (
          <Button name="Try again" class={isShort ? '' : 'main'} onClick={retry} />
        )}
        <Button name="Close" onClick={close} />
      </p>
    </>
  )
}

type OwnTokenProps = { readonly act: Purchase; readonly close: () => void }

const reasons: { readonly [kind in Purchase['kind']]: string } = {
  buy: 'Buying it would change nothing and cost you the royalties and the network fee.',
  rent: 'You can open its memory without renting it.',
  fork: 'A fork would give you the same memory again and cost you the royalties and the network fee.',
}

/** Says why an owner is not offered the own token. */
function OwnToken({ act, close }: OwnTokenProps): JSX.Element {
  return (
    <>
      <Notice kind="plain">
        <strong>This token is already yours.</strong> {reasons[act.kind]}
      </Notice>
      <ButtonLine name="Close" class="main" onClick={close} />
    </>
  )
}

type ProgressProps = {
  readonly act: Act
  readonly stage: Extract<ActStage, { at: 'signing' | 'sent' }>
}

/** Shows the progress of an act. */
function Progress({ act, stage }: ProgressProps): JSX.Element {
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
          Transaction <CopyableHash of={stage.hash} what="transaction" />
        </p>
      )}
      {stage.at === 'sent' && stage.isDisconnected && (
        <Notice kind="warn">
          <strong>The server does not answer.</strong> What you sent is not lost: this page keeps
          checking, and shows the result when the server is back. Do not pay again.
        </Notice>
      )}
    </>
  )
}

const describeWaiting = ({ hash }: Extract<ActStage, { at: 'sent' }>): string =>
  hash === undefined ? 'The server is sending it…' : 'Waiting for confirmation…'

type StepProps = { readonly state: 'done' | 'now' | 'later'; readonly children: string }

function Step({ state, children }: StepProps): JSX.Element {
  return (
    <li class={state} {...(state === 'now' && { 'aria-current': 'step' as const })}>
      {children}
      {state === 'done' && <span class="unseen"> (done)</span>}
    </li>
  )
}
