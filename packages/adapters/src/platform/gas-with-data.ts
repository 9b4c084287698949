/** The most gas of a transaction (EIP-7825). */
const mostGas = 2n ** 24n

/**
 * Returns the gas limit of an execution that may use `gas` besides what its data costs (EIP-2028): 16
 * for each byte, and 4 for one that is zero. No limit is above that of a transaction.
 */
export function gasWithData(gas: bigint, data: string): bigint {
  const bytes = Buffer.from(data.slice(2), 'hex')
  const zeros = bytes.reduce((count, byte) => count + Number(byte === 0), 0)
  const limit = gas + BigInt(16 * bytes.length - 12 * zeros)
  return limit < mostGas ? limit : mostGas
}
