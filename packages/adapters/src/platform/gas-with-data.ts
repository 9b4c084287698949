import { publicLimits } from './public-limits.ts'

/** The most gas of a transaction (EIP-7825). */
const mostGas = 2n ** 24n

/**
 * Returns the gas of the check of a contract's signature on a chain in this process, where `gasOfCode`
 * is that of any code of strangers (`RPC_GAS`): with that of a passkey, or of a Safe with two owners, it
 * could take half a gigabyte more, and such a wallet is only deployed where more than the default is allowed.
 */
export function gasOfCheck(gasOfCode = publicLimits.gas): bigint {
  const gas = gasOfCode / 5n
  return gas < 70_000n ? gas : 70_000n
}

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
