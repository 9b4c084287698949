import { concat, type Hex, numberToHex, size, toHex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'

const mnemonic = 'test test test test test test test test test test test junk'
const gwei = 10n ** 9n

/** The first three well-known test accounts. */
export const accounts = [account(0), account(1), account(2)] as const

function account(addressIndex: number) {
  return mnemonicToAccount(mnemonic, { addressIndex })
}

/** Returns the private key of a test account. */
export const keyOf = (from: 0 | 1 | 2): Hex =>
  toHex(accounts[from].getHdKey().privateKey ?? new Uint8Array())

/** Returns the code that creates a contract with the code `runtime`. */
export const creationCode = (runtime: Hex): Hex =>
  concat(['0x61', numberToHex(size(runtime), { size: 2 }), '0x80600a5f395ff3', runtime])

/** A contract that stores the time and the randomness of each block that calls it. */
export const witness: Hex = '0x42435544425500'

/** A contract that returns the time of the block it is called in. */
export const timekeeper: Hex = '0x425f5260205ff3'

/** Returns a contract that reverts with `data`. */
export const revertingContract = (data: Hex): Hex => {
  const length = numberToHex(size(data), { size: 2 })
  return concat(['0x61', length, '0x600c5f3961', length, '0x5ffd', data])
}

type Fields = {
  readonly from?: number
  readonly nonce: number
  readonly to?: Hex | undefined
  readonly data?: Hex
  readonly value?: bigint
  readonly gas?: bigint
  readonly maxFeePerGas?: bigint
  readonly chainId?: number
}

/** Signs a transaction of the type before EIP-1559, a transfer of 1 wei. */
export const signLegacyTransaction = (from: 0 | 1 | 2, nonce: number): Promise<Hex> =>
  accounts[from].signTransaction({
    type: 'legacy',
    chainId: 31337,
    nonce,
    gas: 21_000n,
    gasPrice: 10n * gwei,
    to: accounts[1].address,
    value: 1n,
  })

/** Signs a transaction of a test account, by default a transfer of 1 wei to the second one. */
export function signTransaction({ from = 0, ...fields }: Fields): Promise<Hex> {
  const account = accounts[from]
  if (!account) throw new RangeError(`There is no test account ${from}.`)
  return account.signTransaction({
    type: 'eip1559',
    chainId: 31337,
    gas: 200_000n,
    maxFeePerGas: 10n * gwei,
    maxPriorityFeePerGas: 1n,
    to: accounts[1].address,
    value: 'data' in fields ? 0n : 1n,
    ...fields,
  })
}
