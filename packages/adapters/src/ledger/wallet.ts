import { createRequire } from 'node:module'
import { bytesToHex, type Hex, hexToBytes, keccak256, serializeTransaction } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

/** Signs a 32-byte hash with a private key, with the nonce of RFC 6979 and s in the lower half. */
export type Sign = (hash: Uint8Array, key: Uint8Array) => Signature

type Signature = { readonly r: Hex; readonly s: Hex; readonly yParity: number }

/** Returns the account of a private key, which signs with the fastest code that loads. */
export function walletOf(privateKey: Hex): PrivateKeyAccount {
  const sign = loadedSign()
  return sign === undefined ? privateKeyToAccount(privateKey) : signingWith(sign, privateKey)
}

/** Returns the account of a private key, whose usual transactions are signed with `sign`. */
export function signingWith(sign: Sign, privateKey: Hex): PrivateKeyAccount {
  const wallet = privateKeyToAccount(privateKey)
  const key = hexToBytes(privateKey)
  const signTransaction: PrivateKeyAccount['signTransaction'] = async (transaction, options) => {
    if (transaction.type !== 'eip1559') return wallet.signTransaction(transaction, options)
    const serialize = options?.serializer ?? serializeTransaction
    const hash = keccak256(await serialize(transaction), 'bytes')
    return serialize(transaction, sign(hash, key))
  }
  return { ...wallet, signTransaction }
}

/** libsecp256k1 as a native addon, where its binary loads. */
export function nativeSign(): Sign {
  // The package's own entrance falls back to slow JavaScript in silence, so its binding is taken.
  const load = createRequire(import.meta.url)
  const { ecdsaSign } = load('secp256k1/bindings.js') as {
    ecdsaSign(hash: Uint8Array, key: Uint8Array): { signature: Uint8Array; recid: number }
  }
  return (hash, key) => {
    const { signature, recid } = ecdsaSign(hash, key)
    const [r, s] = [signature.subarray(0, 32), signature.subarray(32)]
    return { r: bytesToHex(r), s: bytesToHex(s), yParity: recid }
  }
}

function loadedSign(): Sign | undefined {
  try {
    return nativeSign()
  } catch {
    return undefined
  }
}
