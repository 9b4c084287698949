import type { Split, Token } from '../../../src/client/responses.ts'
import { deployment, shortAmount } from '../api/deployment.ts'
import { OriginalityNotice } from '../browse/originality.tsx'
import { CopyableAccount } from '../parts/account.tsx'
import { Amount } from '../parts/amount.tsx'
import { Notice } from '../parts/notice.tsx'
import { Button } from '../parts/section.tsx'
import { BoldText } from '../parts/user-text.tsx'
import type { CurrencyKind } from '../text/amount.ts'
import { PriceSplit } from '../token/price-split.tsx'
import { connectedWallet } from '../wallet/connected-wallet.ts'
import {
  type Act,
  getCurrency,
  getPayment,
  isOrder,
  isPurchase,
  type Payment,
  type Purchase,
} from './act.ts'
import { ActDescription } from './act-description.tsx'
import type { ActStage, Cost } from './act-stage.ts'
import { replacedAct } from './pending-act.ts'
import { useActSplit, useActToken } from './receipt-view.tsx'
import { validity } from './sign-order.ts'
import { SumRow, type SumRowProps, TermsTable } from './terms-table.tsx'

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
          <BoldText of={card.title} />
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
          <Money name="Paid to you" of={BigInt(act.amount)} currency={currency} />
        )}
        {payment > 0n && <Money name={getPriceName(act)} of={payment} currency={currency} />}
        {cost?.feePayer === 'server' ? (
          <SumRow name={feeName}>Paid by this server</SumRow>
        ) : (
          <Money name={feeName} of={cost?.fee} />
        )}
      </tbody>
      <tfoot>
        {payment > 0n && <Total act={act} cost={cost} />}
        <Balances act={act} cost={cost} />
      </tfoot>
    </table>
  )
}

const feeName = 'Network fee, estimated'

/** Shows the sum, where it is in one currency. */
function Total({ act, cost }: CostTableProps): JSX.Element | undefined {
  if (!isOrder(act)) return <Money name="Total" kind="total" of={cost && cost.fee + cost.value} />
  if (cost?.feePayer === 'wallet') return undefined
  return <Money name="Total" kind="total" of={getPayment(act)} currency="dollar" />
}

function Balances({ act, cost }: CostTableProps): JSX.Element {
  const { name } = connectedWallet.value ?? {}
  const shared = { name: name ? `${name}’s balance` : 'Wallet balance', kind: 'balance' } as const
  return (
    <>
      {isOrder(act) && <Money {...shared} of={cost?.dollars} currency="dollar" />}
      {(!isOrder(act) || cost?.feePayer === 'wallet') && <Money {...shared} of={cost?.balance} />}
    </>
  )
}

type MoneyProps = Omit<SumRowProps, 'children'> & {
  readonly of: bigint | undefined
  readonly currency?: CurrencyKind
}

const Money = ({ of, currency = 'native', ...row }: MoneyProps): JSX.Element => (
  <SumRow {...row}>{of === undefined ? '…' : <Amount of={of} currency={currency} isDue />}</SumRow>
)

function getPriceName(act: Act): string {
  if (act.kind === 'rent') return `Rent for ${act.days} ${act.days === 1 ? 'day' : 'days'}`
  return act.kind === 'royalty' ? 'Royalty' : 'Price'
}

const minutes = validity / 60

/** Says what the wallet is asked to sign, and who sends it, where that is no plain transaction. */
function SignatureNotice({ act, cost }: CostTableProps): JSX.Element | undefined {
  if (cost === undefined) return undefined
  if (isOrder(act)) return <PaymentNotice act={act} cost={cost} />
  if (cost.feePayer === 'wallet') return undefined
  return (
    <p class="hint">
      You only sign, for {minutes} minutes: this server sends what you signed and pays the fee.
    </p>
  )
}

type PaymentProps = { readonly act: Payment; readonly cost: Cost }

/** Says what pays an order, and who sends it. */
function PaymentNotice({ act, cost: { isBatch, feePayer } }: PaymentProps): JSX.Element {
  const dollar = deployment.value?.dollar
  const price = shortAmount(getPayment(act), 'dollar')
  const sent =
    feePayer === 'server'
      ? 'This server sends it and pays the network fee.'
      : 'Then you confirm the transaction that carries it out.'
  return (
    <p class="hint">
      {isBatch
        ? `Your wallet pays exactly ${price} and has this carried out in one step: both happen, or neither. It can do so for ${minutes} minutes.`
        : `You sign one payment of exactly ${price}, for this order alone; it is valid for ${minutes} minutes. ${sent}`}{' '}
      {dollar != null && (
        <>
          {dollar.symbol} is {dollar.name}, <CopyableAccount of={dollar.address} />.
        </>
      )}
    </p>
  )
}

/** Returns the label of the button that begins to sign or send an act. */
function getConfirmLabel(act: Act, cost: Cost): string {
  if (isOrder(act) && !cost.isBatch) return 'Sign and pay'
  if (cost.feePayer === 'server') return 'Sign'
  return getPayment(act) === 0n ? 'Confirm' : 'Confirm and pay'
}

/** Says what the wallet waits for. */
export function describeSigning(act: Act, { feePayer, isBatch }: Cost): string {
  if (isOrder(act) && !isBatch) {
    return feePayer === 'server'
      ? 'Sign the payment in your wallet.'
      : 'Sign the payment in your wallet, then confirm the transaction.'
  }
  return feePayer === 'server'
    ? 'Sign the message in your wallet.'
    : 'Confirm the transaction in your wallet.'
}
