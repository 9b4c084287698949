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
import { loadSigning } from '../platform/secp256k1-signing.ts'
import type { RpcRequest } from './evm.ts'

/** Returns a request for the EVM to sign a transaction itself, if that gives the same bytes. */
export type SkipRecovery = (raw: Hex) => RpcRequest | undefined

export declare namespace skipRecovery {
  type Options = {
    /** The chain id of the EVM. */
    readonly chainId: number
    /** The private key of the account for which the EVM signs. */
    readonly key: Hex | undefined
  }
}

/**
 * Returns a function that recognises EIP-1559 transactions of one account. ECDSA here is
 * deterministic (RFC 6979), so signing again is a cheaper check than recovering the signer, which
 * takes an EVM more than twice as long.
 */
export async function skipRecovery({ chainId, key }: skipRecovery.Options): Promise<SkipRecovery> {
  const signing = loadSigning()
  // Without native signing, this check takes longer than recovering the signer.
  if (key === undefined || signing === undefined) return () => undefined
  const { sign, addressOf } = signing
  const [from, secret, keccak] = [addressOf(key), hexToBytes(key), await loadKeccak()]
  return (raw) => {
    const transaction = unsignedEip1559(raw)
    if (transaction?.chainId !== chainId) return undefined
    const hash = keccak(hexToBytes(serializeTransaction(transaction)))
    const signedAgain = serializeTransaction(transaction, sign(hash, secret))
    return signedAgain === raw ? signRequest(from, transaction) : undefined
  }
}

function unsignedEip1559(raw: Hex): TransactionSerializableEIP1559 | undefined {
  try {
    const transaction = parseTransaction(raw)
    if (transaction.type !== 'eip1559') return undefined
    const { r: _r, s: _s, v: _v, yParity: _yParity, ...unsigned } = transaction
    return unsigned
  } catch {
    return undefined
  }
}

function signRequest(from: Hex, transaction: TransactionSerializableEIP1559): RpcRequest {
  const { chainId, gas = 0n, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n, nonce = 0 } = transaction
  // A node chooses a value for every field that is missing.
  const complete = { ...transaction, from, gas, maxFeePerGas, maxPriorityFeePerGas, nonce }
  const params = [{ ...formatTransactionRequest(complete), chainId: numberToHex(chainId) }]
  return { method: 'eth_sendTransaction', params }
}
