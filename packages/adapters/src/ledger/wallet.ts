import { type Hex, hexToBytes, type LocalAccount, serializeTransaction } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount, toAccount } from 'viem/accounts'
import { type Keccak, loadKeccak } from '../platform/keccak.ts'
import { loadSigning, type Signing } from '../platform/secp256k1-signing.ts'

/** Returns the account of a private key, which signs with the fastest code that loads. */
export function walletOf(privateKey: Hex): LocalAccount {
  const signing = loadSigning()
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
  let hashing: Promise<Keccak> | undefined
  const signTransaction: LocalAccount['signTransaction'] = async (transaction, options) => {
    if (transaction.type !== 'eip1559') return unhurried().signTransaction(transaction, options)
    const serialize = options?.serializer ?? serializeTransaction
    hashing ??= loadKeccak()
    const keccak = await hashing
    const hash = keccak(hexToBytes(await serialize(transaction)))
    return serialize(transaction, sign(hash, key))
  }
  return toAccount({
    address: addressOf(privateKey),
    signTransaction,
    signMessage: (message) => unhurried().signMessage(message),
    signTypedData: (data) => unhurried().signTypedData(data),
  })
}
