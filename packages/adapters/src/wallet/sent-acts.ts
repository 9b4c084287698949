import { Failure, type Hex } from '@heirloom/core'
import { type ActResult, decodeOrder, decodeReceipt } from '../ledger/acts/index.ts'
import { confirm } from './perform.ts'
import type { Performer, WalletAct } from './performer.ts'
import { attemptsOf, type Sent } from './sender.ts'
import type { SignedAct } from './signed-act.ts'

/** The acts that a wallet sent, by the hash that their callers have. */
export type SentActs = {
  readonly add: (act: WalletAct, sent: Sent) => void
  readonly find: (hash: Hex) => SentAct | undefined
}

type SentAct = { readonly act: WalletAct; readonly sent: Sent }

/** The most acts that are stored; the oldest is dropped first. */
const mostActs = 10_000

/** Creates the list of the acts that a wallet sent. */
export function createSentActs(): SentActs {
  const acts = new Map<Hex, SentAct>()
  return {
    add: (act, sent) => {
      const [oldest] = acts.keys()
      if (acts.size >= mostActs && oldest !== undefined) acts.delete(oldest)
      for (const hash of attemptsOf(sent)) acts.set(hash, { act, sent })
    },
    find: (hash) => acts.get(hash),
  }
}

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
