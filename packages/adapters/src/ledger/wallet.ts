import { type Hex, hexToBytes, keccak256, serializeTransaction } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { loadedSign, type Sign } from '../sign.ts'

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
