import type { Hex } from 'viem'
import { contradictsBloom, type FilteredLog } from './log-bloom.ts'

/** A receipt, as a node sends it or as viem returns it. */
export type ShownReceipt = {
  readonly transactionHash: Hex
  readonly blockHash: Hex
  readonly blockNumber: Hex | bigint
  /** `null` or absent in a receipt that does not say whether the transaction succeeded. */
  readonly status?: string | null
  readonly gasUsed?: Hex | bigint | null
  readonly logs: readonly (FilteredLog & Partial<Origin>)[]
  readonly logsBloom?: Hex | null
}

type Origin = { readonly transactionHash: Hex | null; readonly blockHash: Hex | null }

/**
 * Returns why a receipt that a node showed for a transaction cannot be right; `undefined` if nothing
 * in it speaks against it.
 */
export function faultOfReceipt(receipt: ShownReceipt, hash: Hex): string | undefined {
  try {
    return contradictionIn(receipt, hash)
  } catch {
    return 'has another form than a receipt'
  }
}

function contradictionIn(receipt: ShownReceipt, hash: Hex): string | undefined {
  if (!isSame(receipt.transactionHash, hash)) return `is that of ${receipt.transactionHash}`
  if (!statuses.includes(receipt.status)) return 'does not say whether it succeeded'
  if (!isNumber(receipt.blockNumber)) return 'does not say the number of its block'
  if (receipt.gasUsed != null && BigInt(receipt.gasUsed) < transferGas)
    return 'spent less gas than any transaction'
  if (!receipt.logs.every((log) => isOfReceipt(log, receipt))) return 'has events of another one'
  const { logs, logsBloom } = receipt
  if (logsBloom != null && contradictsBloom(logs, logsBloom))
    return 'has other events than its bloom'
  return undefined
}

/** The gas of an empty transfer, which every transaction costs at least. */
export const transferGas = 21_000n

/** The status of a failure and of a success, as a node sends it and as viem returns it. */
const statuses: readonly unknown[] = ['0x0', '0x1', 'reverted', 'success']

const isNumber = (number: unknown): boolean =>
  typeof number === 'bigint' || /^0x[\da-f]+$/i.test(String(number))

const isOfReceipt = (log: Partial<Origin>, receipt: Origin): boolean =>
  isSame(log.transactionHash ?? receipt.transactionHash, receipt.transactionHash) &&
  isSame(log.blockHash ?? receipt.blockHash, receipt.blockHash)

const isSame = (one: Hex | null, other: Hex | null): boolean =>
  one?.toLowerCase() === other?.toLowerCase()
