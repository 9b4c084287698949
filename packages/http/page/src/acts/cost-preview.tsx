import type { JSX } from 'preact'
import type { Lineage } from '../../../src/client/responses.ts'
import { Amount } from '../parts/amount.tsx'
import { Notice } from '../parts/notice.tsx'
import { UserText } from '../parts/user-text.tsx'
import { OriginalityNotice } from '../views/originality.tsx'
import { PriceSplit } from '../views/price-split.tsx'
import { type Act, getCurrency, getPayment } from './act.ts'
import { ActDescription } from './act-description.tsx'
import type { ActStage } from './act-stage.ts'
import { CostTable } from './cost-table.tsx'
import { replacedAct } from './pending-act.ts'
import { isPurchase, type Purchase } from './purchase.ts'
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
      {isPurchase(act) && <Bought act={act} card={lineage?.token.card} />}
      {isPurchase(act) && <OriginalityNotice of={originality} />}
      <ActDescription act={act} isCopy={originality === 'copied'} />
      {act.kind === 'list' && <TermsTable terms={act.terms} />}
      <CostTable act={act} cost={cost} />
      <SignatureNotice act={act} cost={cost} />
      {lineage !== undefined && <ActSplit act={act} lineage={lineage} />}
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

type BoughtProps = {
  readonly act: Purchase
  readonly card: Lineage['token']['card'] | undefined
}

/** Names what is paid for, and says what it cost when the dialog was opened, if that has changed. */
function Bought({ act, card }: BoughtProps): JSX.Element {
  const replaced = replacedAct.value
  return (
    <>
      {card && (
        <p>
          <strong>
            <UserText of={card.title} />
          </strong>
        </p>
      )}
      {replaced?.after === act && (
        <Notice kind="warn">
          <p>
            <strong>The terms have changed.</strong> Before, it was{' '}
            <Amount of={getPayment(replaced.before)} currency={getCurrency(replaced.before)} />.
          </p>
        </Notice>
      )}
    </>
  )
}

type SplitProps = { readonly act: Act; readonly lineage: Lineage }

/** Shows the split of the price that is paid or set. */
function ActSplit({ act, lineage: { split, token } }: SplitProps): JSX.Element {
  const shared = { split, tokenId: token.tokenId, currency: getCurrency(act), isInDialog: true }
  return isPurchase(act) ? (
    <PriceSplit {...shared} seller={act.seller} price="paid" />
  ) : (
    <PriceSplit {...shared} seller={token.owner} price="requested" />
  )
}
