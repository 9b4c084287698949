import { callNode, findTaker, nonceOf } from '../ledger/acts/index.ts'
import { readHead } from './open-chain.ts'
import { isInvalid } from './open-orders.ts'
import { confirm, isUndecided } from './perform.ts'
import { findPerformed } from './perform-order.ts'
import type { Performed, Performer, WalletAct } from './performer.ts'
import { highestCostOf, larger } from './raise-fees.ts'
import { mintingTime, openReplacing } from './replacing.ts'
import type { Sent } from './sender.ts'

/** An act that was signed, by this process or one before it, and may have been sent. */
type SentAct = {
  readonly act: WalletAct
  readonly sent: Sent
  readonly signedAt: number
  /** Called with all its transactions before one that replaces the others leaves. */
  readonly onReplaced: (sent: Sent) => void
}

type Pending = Pick<SentAct, 'act' | 'sent'>

/**
 * Waits for an act that was signed, and sends the same bytes again if the chain does not have them.
 * Returns `undefined` if it has not happened and never can: its order cannot be paid any more, or another
 * transaction of the account has taken its nonce.
 *
 * @throws `transaction/unconfirmed` and the other failures of `confirm`
 */
export async function resumeAct(
  performer: Performer,
  sentAct: SentAct,
): Promise<Performed | undefined> {
  const { act, sent, signedAt } = sentAct
  if (sent.order !== undefined) return resumeOrder(performer, sentAct)
  const isLate = act.kind === 'mint' && performer.now() - signedAt > mintingTime
  if (isLate && sent.raw !== undefined) return resumeLateMint(performer, { act, sent })
  return resumeCall(performer, sentAct)
}

/** Waits for an act, and replaces its transaction where the fees of the chain rose. */
async function confirmRaised(performer: Performer, sentAct: SentAct): Promise<Performed> {
  const { act, sent } = sentAct
  const raws = [sent, ...(sent.replacements ?? [])].flatMap(({ raw }) => raw ?? [])
  // The process that signed it has reserved what it could cost.
  const cost = raws.map(highestCostOf).reduce(larger, 0n)
  const { onReplace, settle } = openReplacing(performer, { ...sentAct, cost })
  const { performed, spent } = await confirm(performer, { act, sent, onReplace })
  settle(spent > cost ? spent - cost : 0n)
  return performed()
}

/**
 * Waits for a mint whose memory the server may have removed, and does not send it again. Returns
 * `undefined` if the node has no transaction of its nonce: the next act takes that nonce, so only one of
 * the two can be mined.
 */
async function resumeLateMint(
  performer: Performer,
  { act, sent: { raw, ...sent } }: Pending,
): Promise<Performed | undefined> {
  const { chain, sender } = performer
  const count = () =>
    chain.client.getTransactionCount({ address: sender.address, blockTag: 'pending' })
  const next = await callNode('eth_getTransactionCount', count)
  if (raw !== undefined && next === nonceOf(raw)) return undefined
  return (await confirm(performer, { act, sent })).performed()
}

async function resumeCall(performer: Performer, sentAct: SentAct): Promise<Performed | undefined> {
  const { act, sent } = sentAct
  try {
    return await confirmRaised(performer, sentAct)
  } catch (error) {
    const { chain, sender } = performer
    const { raw } = sent
    if (!isUndecided(error) || raw === undefined) throw error
    const taker = await findTaker(chain.client, { address: sender.address, raw })
    if (taker === undefined) throw error
    if (!taker.isSameCall) return undefined
    return (await confirm(performer, { act, sent: { txHash: taker.txHash } })).performed()
  }
}

async function resumeOrder(performer: Performer, sentAct: SentAct): Promise<Performed | undefined> {
  const { order } = sentAct.sent
  const find = async () => order && findPerformed(performer, order)
  // The head first: an order that was not carried out before it cannot be paid after it.
  const head = await readHead(performer.chain)
  const performed = await find()
  if (performed !== undefined || (order && isInvalid(order, head.time))) return performed
  try {
    return await confirmRaised(performer, sentAct)
  } catch (error) {
    const done = isUndecided(error) ? undefined : await find()
    if (done === undefined) throw error
    return done
  }
}
