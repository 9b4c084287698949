import { Failure } from '@heirloom/core'
import { type Hex, isAddressEqual, parseEther } from 'viem'
import { testAccounts } from '../platform/test-accounts.ts'
import type { Evm } from './evm.ts'
import type { Genesis } from './journal.ts'

/** The balance of each funded account, in wei. */
const initialBalance = parseEther('10000')

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
  const problem = `its chain was started for another wallet than ${address}, which holds nothing on it; put back the agent.key of this folder, or the AGENT_PRIVATE_KEY or AGENT_KEY_SERVICE that it was started with`
  throw new Failure('folder/unusable', { folder, problem })
}
