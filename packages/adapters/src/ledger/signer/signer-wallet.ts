import {
  type Hex,
  hashMessage,
  hashTypedData,
  hexToBytes,
  type LocalAccount,
  serializeSignature,
  serializeTransaction,
  type TransactionSerializable,
} from 'viem'
import { toAccount } from 'viem/accounts'
import { type Keccak, loadKeccak } from '../../platform/keccak.ts'
import type { Signer } from './signer.ts'

/** Returns the account of a signer, which signs transactions, messages and typed data with it. */
export function signerWallet({ address, sign }: Signer): LocalAccount {
  let loading: Promise<Keccak> | undefined
  const signTransaction: LocalAccount['signTransaction'] = async (transaction, options) => {
    const serialize = options?.serializer ?? serializeTransaction
    loading ??= loadKeccak()
    const keccak = await loading
    const signature = await sign(keccak(hexToBytes(await serialize(payloadOf(transaction)))))
    // A transaction of the first type takes the parity as v.
    return serialize(transaction, { ...signature, v: 27n + BigInt(signature.yParity) })
  }
  const signHash = async (hash: Hex) => serializeSignature(await sign(hexToBytes(hash)))
  return toAccount({
    address,
    signTransaction,
    sign: ({ hash }) => signHash(hash),
    signMessage: ({ message }) => signHash(hashMessage(message)),
    signTypedData: (data) => signHash(hashTypedData(data)),
  })
}

/** Returns what is signed of a transaction: its blobs are not (EIP-4844). */
function payloadOf<T extends TransactionSerializable>(transaction: T): T {
  return transaction.type === 'eip4844' ? { ...transaction, sidecars: false } : transaction
}
