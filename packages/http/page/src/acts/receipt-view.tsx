import type { JSX } from 'preact'
import type { Lineage } from '../../../src/client/responses.ts'
import { useRead } from '../api/use-resource.ts'
import { Amount } from '../parts/amount.tsx'
import { Transaction } from '../parts/explorer-link.tsx'
import { Notice } from '../parts/notice.tsx'
import { Fact } from '../parts/section.tsx'
import { navigate } from '../route.ts'
import { type Act, describeResult, getCurrency, getPayment } from './act.ts'
import type { Receipt } from './act-stage.ts'
import { openRequest } from './pending-act.ts'
import { isPurchase } from './purchase.ts'

type Props = { readonly act: Act; readonly receipt: Receipt; readonly close: () => void }

/** Shows the receipt of an act. */
export function ReceiptView({ act, receipt, close }: Props): JSX.Element {
  const { hash, block, fee, feePayer, minted } = receipt
  const value = getPayment(act)
  return (
    <>
      <Notice kind="good">
        <p>
          <strong>{describeResult(act, receipt)}</strong>
        </p>
      </Notice>
      <dl class="facts">
        <Fact name="Transaction" value={<Transaction hash={hash} />} />
        <Fact name="Block" value={block.toString()} />
        {value > 0n && (
          <Fact name="Paid" value={<Amount of={value} currency={getCurrency(act)} />} />
        )}
        <dt>Network fee</dt>
        <dd>
          <Amount of={fee} />
          {feePayer === 'server' && <small class="hint"> paid by this server</small>}
        </dd>
      </dl>
      <NextSteps act={act} minted={minted} close={close} />
    </>
  )
}

type NextStepsProps = {
  readonly act: Act
  /** The token that a fork or a mint minted. */
  readonly minted: string | undefined
  readonly close: () => void
}

/** Offers what a visitor wants after an act: to open what they paid for, or to see the fork. */
function NextSteps({ act, minted, close }: NextStepsProps): JSX.Element {
  const opened = useOpenable(act, minted)
  const open = () => {
    if (opened === undefined) return
    const path = `/token/${opened}`
    close()
    openRequest.value = opened
    if (location.pathname !== path) navigate(path)
  }
  return (
    <p class="buttons">
      {opened !== undefined && (
        <button type="button" class="main" onClick={open}>
          Open it now
        </button>
      )}
      {minted !== undefined && (
        <a
          class={opened === undefined ? 'button main' : 'button'}
          href={`/token/${minted}`}
          onClick={close}
        >
          {act.kind === 'mint' ? 'View and list for sale' : `View No. ${minted}`}
        </a>
      )}
      <button
        type="button"
        class={opened === undefined && minted === undefined ? 'main' : ''}
        onClick={close}
      >
        Done
      </button>
    </p>
  )
}

/** Returns the token that a purchase allows to open; a copy opens nothing. */
function useOpenable(act: Act, minted: string | undefined): string | undefined {
  const originality = useLineage(act)?.token.originality
  if (!isPurchase(act) || originality === undefined || originality === 'copied') return undefined
  return act.kind === 'fork' ? minted : act.tokenId
}

/** Loads the token of an act and the split of its price, or of the price that it sets. */
export function useLineage(act: Act): Lineage | undefined {
  const price = getSplitPrice(act)
  const isShown = price !== undefined && 'tokenId' in act
  return useRead('lineage', isShown ? { tokenId: act.tokenId, price } : undefined).value
}

/** Returns the price whose split an act shows; `undefined` when it shows none. */
function getSplitPrice(act: Act): string | undefined {
  if (isPurchase(act)) return getPayment(act).toString()
  return act.kind === 'list' && act.terms.price !== '0' ? act.terms.price : undefined
}
