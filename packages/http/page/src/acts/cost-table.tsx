import type { JSX } from 'preact'
import { Amount } from '../parts/amount.tsx'
import { connectedWallet } from '../wallet/connected-wallet.ts'
import { type Act, getCurrency, getPayment, isOrder } from './act.ts'
import type { Cost } from './act-stage.ts'

type Props = { readonly act: Act; readonly cost: Cost | undefined }

/** Shows what an act costs, and the balances of the wallet that pays. */
export function CostTable({ act, cost }: Props): JSX.Element {
  const payment = getPayment(act)
  const currency = getCurrency(act)
  return (
    <table class="sum">
      <caption class="unseen">Cost</caption>
      <tbody>
        {act.kind === 'withdraw' && (
          <Row name="Paid to you">
            <Amount of={act.amount} currency={currency} />
          </Row>
        )}
        {payment > 0n && (
          <Row name={getPriceName(act)}>
            <Amount of={payment} currency={currency} />
          </Row>
        )}
        <Row name="Network fee, estimated">
          {cost?.feePayer === 'server' ? 'Paid by this server' : amountOf(cost?.fee)}
        </Row>
      </tbody>
      <tfoot>
        {payment > 0n && <Total act={act} cost={cost} />}
        <Balances act={act} cost={cost} />
      </tfoot>
    </table>
  )
}

/** Shows the sum, where it is in one currency. */
function Total({ act, cost }: Props): JSX.Element | undefined {
  if (!isOrder(act)) {
    return (
      <Row name="Total" kind="total">
        {amountOf(cost && cost.fee + cost.value)}
      </Row>
    )
  }
  if (cost?.feePayer === 'wallet') return undefined
  return (
    <Row name="Total" kind="total">
      <Amount of={getPayment(act)} currency="dollar" />
    </Row>
  )
}

function Balances({ act, cost }: Props): JSX.Element {
  const name = getBalanceName(connectedWallet.value?.name)
  return (
    <>
      {isOrder(act) && (
        <Row name={name} kind="balance">
          {cost?.dollars === undefined ? '…' : <Amount of={cost.dollars} currency="dollar" />}
        </Row>
      )}
      {(!isOrder(act) || cost?.feePayer === 'wallet') && (
        <Row name={name} kind="balance">
          {amountOf(cost?.balance)}
        </Row>
      )}
    </>
  )
}

const amountOf = (wei: bigint | undefined) => (wei === undefined ? '…' : <Amount of={wei} />)

type RowProps = {
  readonly name: string
  readonly kind?: 'total' | 'balance'
  readonly children: JSX.Element | string
}

function Row({ name, kind, children }: RowProps): JSX.Element {
  return (
    <tr class={kind}>
      <th scope="row">{name}</th>
      <td>{children}</td>
    </tr>
  )
}

const getBalanceName = (wallet: string | undefined): string =>
  wallet === undefined ? 'Wallet balance' : `${wallet}’s balance`

function getPriceName(act: Act): string {
  if (act.kind === 'rent') return `Rent for ${act.days} ${act.days === 1 ? 'day' : 'days'}`
  return act.kind === 'royalty' ? 'Royalty' : 'Price'
}
