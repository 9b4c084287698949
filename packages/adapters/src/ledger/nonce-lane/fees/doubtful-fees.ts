/** The base fee of the newest block and the tip that a node proposes, per unit of gas, in wei. */
export type ChainFees = { readonly baseFee: bigint; readonly tip: bigint }

/** A fee that fell below such a part of the last one is read again before it is believed. */
const steepFall = 8n

/** Returns the fees, read a second time where the first answer is far below what is known. */
export async function readTwiceIfDoubtful<T extends ChainFees>(
  read: () => Promise<T>,
  last: ChainFees | undefined,
): Promise<T> {
  const fees = await read()
  return isDoubtful(fees, last) ? read() : fees
}

/** Returns whether fees are 0 where none are known, or far below those that are known. */
export function isDoubtful({ baseFee, tip }: ChainFees, last: ChainFees | undefined): boolean {
  if (last === undefined) return baseFee + tip === 0n
  return baseFee < last.baseFee / steepFall || tip < last.tip / steepFall
}
