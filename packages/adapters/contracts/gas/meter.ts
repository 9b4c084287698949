import { type Hex, keccak256, parseEther, type TransactionReceipt, toHex } from 'viem'
import { party, type Stage } from '../contract-harness.ts'

/** Gas of whole transactions by operation. */
export type Gas = Record<string, number>

/** All that one run measures, or computes beside it. */
export type Measurements = {
  readonly heirloom: Gas
  readonly floor: Gas
  readonly ordinary: Gas
  readonly plain: Gas
  /** The size of the deployed code. */
  readonly bytes: Readonly<Record<string, number>>
}

/** Sends a transaction and notes its gas, divided when it does the operation several times. */
export type Spend = (operation: string, sent: Promise<Hex>, times?: number) => Promise<void>

/** Returns the notebook and the pen of a measurement. */
export function meter({ mined }: Pick<Stage, 'mined'>): {
  readonly gas: Gas
  readonly receipts: ReadonlyMap<string, TransactionReceipt>
  readonly spend: Spend
} {
  const gas: Gas = {}
  const receipts = new Map<string, TransactionReceipt>()
  return {
    gas,
    receipts,
    spend: async (operation, sent, times = 1) => {
      const receipt = await mined(sent)
      receipts.set(operation, receipt)
      gas[operation] = Math.ceil(Number(receipt.gasUsed) / times)
    },
  }
}

/** Who does what in both measurements. */
export const cast = {
  creator: party(1),
  buyer: party(2),
  renter: party(3),
  forker: party(4),
  collector: party(5),
}

/** The terms of every listing in both measurements. */
export const terms = {
  price: parseEther('1.5'),
  rentPerDay: parseEther('0.015'),
  forkPrice: parseEther('0.15'),
  royaltyBps: 500n,
}

/** The size of the measured batch. */
export const batchSize = 100

/** Returns 32 fixed bytes that look random, so that calldata costs what it costs in life. */
export function bytesOf(seed: number): Hex {
  return keccak256(toHex(seed))
}
