import type { JSX } from 'preact'
import type { Lineage } from '../../../src/client/responses.ts'
import { withQuery } from '../../../src/client/transport/with-query.ts'
import { getJson } from '../api/get-json.ts'
import { useResource } from '../api/use-resource.ts'
import { Amount } from '../parts/amount.tsx'
import { Notice } from '../parts/notice.tsx'
import { isSameAccount } from '../text/account.ts'
import { describeSplit } from '../text/describe-split.ts'
import { OriginalityNotice } from '../views/originality.tsx'
import { connectedWallet } from '../wallet/connected-wallet.ts'
import { type Act, getPayment } from './act.ts'
import { ActDescription } from './act-description.tsx'
import type { ActStage, Cost } from './act-stage.ts'

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
      {hasSeller(act) && <OriginalityNotice of={originality} />}
      <OwnTokenNotice act={act} />
      <ActDescription act={act} isCopy={originality === 'copied'} />
      <Account act={act} cost={cost} />
      {lineage !== undefined && hasSeller(act) && <SplitDescription act={act} lineage={lineage} />}
      <p class="buttons">
        <button type="button" class="main" disabled={cost === undefined} onClick={confirm}>
          {cost === undefined ? 'Estimating the fee…' : getConfirmLabel(act)}
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </p>
    </>
  )
}

/** Warns an owner who is about to buy or rent the own token. */
function OwnTokenNotice({ act }: { readonly act: Act }): JSX.Element | undefined {
  const account = connectedWallet.value?.account
  if (!hasSeller(act) || !isSameAccount(act.seller, account)) return undefined
  const text = ownTokenWarnings[act.kind]
  return text === undefined ? undefined : <Notice kind="warn">{text}</Notice>
}

const ownTokenWarnings: { readonly [kind in Purchase['kind']]?: string } = {
  buy: 'This token is already yours. Buying it changes nothing: royalties and the network fee are lost, and the rest of the price comes back to you.',
  rent: 'This token is yours: you can open its memory without renting it.',
}

const getConfirmLabel = (act: Act): string =>
  getPayment(act) === 0n ? 'Confirm' : 'Confirm and pay'

function Account({ act, cost }: { readonly act: Act; readonly cost: Cost | undefined }) {
  const value = getPayment(act)
  return (
    <table class="sum">
      <caption class="unseen">Cost</caption>
      <tbody>
        <Row name={priceName(act)}>
          <Amount wei={value} />
        </Row>
        <Row name="Network fee, estimated">
          {cost === undefined ? '…' : <Amount wei={cost.fee} />}
        </Row>
      </tbody>
      <tfoot>
        <Row name="Total">{cost === undefined ? '…' : <Amount wei={cost.fee + cost.value} />}</Row>
        <Row name={balanceName(connectedWallet.value?.name)}>
          {cost === undefined ? '…' : <Amount wei={cost.balance} />}
        </Row>
      </tfoot>
    </table>
  )
}

function Row({
  name,
  children,
}: {
  readonly name: string
  readonly children: JSX.Element | string
}) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{children}</td>
    </tr>
  )
}

const balanceName = (wallet: string | undefined): string =>
  wallet === undefined ? 'Wallet balance' : `${wallet}’s balance`

function priceName(act: Act): string {
  if (act.kind === 'rent') return `Rent for ${act.days} ${act.days === 1 ? 'day' : 'days'}`
  return act.kind === 'royalty' ? 'Royalty' : 'Price'
}

/** An act that pays a seller. */
type Purchase = Extract<Act, { readonly seller: string }>

const hasSeller = (act: Act): act is Purchase => 'seller' in act

/** Loads the token of a purchase and the split of its price. */
function useLineage(act: Act): Lineage | undefined {
  const path = hasSeller(act) ? `/api/memory/${act.tokenId}/lineage` : ''
  const query = path === '' ? '' : withQuery(path, { price: getPayment(act).toString() })
  return useResource(query, (signal) => getJson<Lineage>(query, signal)).value
}

/** Describes the split of the price. */
function SplitDescription({
  act,
  lineage,
}: {
  readonly act: Purchase
  readonly lineage: Lineage
}): JSX.Element {
  return (
    <p class="split">{describeSplit(lineage.split, act.seller, connectedWallet.value?.account)}</p>
  )
}
