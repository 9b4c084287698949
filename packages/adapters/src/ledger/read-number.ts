import type { Hex, PublicClient } from 'viem'
import { callNode } from './node-call.ts'
import { viewOf } from './view.ts'

/**
 * Returns the number that a view of a contract returns first, in the newest block.
 *
 * @throws `ledger/unavailable`
 */
export async function readNumber(
  client: Pick<PublicClient, 'request'>,
  view: viewOf.Options,
  args: readonly (bigint | Hex)[],
): Promise<bigint> {
  const read = viewOf(client, view)
  return BigInt((await callNode(view.name, () => read(args)))(0))
}
