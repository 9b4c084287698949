import type { JSX } from 'preact'
import type { Split, Token } from '../../../src/client/responses.ts'
import { OriginalityNotice } from '../browse/originality.tsx'
import { Amount } from '../parts/amount.tsx'
import { Notice } from '../parts/notice.tsx'
import { Button } from '../parts/section.tsx'
import { UserText } from '../parts/user-text.tsx'
import { PriceSplit } from '../token/price-split.tsx'
import { connectedWallet } from '../wallet/connected-wallet.ts'
import { type Act, getCurrency, getPayment, isOrder } from './act.ts'
import { ActDescription } from './act-description.tsx'
import type { ActStage, Cost } from './act-stage.ts'
import { replacedAct } from './pending-act.ts'
import { isPurchase, type Purchase } from './purchase.ts'
import { useActSplit, useActToken } from './receipt-view.tsx'
import { getConfirmLabel, SignatureNotice } from './signature-notice.tsx'
import { SumRow, TermsTable } from './terms-table.tsx'

type Props = {
  readonly act: Act
  readonly stage: Extract<ActStage, { at: 'estimating' | 'ready' }>
  readonly confirm: () => void
  readonly close: () => void
}

/** Shows the cost of an act and who is paid, before anything is signed. */
export function CostPreview({ act, stage, confirm, close }: Props): JSX.Element {
  const cost = stage.at === 'ready' ? stage.cost : undefined
  const token = useActToken(act)
  const split = useActSplit(act)
  const originality = token?.originality ?? 'original'
  return (
    <>
      {isPurchase(act) && <Bought act={act} card={token?.card} />}
      {isPurchase(act) && <OriginalityNotice of={originality} />}
      <ActDescription act={act} isCopy={originality === 'copied'} />
      {act.kind === 'list' && <TermsTable terms={act.terms} />}
      <CostTable act={act} cost={cost} />
      <SignatureNotice act={act} cost={cost} />
      {split !== undefined && token !== undefined && (
        <ActSplit act={act} split={split} token={token} />
      )}
      <p class="buttons">
        <Button
          name={cost === undefined ? 'Estimating the fee…' : getConfirmLabel(act, cost)}
          class="main"
          disabled={cost === undefined}
          onClick={confirm}
        />
        <Button name="Cancel" onClick={close} />
      </p>
    </>
  )
}

type BoughtProps = { readonly act: Purchase; readonly card: Token['card'] | undefined }

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
          <strong>The terms have changed.</strong> Before, it was{' '}
          <Amount of={getPayment(replaced.before)} currency={getCurrency(replaced.before)} />.
        </Notice>
      )}
    </>
  )
}

type SplitProps = { readonly act: Act; readonly split: Split; readonly token: Token }

/** Shows the split of the price that is paid or set. */
function ActSplit({ act, split, token }: SplitProps): JSX.Element {
  const shared = { split, tokenId: token.tokenId, currency: getCurrency(act), isInDialog: true }
  return isPurchase(act) ? (
    <PriceSplit {...shared} seller={act.seller} price="paid" />
  ) : (
    <PriceSplit {...shared} seller={token.owner} price="requested" />
  )
}

type CostTableProps = { readonly act: Act; readonly cost: Cost | undefined }

/** Shows what an act costs, and the balances of the wallet that pays. */
function CostTable({ act, cost }: CostTableProps): JSX.Element {
  const payment = getPayment(act)
  const currency = getCurrency(act)
  return (
    <table class="sum">
      <caption class="unseen">Cost</caption>
      <tbody>
        {act.kind === 'withdraw' && (
          <SumRow name="Paid to you">
            <Amount of={act.amount} currency={currency} />
          </SumRow>
        )}
        {payment > 0n && (
          <SumRow name={getPriceName(act)}>
            <Amount of={payment} currency={currency} />
          </SumRow>
        )}
        <SumRow name="Network fee, estimated">
          {cost?.feePayer === 'server' ? 'Paid by this server' : amountOf(cost?.fee)}
        </SumRow>
      </tbody>
      <tfoot>
        {payment > 0n && <Total act={act} cost={cost} />}
        <Balances act={act} cost={cost} />
      </tfoot>
    </table>
  )
}

/** Shows the sum, where it is in one currency. */
function Total({ act, cost }: CostTableProps): JSX.Element | undefined {
  if (!isOrder(act)) {
    return (
      <SumRow name="Total" kind="total">
        {amountOf(cost && cost.fee + cost.value)}
      </SumRow>
    )
  }
  if (cost?.feePayer === 'wallet') return undefined
  return (
    <SumRow name="Total" kind="total">
      <Amount of={getPayment(act)} currency="dollar" />
    </SumRow>
  )
}

function Balances({ act, cost }: CostTableProps): JSX.Element {
  const name = getBalanceName(connectedWallet.value?.name)
  return (
    <>
      {isOrder(act) && (
        <SumRow name={name} kind="balance">
          {cost?.dollars === undefined ? '…' : <Amount of={cost.dollars} currency="dollar" />}
        </SumRow>
      )}
      {(!isOrder(act) || cost?.feePayer === 'wallet') && (
        <SumRow name={name} kind="balance">
          {amountOf(cost?.balance)}
        </SumRow>
      )}
    </>
  )
}

const amountOf = (wei: bigint | undefined) => (wei === undefined ? '…' : <Amount of={wei} />)

const getBalanceName = (wallet: string | undefined): string =>
  wallet === undefined ? 'Wallet balance' : `${wallet}’s balance`

function getPriceName(act: Act): string {
  if (act.kind === 'rent') return `Rent for ${act.days} ${act.days === 1 ? 'day' : 'days'}`
  return act.kind === 'royalty' ? 'Royalty' : 'Price'
}
