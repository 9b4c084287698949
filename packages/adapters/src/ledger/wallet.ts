import { type Hex, hexToBytes, type LocalAccount, serializeTransaction } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount, toAccount } from 'viem/accounts'
import { type Keccak, loadKeccak } from '../platform/keccak.ts'
import { loadSigning, type Signing } from '../platform/secp256k1-signing.ts'

/** Returns the account of a private key, with native signing if it loads. */
export function walletOf(privateKey: Hex): LocalAccount {
  const signing = loadSigning()
  return signing === undefined ? privateKeyToAccount(privateKey) : signingWith(signing, privateKey)
}

/** Returns the account of a private key that signs EIP-1559 transactions with `sign`. */
export function signingWith({ sign, addressOf }: Signing, privateKey: Hex): LocalAccount {
  const key = hexToBytes(privateKey)
  // viem's account is created on first use: it takes longer than loading the server's program.
  let viemAccount: PrivateKeyAccount | undefined
  const fallback = () => {
    viemAccount ??= privateKeyToAccount(privateKey)
    return viemAccount
  }
  let loading: Promise<Keccak> | undefined
  const signTransaction: LocalAccount['signTransaction'] = async (transaction, options) => {
    if (transaction.type !== 'eip1559') return fallback().signTransaction(transaction, options)
    const serialize = options?.serializer ?? serializeTransaction
    loading ??= loadKeccak()
    const keccak = await loading
    const hash = keccak(hexToBytes(await serialize(transaction)))
    return serialize(transaction, sign(hash, key))
  }
  return toAccount({
    address: addressOf(privateKey),
    signTransaction,
    signMessage: (message) => fallback().signMessage(message),
    signTypedData: (data) => fallback().signTypedData(data),
  })
}
