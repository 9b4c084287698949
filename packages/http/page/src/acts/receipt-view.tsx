import type { JSX } from 'preact'
import { Amount } from '../parts/amount.tsx'
import { Notice } from '../parts/notice.tsx'
import { type Act, describeResult, getCurrency, getPayment } from './act.ts'
import type { Receipt } from './act-stage.ts'
import { NextSteps } from './next-steps.tsx'
import { Transaction } from './transaction.tsx'

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
        <dt>Transaction</dt>
        <dd>
          <Transaction hash={hash} />
        </dd>
        <dt>Block</dt>
        <dd>{block.toString()}</dd>
        {value > 0n && <dt>Paid</dt>}
        {value > 0n && (
          <dd>
            <Amount of={value} currency={getCurrency(act)} />
          </dd>
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
