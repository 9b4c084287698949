import type { Hex } from 'viem'
import { onTestFinished } from 'vitest'
import { type EmbeddedChain, embeddedChain } from '../embedded-chain.ts'
import { history, send } from './requests.ts'
import { signTransaction } from './transactions.ts'

/** Noon of the first day of 2026. */
export const noon = Date.UTC(2026, 0, 1, 12)

/** Opens the chain in `folder`, and closes it when the test ends. */
export async function openTestChain(
  folder: string,
  now: () => number = () => noon,
  key?: Hex,
): Promise<EmbeddedChain> {
  const chain = await embeddedChain({ folder, now, funded: [], key })
  onTestFinished(() => chain.close())
  return chain
}

/** Writes a history of three transfers to a folder, and returns its blocks. */
export async function threeTransfers(folder: string): Promise<readonly string[]> {
  const chain = await openTestChain(folder)
  for (const nonce of [0, 1, 2]) await send(chain, await signTransaction({ nonce }))
  const blocks = await history(chain)
  await chain.close()
  return blocks
}
