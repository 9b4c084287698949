import type { KeyService } from '@heirloom/core'
import { bytesToHex, concat, type Hex, hexToBytes, toHex } from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'
import { walletKeys } from '../harness.ts'

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** Creates a key service that has a private key in memory. Half of its signatures have a high s. */
export function memoryKeyService(privateKey: Hex = walletKeys[0]): KeyService {
  const { publicKey } = privateKeyToAccount(privateKey)
  return {
    publicKey: async () => hexToBytes(publicKey),
    sign: async (digest) => {
      const { r, s } = await sign({ hash: bytesToHex(digest), privateKey })
      const isHigh = (digest.at(-1) ?? 0) % 2 === 1
      return hexToBytes(concat([r, isHigh ? toHex(order - BigInt(s), { size: 32 }) : s]))
    },
  }
}
