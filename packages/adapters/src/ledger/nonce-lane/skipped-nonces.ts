import { nextNonceOf } from '../../store/job-queries.ts'
import { callNode } from '../node-call.ts'
import { findForeign, isUsed } from './answers/receipts.ts'
import type { LaneContext } from './lane-context.ts'

/** The number of skipped nonces that are looked up, the newest first. */
const mostSkipped = 4

/**
 * Looks for writes of another program under nonces that the lane would skip, since the chain has used
 * them while the lane was idle; `least` is the first that is free.
 *
 * @throws `wallet/shared` once another program was seen, `ledger/unavailable`
 */
export async function checkSkippedNonces(context: LaneContext, least: number): Promise<void> {
  if (!context.isAlone) return
  // In a row of writes none is skipped: the lane knows its nonce, and `least` is 0.
  if (least > 0) await callNode('eth_getBlockByNumber', () => lookUpSkipped(context, least))
  context.rivals.requireNone()
}

async function lookUpSkipped(context: LaneContext, least: number): Promise<void> {
  const { client, store, lane, rivals } = context
  const next = (await nextNonceOf(store, lane)) ?? 0
  const oldest = Math.max(next, least - mostSkipped)
  const head = least > oldest ? await client.getBlockNumber() : 0n
  for (let nonce = least - 1; nonce >= oldest; nonce -= 1) {
    if (!(await isUsed(context, nonce, head))) continue
    const foreign = await findForeign(context, { nonce, attempts: [] }, head)
    if (foreign !== undefined) rivals.see(foreign)
  }
}
