import type { JSX } from 'preact'
import { Amount } from '../parts/amount.tsx'
import { connectedWallet } from '../wallet/connected-wallet.ts'
import { type Act, getPayment } from './act.ts'
import type { Cost } from './act-stage.ts'

type Props = { readonly act: Act; readonly cost: Cost | undefined }

/** Shows what an act costs, and the balance of the wallet that pays. */
export function CostTable({ act, cost }: Props): JSX.Element {
  const value = getPayment(act)
  return (
    <table class="sum">
      <caption class="unseen">Cost</caption>
      <tbody>
        {act.kind === 'withdraw' && (
          <Row name="Paid to you">
            <Amount wei={act.amount} />
          </Row>
        )}
        {value > 0n && (
          <Row name={getPriceName(act)}>
            <Amount wei={value} />
          </Row>
        )}
        <Row name="Network fee, estimated">{amountOf(cost?.fee)}</Row>
      </tbody>
      <tfoot>
        {value > 0n && (
          <Row name="Total" kind="total">
            {amountOf(cost && cost.fee + cost.value)}
          </Row>
        )}
        <Row name={getBalanceName(connectedWallet.value?.name)} kind="balance">
          {amountOf(cost?.balance)}
        </Row>
      </tfoot>
    </table>
  )
}

const amountOf = (wei: bigint | undefined) => (wei === undefined ? '…' : <Amount wei={wei} />)

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
