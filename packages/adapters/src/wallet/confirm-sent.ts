import { Failure, type Hex } from '@heirloom/core'
import { type ActResult, decodeOrder, decodeReceipt } from '../ledger/acts/index.ts'
import { confirm, type Performer } from './perform.ts'
import type { Sent } from './sender.ts'
import type { SentActs } from './sent-acts.ts'
import type { SignedAct } from './signed-act.ts'

/** The effects of an act that was waited for again, and its transaction. */
type Confirmed = ActResult & { readonly txHash: Hex }

/**
 * Waits for an act that was sent, by this wallet or before it was opened, and returns its effects.
 *
 * @throws `transaction/unconfirmed`, `transaction/cancelled`, `transaction/reverted`, and those of the
 * relay
 */
export async function confirmSent(
  performer: Performer,
  sentActs: SentActs,
  it: Hex | SignedAct,
): Promise<Confirmed> {
  const signed = typeof it === 'string' ? undefined : it
  const hash = typeof it === 'string' ? it : it.hash
  const known = sentActs.find(hash)
  if (known?.sent.order !== undefined) {
    const { performed } = await confirm(performer, known)
    return performed()
  }
  const sent: Sent = known?.sent ?? { txHash: hash, ...(signed && { signed }) }
  return confirmReceipt(performer, sent)
}

async function confirmReceipt({ chain, sender }: Performer, sent: Sent): Promise<Confirmed> {
  const receipt = await sender.waitForReceipt(sent)
  const { transactionHash: txHash } = receipt
  if (receipt.status === 'reverted') throw new Failure('transaction/reverted', { txHash })
  const order = sent.signed?.body.payOrder && decodeOrder(chain.pair, receipt, sent.txHash)
  return { ...(order ?? decodeReceipt(chain.pair, receipt)), txHash }
}
