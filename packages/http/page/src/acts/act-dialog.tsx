import type { JSX } from 'preact'
import { deployment } from '../deployment.ts'
import { Dialog } from '../parts/dialog.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { ConnectChoices } from '../wallet/connect-choices.tsx'
import { connected } from '../wallet/connected-wallet.ts'
import { WrongChain } from '../wallet/wrong-chain.tsx'
import { type Act, titleOf } from './act.ts'
import { CostPreview } from './cost-preview.tsx'
import { open } from './pending-act.ts'
import { Progress } from './progress.tsx'
import { ReceiptView } from './receipt-view.tsx'
import { type UnderWay, usable, useAct } from './use-act.ts'

/** The window in which an act is weighed, confirmed, followed and settled. */
export function ActDialog({ act }: { readonly act: Act }): JSX.Element {
  const close = () => {
    open.value = undefined
  }
  return (
    <Dialog title={titleOf(act)} onClose={close}>
      <Inside act={act} close={close} />
    </Dialog>
  )
}

type Props = { readonly act: Act; readonly close: () => void }

function Inside({ act, close }: Props): JSX.Element {
  const underWay = useAct(act)
  const { at } = underWay.stage
  const needsWallet = at === 'weighing' || at === 'ready'
  if (needsWallet && connected.value === undefined) return <Connect />
  if (needsWallet && deployment.value !== undefined && usable() === undefined) {
    return <WrongChain wanted={deployment.value.chainId} />
  }
  return <Staged act={act} close={close} underWay={underWay} />
}

function Connect(): JSX.Element {
  return (
    <>
      <p>Choose the wallet that does this.</p>
      <ConnectChoices />
    </>
  )
}

function Staged({ act, close, underWay }: Props & { readonly underWay: UnderWay }): JSX.Element {
  const { stage, confirm, again } = underWay
  switch (stage.at) {
    case 'weighing':
    case 'ready':
      return <CostPreview act={act} stage={stage} confirm={confirm} close={close} />
    case 'asking':
    case 'sent':
      return <Progress stage={stage} />
    case 'mined':
      return <ReceiptView act={act} receipt={stage.receipt} close={close} />
    case 'refused':
      return <Refused stage={stage} again={again} close={close} />
  }
}

function Refused({
  stage,
  again,
  close,
}: {
  readonly stage: Extract<UnderWay['stage'], { at: 'refused' }>
  readonly again: () => void
  readonly close: () => void
}): JSX.Element {
  return (
    <>
      <ProblemNotice problem={stage.problem} />
      {stage.hash !== undefined && <p class="hash">Transaction {stage.hash}</p>}
      <p class="buttons">
        <button type="button" class="main" onClick={again}>
          Try again
        </button>
        <button type="button" onClick={close}>
          Close
        </button>
      </p>
    </>
  )
}
