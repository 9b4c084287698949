import { callNode, isSuperseded, nonceOf } from '@heirloom/adapters/internal/acts'
import { readHead } from './chain-time.ts'
import { isInvalid } from './open-orders.ts'
import { confirm, isUndecided, type Performed, type Performer, type WalletAct } from './perform.ts'
import { findPerformed } from './perform-order.ts'
import type { Sent } from './sender.ts'

/** An act that was signed, by this process or one before it, and may have been sent. */
type SentAct = {
  readonly act: WalletAct
  readonly sent: Sent
  readonly signedAt: number
}

/** The time in which a mint is sent again, in milliseconds: the server removes what nobody mints. */
const mintingTime = 600_000

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
  { act, sent, signedAt }: SentAct,
): Promise<Performed | undefined> {
  if (sent.order !== undefined) return resumeOrder(performer, { act, sent })
  const isLate = act.kind === 'mint' && performer.now() - signedAt > mintingTime
  if (isLate && sent.raw !== undefined) return resumeLateMint(performer, { act, sent })
  return resumeCall(performer, { act, sent })
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

async function resumeCall(
  performer: Performer,
  { act, sent }: Pending,
): Promise<Performed | undefined> {
  try {
    return (await confirm(performer, { act, sent })).performed()
  } catch (error) {
    const { chain, sender } = performer
    const { txHash, raw } = sent
    if (!isUndecided(error) || raw === undefined) throw error
    const { address } = sender
    if (await isSuperseded(chain.client, { address, txHash, raw })) return undefined
    throw error
  }
}

async function resumeOrder(
  performer: Performer,
  { act, sent }: Pending,
): Promise<Performed | undefined> {
  const { order } = sent
  const find = async () => order && findPerformed(performer, order)
  // The head first: an order that was not carried out before it cannot be paid after it.
  const head = await readHead(performer.chain)
  const performed = await find()
  if (performed !== undefined || (order && isInvalid(order, head.time))) return performed
  try {
    return (await confirm(performer, { act, sent })).performed()
  } catch (error) {
    const done = isUndecided(error) ? undefined : await find()
    if (done === undefined) throw error
    return done
  }
}
