import type { Hex } from 'viem'
import { onTestFinished } from 'vitest'
import { type EmbeddedChain, embeddedChain } from '../embedded.ts'

/** Noon of the first day of 2026. */
export const noon = Date.UTC(2026, 0, 1, 12)

/** Opens the chain in `folder`, closed at the latest when the test ends. */
export async function opened(
  folder: string,
  now: () => number = () => noon,
  key?: Hex,
): Promise<EmbeddedChain> {
  const chain = await embeddedChain({ folder, now, funded: [], key })
  onTestFinished(() => chain.close())
  return chain
}
