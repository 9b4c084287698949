import { type Hex, pad, zeroAddress } from 'viem'

/** Returns the code that deploys a pair, bound to a dollar or to none. */
export async function encodeCreation(dollar: Hex = zeroAddress): Promise<Hex> {
  // Only a deployment needs the code, which is large.
  const { memoryMarketplaceBytecode } = await import('./creation.generated.ts')
  return `${memoryMarketplaceBytecode}${pad(dollar).slice(2).toLowerCase()}`
}
