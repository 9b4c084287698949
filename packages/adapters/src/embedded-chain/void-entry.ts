import { concat, type Hex, numberToHex, slice } from 'viem'
import type { RpcRequest } from './evm.ts'

/** A transaction that was removed from the history; only its sender's nonce is still used up. */
export type VoidEntry = { readonly sender: Hex; readonly nonce: number }

// No signed transaction begins with a zero byte (EIP-2718).
const mark = '0x00'
const bytes = 1 + 20 + 8

/** Encodes the journal entry that replaces a removed transaction. */
export const voidEntry = ({ sender, nonce }: VoidEntry): Hex =>
  concat([mark, sender, numberToHex(nonce, { size: 8 })])

/** Decodes the journal entry of a removed transaction; returns `undefined` for a transaction. */
export function readVoidEntry(raw: Hex): VoidEntry | undefined {
  if (!raw.startsWith(mark) || raw.length !== 2 + 2 * bytes) return undefined
  return { sender: slice(raw, 1, 21), nonce: Number(slice(raw, 21)) }
}

/** Returns the requests that mine an empty block and use up the nonce of the removed transaction. */
export const voidRequests = ({ sender, nonce }: VoidEntry): readonly RpcRequest[] => [
  { method: 'hardhat_setNonce', params: [sender, numberToHex(nonce + 1)] },
  { method: 'evm_mine', params: [] },
]
