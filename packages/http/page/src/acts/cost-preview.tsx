import type { JSX } from 'preact'
import type { Lineage } from '../../../src/client/responses.ts'
import { withQuery } from '../../../src/client/transport/with-query.ts'
import { ask } from '../api/request.ts'
import { useAsked } from '../api/use-resource.ts'
import { Amount } from '../parts/amount.tsx'
import { splitSentence } from '../text/describe-split.ts'
import { OriginalityNotice } from '../views/originality.tsx'
import { connected } from '../wallet/connected-wallet.ts'
import { type Act, worthOf } from './act.ts'
import { ActWords } from './act-description.tsx'
import type { Cost, Stage } from './act-stage.ts'

type Props = {
  readonly act: Act
  readonly stage: Extract<Stage, { at: 'weighing' | 'ready' }>
  readonly confirm: () => void
  readonly close: () => void
}

/** Shows what an act costs and who is paid, before anything is signed. */
export function CostPreview({ act, stage, confirm, close }: Props): JSX.Element {
  const cost = stage.at === 'ready' ? stage.cost : undefined
  const lineage = useLineage(act)
  const originality = lineage?.token.originality ?? 'original'
  return (
    <>
      {hasSeller(act) && <OriginalityNotice of={originality} />}
      <ActWords act={act} isCopy={originality === 'copied'} />
      <Account act={act} cost={cost} />
      {lineage !== undefined && hasSeller(act) && <SplitWords act={act} lineage={lineage} />}
      <p class="buttons">
        <button type="button" class="main" disabled={cost === undefined} onClick={confirm}>
          {cost === undefined ? 'Trying it out…' : confirmWords(act)}
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </p>
    </>
  )
}

const confirmWords = (act: Act): string => (worthOf(act) === 0n ? 'Confirm' : 'Confirm and pay')

function Account({ act, cost }: { readonly act: Act; readonly cost: Cost | undefined }) {
  const value = worthOf(act)
  return (
    <table class="sum">
      <caption class="unseen">What it costs</caption>
      <tbody>
        <Row name={priceName(act)}>
          <Amount wei={value} />
        </Row>
        <Row name="Network fee, estimated">
          {cost === undefined ? '…' : <Amount wei={cost.fee} />}
        </Row>
      </tbody>
      <tfoot>
        <Row name="In all">{cost === undefined ? '…' : <Amount wei={cost.fee + cost.value} />}</Row>
        <Row name={`In ${connected.value?.name ?? 'the wallet'} now`}>
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

function priceName(act: Act): string {
  if (act.kind === 'rent') return `Rent for ${act.days} ${act.days === 1 ? 'day' : 'days'}`
  return act.kind === 'royalty' ? 'Royalty' : 'Price'
}

/** An act of which a seller is paid. */
type Purchase = Extract<Act, { readonly seller: string }>

const hasSeller = (act: Act): act is Purchase => 'seller' in act

/** Returns what the token of a purchase is and who is paid of its price, once that is known. */
function useLineage(act: Act): Lineage | undefined {
  const path = hasSeller(act) ? `/api/memory/${act.tokenId}/lineage` : ''
  const query = path === '' ? '' : withQuery(path, { price: worthOf(act).toString() })
  return useAsked(query, (signal) => ask<Lineage>(query, signal)).value
}

/** Says in words who is paid what of the price. */
function SplitWords({
  act,
  lineage,
}: {
  readonly act: Purchase
  readonly lineage: Lineage
}): JSX.Element {
  return <p class="split">{splitSentence(lineage.split, act.seller, connected.value?.account)}</p>
}
