import type { JSX } from 'preact'
import { Amount } from '../parts/amount.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { Notice } from '../parts/notice.tsx'
import { shortenHash } from '../text/account.ts'
import { type Act, describeResult, getPayment } from './act.ts'
import type { Receipt } from './act-stage.ts'

type Props = { readonly act: Act; readonly receipt: Receipt; readonly close: () => void }

/** Shows the receipt of an act. */
export function ReceiptView({ act, receipt, close }: Props): JSX.Element {
  const { hash, block, fee, child } = receipt
  const value = getPayment(act)
  return (
    <>
      <Notice kind="good">
        <p>
          <strong>{describeResult(act, child)}</strong>
        </p>
      </Notice>
      <dl class="facts">
        <dt>Transaction</dt>
        <dd>
          <Copyable text={hash} shown={shortenHash(hash)} what="transaction" />
        </dd>
        <dt>Block</dt>
        <dd>{block.toString()}</dd>
        {value > 0n && <dt>Paid</dt>}
        {value > 0n && (
          <dd>
            <Amount wei={value} />
          </dd>
        )}
        <dt>Network fee</dt>
        <dd>
          <Amount wei={fee} />
        </dd>
      </dl>
      <p class="buttons">
        {child !== undefined && (
          <a class="button main" href={`/token/${child}`} onClick={close}>
            View No. {child}
          </a>
        )}
        <button type="button" class={child === undefined ? 'main' : ''} onClick={close}>
          Done
        </button>
      </p>
    </>
  )
}
