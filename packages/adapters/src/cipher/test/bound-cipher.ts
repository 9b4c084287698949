import { createHash } from 'node:crypto'
import { account, type SealContext } from '@heirloom/core'
import { memoryBlobStore } from '@heirloom/testkit'
import { naclCipher, sealingKeyRing } from '../nacl.ts'

/** A valid context. */
export const context: SealContext = {
  registry: {
    chainId: 31_337,
    address: account('0x5FbDB2315678afecb367f032d93F642f64180aa3'),
  },
  creator: account('0x70997970C51812dc3A010C7d01b50e0d17dc79C8'),
}

/** Returns what draws bytes that follow from a seed, so that each run of a test draws the same. */
export function drawsOf(seed: string | Uint8Array): (length: number) => Uint8Array {
  let draws = 0
  return (outputLength) => {
    const draw = createHash('shake256', { outputLength }).update(seed).update(`${draws++}`)
    return Uint8Array.from(draw.digest())
  }
}

type Settings = Partial<Omit<naclCipher.Input, 'keys'>>

/** Returns a cipher that seals in one blob, and opens everything, in one context. */
export function boundCipher(
  keys: readonly Uint8Array[],
  { context: of = context, ...settings }: Settings & { readonly context?: SealContext } = {},
) {
  const blobs = memoryBlobStore()
  const { seal, open, inspect } = naclCipher({
    keys: sealingKeyRing(keys),
    documentLimit: 2 ** 26,
    isInParts: () => false,
    ...settings,
  })
  return {
    seal: (document: Uint8Array) => seal(document, of, { blobs }),
    open: (sealed: Uint8Array) => open(sealed, of, blobs),
    inspect,
  }
}
