import type { JSX } from 'preact'
import { Amount } from '../parts/amount.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { Notice } from '../parts/notice.tsx'
import { shortHash } from '../text/account.ts'
import { type Act, doneOf, worthOf } from './act.ts'
import type { Receipt } from './act-stage.ts'

type Props = { readonly act: Act; readonly receipt: Receipt; readonly close: () => void }

/** Shows that an act is done, and what proves it. */
export function ReceiptView({ act, receipt, close }: Props): JSX.Element {
  const { hash, block, fee, child } = receipt
  const value = worthOf(act)
  return (
    <>
      <Notice kind="good">
        <p>
          <strong>{doneOf(act, child)}</strong>
        </p>
      </Notice>
      <dl class="facts">
        <dt>Transaction</dt>
        <dd>
          <Copyable text={hash} shown={shortHash(hash)} what="transaction" />
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
            See No. {child}
          </a>
        )}
        <button type="button" class={child === undefined ? 'main' : ''} onClick={close}>
          Done
        </button>
      </p>
    </>
  )
}
