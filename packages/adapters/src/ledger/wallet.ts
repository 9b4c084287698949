import { type Hex, hexToBytes, keccak256, type LocalAccount, serializeTransaction } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount, toAccount } from 'viem/accounts'
import { loadedSigning, type Signing } from '../sign.ts'

/** Returns the account of a private key, which signs with the fastest code that loads. */
export function walletOf(privateKey: Hex): LocalAccount {
  const signing = loadedSigning()
  return signing === undefined ? privateKeyToAccount(privateKey) : signingWith(signing, privateKey)
}

/** Returns the account of a private key, whose usual transactions are signed with `sign`. */
export function signingWith({ sign, addressOf }: Signing, privateKey: Hex): LocalAccount {
  const key = hexToBytes(privateKey)
  // It takes viem longer to make than a server to load its program.
  let made: PrivateKeyAccount | undefined
  const unhurried = () => {
    made ??= privateKeyToAccount(privateKey)
    return made
  }
  const signTransaction: LocalAccount['signTransaction'] = async (transaction, options) => {
    if (transaction.type !== 'eip1559') return unhurried().signTransaction(transaction, options)
    const serialize = options?.serializer ?? serializeTransaction
    const hash = keccak256(await serialize(transaction), 'bytes')
    return serialize(transaction, sign(hash, key))
  }
  return toAccount({
    address: addressOf(privateKey),
    signTransaction,
    signMessage: (message) => unhurried().signMessage(message),
    signTypedData: (data) => unhurried().signTypedData(data),
  })
}
