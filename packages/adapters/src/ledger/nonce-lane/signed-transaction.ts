import {
  type Hex,
  isAddressEqual,
  keccak256,
  recoverTransactionAddress,
  serializeTransaction,
  type Transaction,
  type TransactionSerializable,
} from 'viem'

/**
 * Returns the hash of a transaction as its signature proves it; `undefined` unless the account signed
 * it for the chain. The hash that a node tells, and the sender, prove nothing.
 */
export async function hashSignedBy(
  account: Hex,
  reported: Transaction,
  chainId: number,
): Promise<Hex | undefined> {
  try {
    const { input: data, r, s, v, yParity = 0, ...fields } = reported
    if (fields.chainId !== chainId) return undefined
    const transaction = { ...fields, data } as TransactionSerializable
    const signature = fields.type === 'legacy' ? { r, s, v } : { r, s, yParity }
    const serialized = serializeTransaction(transaction, signature)
    const signer = await recoverTransactionAddress({ serializedTransaction: serialized as never })
    return isAddressEqual(signer, account) ? keccak256(serialized) : undefined
  } catch {
    // A transaction of another kind of chain, or none at all.
    return undefined
  }
}
