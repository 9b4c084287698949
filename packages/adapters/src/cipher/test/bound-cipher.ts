import { account, type SealContext } from '@heirloom/core'
import { naclCipher, sealingKeyRing } from '../nacl.ts'

/** A valid context. */
export const context: SealContext = {
  registry: {
    chainId: 31_337,
    address: account('0x5FbDB2315678afecb367f032d93F642f64180aa3'),
  },
  creator: account('0x70997970C51812dc3A010C7d01b50e0d17dc79C8'),
}

/** Returns a cipher that seals and opens everything in one context. */
export function boundCipher(
  keys: readonly Uint8Array[],
  settings: Partial<Omit<naclCipher.Input, 'keys'>> = {},
) {
  const { seal, open, inspect } = naclCipher({
    keys: sealingKeyRing(keys),
    documentLimit: 2 ** 26,
    ...settings,
  })
  return {
    seal: (document: Uint8Array) => seal(document, context),
    open: (sealed: Uint8Array) => open(sealed, context),
    inspect,
  }
}
