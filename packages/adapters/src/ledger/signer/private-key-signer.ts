import { bytesToHex, type Hex, hexToBytes } from 'viem'
import { privateKeyToAddress, sign } from 'viem/accounts'
import { loadSigning, type Signing } from '../../platform/secp256k1-signing.ts'
import type { Signer } from './signer-wallet.ts'

/** Returns the signer of a private key in this process, with native signing if it loads. */
export function privateKeySigner(
  privateKey: Hex,
  signing: Signing | 'slow' = loadSigning() ?? 'slow',
): Signer {
  return signing === 'slow' ? slowSigner(privateKey) : nativeSigner(signing, privateKey)
}

function nativeSigner({ sign: signNatively, addressOf }: Signing, privateKey: Hex): Signer {
  const key = hexToBytes(privateKey)
  const address = addressOf(privateKey)
  return { address, sign: (digest) => signNatively(digest, key) }
}

/** Signs by Noble's JavaScript, through viem: the reference. */
function slowSigner(privateKey: Hex): Signer {
  return {
    address: privateKeyToAddress(privateKey),
    sign: async (digest) => {
      const { r, s, yParity = 0 } = await sign({ hash: bytesToHex(digest), privateKey })
      return { r, s, yParity }
    },
  }
}
