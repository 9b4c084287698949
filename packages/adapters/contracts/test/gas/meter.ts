import { type Hex, keccak256, parseEther, type TransactionReceipt, toHex } from 'viem'
import { type ContractHarness, party } from '../contract-harness.ts'

/** Gas of whole transactions by operation. */
export type Gas = Record<string, number>

/** All results of one run. */
export type Measurements = {
  readonly heirloom: Gas
  /** Gas of acts of wallets: in dollars, through the forwarder, or with an heir. */
  readonly wallets: Gas
  /** Estimates of the views of the deepest fork, and of an order for it. */
  readonly deepest: Gas
  readonly floor: Gas
  readonly ordinary: Gas
  readonly plain: Gas
  /** The length of the deployed code, in bytes. */
  readonly bytes: Readonly<Record<string, number>>
}

/** Waits for a transaction and records its gas, divided by the repetitions within it. */
export type Measure = (operation: string, sent: Promise<Hex>, times?: number) => Promise<void>

/** Returns a function that measures transactions, and its records. */
export function meter({ mined }: Pick<ContractHarness, 'mined'>): {
  readonly gas: Gas
  readonly receipts: ReadonlyMap<string, TransactionReceipt>
  readonly measure: Measure
} {
  const gas: Gas = {}
  const receipts = new Map<string, TransactionReceipt>()
  return {
    gas,
    receipts,
    measure: async (operation, sent, times = 1) => {
      const receipt = await mined(sent)
      receipts.set(operation, receipt)
      gas[operation] = Math.ceil(Number(receipt.gasUsed) / times)
    },
  }
}

/** The participants of both measurements. */
export const participants = {
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

/** The number of tokens in the measured batch. */
export const batchSize = 100

/** Returns 32 deterministic bytes that look random, so that calldata has a realistic price. */
export function bytesOf(seed: number): Hex {
  return keccak256(toHex(seed))
}
