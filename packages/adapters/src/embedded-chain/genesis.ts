import { Failure } from '@heirloom/core'
import { type Hex, isAddressEqual, parseEther } from 'viem'
import type { Evm } from './evm.ts'
import type { Genesis } from './journal.ts'

/** The balance of each funded account, in wei. */
const initialBalance = parseEther('10000')

/** The first ten accounts of "test test test test test test test test test test test junk". */
const testAccounts: readonly Hex[] = [
  '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
  '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
  '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc',
  '0x976EA74026E726554dB657fA54763abd0C3a0aa9',
  '0x14dC79964da2C08b23698B3D3cc7Ca32193d9955',
  '0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f',
  '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720',
]

export declare namespace firstGenesis {
  type Options = {
    readonly chainId: number
    /** Milliseconds since 1970. */
    readonly now: () => number
    readonly funded: readonly Hex[]
  }
}

/** Returns the genesis of a new chain, which funds `funded` and the well-known test accounts. */
export function firstGenesis({ chainId, now, funded }: firstGenesis.Options): Genesis {
  const addresses = new Map([...funded, ...testAccounts].map((it) => [it.toLowerCase(), it]))
  return {
    chainId,
    genesisTime: Math.floor(now() / 1000),
    accounts: [...addresses.values()].map((address) => ({ address, balance: initialBalance })),
  }
}

export declare namespace requireFunds {
  type Options = { readonly folder: string; readonly address: Hex }
}

/**
 * Requires that `address` was funded at genesis or has received funds since.
 *
 * The genesis cannot change later, so a new wallet without funds could not pay for any write; this
 * failure at the start is clearer than one at every write.
 *
 * @throws `folder/unusable`
 */
export async function requireFunds(
  { evm, genesis }: { readonly evm: Evm; readonly genesis: Genesis },
  { folder, address }: requireFunds.Options,
): Promise<void> {
  if (genesis.accounts.some((it) => isAddressEqual(it.address, address))) return
  const balance = await evm.request({ method: 'eth_getBalance', params: [address, 'latest'] })
  if (balance !== '0x0') return
  const problem = `its chain was started for another wallet, and ${address} holds nothing on it`
  throw new Failure('folder/unusable', { folder, problem })
}
