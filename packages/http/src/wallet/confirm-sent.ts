import { type ActResult, decodeOrder, decodeReceipt } from '@heirloom/adapters/internal/acts'
import { Failure, type Hex } from '@heirloom/core'
import { confirm, type Performer } from './perform.ts'
import type { Sent } from './sender.ts'
import type { SentActs } from './sent-acts.ts'
import type { SignedAct } from './signed-act.ts'
import type { Confirmed } from './wallet.ts'

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
    const done = performed()
    return printEffects(done.txHash, done)
  }
  const sent: Sent = known?.sent ?? { txHash: hash, ...(signed && { signed }) }
  return confirmReceipt(performer, sent)
}

async function confirmReceipt({ chain, sender }: Performer, sent: Sent): Promise<Confirmed> {
  const receipt = await sender.waitForReceipt(sent)
  const { transactionHash: txHash } = receipt
  if (receipt.status === 'reverted') throw new Failure('transaction/reverted', { txHash })
  const order = sent.signed?.body.payOrder && decodeOrder(chain.pair, receipt, sent.txHash)
  return printEffects(txHash, order ?? decodeReceipt(chain.pair, receipt))
}

function printEffects(txHash: Hex, { tokenIds, expiresAt, takeoverAt }: ActResult): Confirmed {
  const [id] = tokenIds
  return {
    txHash,
    ...(id !== undefined && { tokenId: `${id}` }),
    ...(expiresAt !== undefined && { expiresAt: `${expiresAt}` }),
    ...(takeoverAt !== undefined && { takeoverAt: `${takeoverAt}` }),
  }
}
