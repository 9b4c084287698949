import type { JSX } from 'preact'
import type { Lineage } from '../../../src/client/responses.ts'
import { currencyOf } from '../currencies.ts'
import { describeSplit } from '../text/describe-split.ts'
import { OriginalityNotice } from '../views/originality.tsx'
import { connectedWallet } from '../wallet/connected-wallet.ts'
import { type Act, getCurrency } from './act.ts'
import { ActDescription } from './act-description.tsx'
import type { ActStage } from './act-stage.ts'
import { CostTable } from './cost-table.tsx'
import { isPurchase } from './purchase.ts'
import { getConfirmLabel, SignatureNotice } from './signature-notice.tsx'
import { TermsTable } from './terms-table.tsx'
import { useLineage } from './use-lineage.ts'

type Props = {
  readonly act: Act
  readonly stage: Extract<ActStage, { at: 'estimating' | 'ready' }>
  readonly confirm: () => void
  readonly close: () => void
}

/** Shows the cost of an act and who is paid, before anything is signed. */
export function CostPreview({ act, stage, confirm, close }: Props): JSX.Element {
  const cost = stage.at === 'ready' ? stage.cost : undefined
  const lineage = useLineage(act)
  const originality = lineage?.token.originality ?? 'original'
  return (
    <>
      {isPurchase(act) && <OriginalityNotice of={originality} />}
      <ActDescription act={act} isCopy={originality === 'copied'} />
      {act.kind === 'list' && <TermsTable terms={act.terms} />}
      <CostTable act={act} cost={cost} />
      <SignatureNotice act={act} cost={cost} />
      {lineage !== undefined && <SplitDescription act={act} lineage={lineage} />}
      <p class="buttons">
        <button type="button" class="main" disabled={cost === undefined} onClick={confirm}>
          {cost === undefined ? 'Estimating the fee…' : getConfirmLabel(act, cost)}
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </p>
    </>
  )
}

type SplitProps = { readonly act: Act; readonly lineage: Lineage }

/** Describes the split of the price that is paid or set. */
function SplitDescription({ act, lineage }: SplitProps): JSX.Element {
  const { split, token } = lineage
  const seller = isPurchase(act) ? act.seller : token.owner
  return (
    <p class="split">
      {act.kind === 'list' && 'When it is sold: '}
      {describeSplit(split, {
        ...{ seller, currency: currencyOf(getCurrency(act)) },
        you: connectedWallet.value?.account,
      })}
    </p>
  )
}
