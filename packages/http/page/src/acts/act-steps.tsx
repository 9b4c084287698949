import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { deployment } from '../deployment.ts'
import { focusMain } from '../parts/dialog.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { tooFewDollarsCode } from '../relay/check-payment.ts'
import { ConnectChoices } from '../wallet/connect-choices.tsx'
import { connectedWallet } from '../wallet/connected-wallet.ts'
import { TestDollars } from '../wallet/test-dollars.tsx'
import { WrongChain } from '../wallet/wrong-chain.tsx'
import type { Act } from './act.ts'
import { CostPreview } from './cost-preview.tsx'
import { OwnToken } from './own-token.tsx'
import { Progress } from './progress.tsx'
import { isOwnPurchase } from './purchase.ts'
import { ReceiptView } from './receipt-view.tsx'
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
  if (needsWallet && connectedWallet.value === undefined) return <Connect />
  if (needsWallet && deployment.value !== undefined && usableWallet() === undefined) {
    return <WrongChain />
  }
  return <StageView act={act} close={close} progress={progress} />
}

function Connect(): JSX.Element {
  return (
    <>
      <p>Choose a wallet.</p>
      <ConnectChoices />
    </>
  )
}

function StageView({
  act,
  close,
  progress,
}: Props & { readonly progress: ActProgress }): JSX.Element {
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

function Refused({
  act,
  stage,
  retry,
  close,
}: Props & {
  readonly stage: Extract<ActProgress['stage'], { at: 'refused' }>
  readonly retry: () => void
}): JSX.Element {
  const isShort = stage.problem.code === tooFewDollarsCode
  const isGone = /^contract\/ListingNotFor/.test(stage.problem.code ?? '')
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
        {isGone ? (
          <a class="button main" href="/" onClick={close}>
            Look at other offers
          </a>
        ) : (
          <button type="button" class={isShort ? '' : 'main'} onClick={retry}>
            Try again
          </button>
        )}
        <button type="button" onClick={close}>
          Close
        </button>
      </p>
    </>
  )
}
