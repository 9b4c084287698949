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

/** A signature of secp256k1, with s in the lower half of its range (EIP-2). */
export type Signature = { readonly r: Hex; readonly s: Hex; readonly yParity: number }

/** Signs digests for one account. A wallet needs nothing else of its key. */
export type Signer = {
  /** The account, with its EIP-55 checksum. */
  readonly address: Hex
  /**
   * Signs a digest of 32 bytes.
   *
   * @throws `key-service/unavailable`, `key-service/wrong-key`
   */
  readonly sign: (digest: Uint8Array) => Signature | Promise<Signature>
}
