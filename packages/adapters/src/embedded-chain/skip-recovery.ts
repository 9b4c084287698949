import {
  formatTransactionRequest,
  type Hex,
  hexToBytes,
  numberToHex,
  parseTransaction,
  serializeTransaction,
  type TransactionSerializableEIP1559,
} from 'viem'
import { loadKeccak } from '../platform/keccak.ts'
import { loadedSigning } from '../platform/secp256k1-signing.ts'
import type { RpcRequest } from './evm.ts'

/** Returns the request that makes the EVM sign a transaction to the same bytes, if it would. */
export type SignAnew = (raw: Hex) => RpcRequest | undefined

export declare namespace signingAnew {
  type Options = {
    /** The EVM's. */
    readonly chainId: number
    /** The private key of an account that the EVM signs for. */
    readonly key: Hex | undefined
  }
}

/**
 * Recognises the usual transactions of one account. A signature's nonce comes from what is signed
 * (RFC 6979), so the account signs them to the same bytes at any time, and whoever does so knows
 * the signer without recovering it, which takes an EVM more than twice as long.
 */
export async function signingAnew({ chainId, key }: signingAnew.Options): Promise<SignAnew> {
  const signing = loadedSigning()
  // Where signing is slow, recognising a transaction takes longer than recovering its signer.
  if (key === undefined || signing === undefined) return () => undefined
  const { sign, addressOf } = signing
  const [from, secret, keccak] = [addressOf(key), hexToBytes(key), await loadKeccak()]
  return (raw) => {
    const transaction = usual(raw)
    if (transaction?.chainId !== chainId) return undefined
    const hash = keccak(hexToBytes(serializeTransaction(transaction)))
    const own = serializeTransaction(transaction, sign(hash, secret))
    return own === raw ? asking(from, transaction) : undefined
  }
}

function usual(raw: Hex): TransactionSerializableEIP1559 | undefined {
  try {
    const transaction = parseTransaction(raw)
    if (transaction.type !== 'eip1559') return undefined
    const { r: _r, s: _s, v: _v, yParity: _yParity, ...unsigned } = transaction
    return unsigned
  } catch {
    return undefined
  }
}

function asking(from: Hex, transaction: TransactionSerializableEIP1559): RpcRequest {
  const { chainId, gas = 0n, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n, nonce = 0 } = transaction
  // What is left out, a node would choose itself.
  const whole = { ...transaction, from, gas, maxFeePerGas, maxPriorityFeePerGas, nonce }
  const params = [{ ...formatTransactionRequest(whole), chainId: numberToHex(chainId) }]
  return { method: 'eth_sendTransaction', params }
}
