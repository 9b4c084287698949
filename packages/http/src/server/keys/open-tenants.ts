import { walletOf } from '@heirloom/adapters/wallet'
import { Failure, type Hex, type Ledger, type MemoryService } from '@heirloom/core'
import { parseEther } from 'viem'
import type { ApiKey } from '../api-keys/key-ring.ts'
import type { Acting as LedgerActing } from '../container.ts'
import type { ServerKeys } from './open-keys.ts'
import type { Acting, Limits, TenantLedger, Tenants } from './tenants.ts'

/** The tenants of a running server, with the wallet of each. */
export type OpenTenants = Tenants & {
  /**
   * Returns the wallet that acts for an API key: that of its tenant, or the server's own.
   *
   * @throws `request/not-authorized` when the tenant was closed
   */
  readonly walletFor: (caller: ApiKey | undefined) => Wallet
}

type Wallet = Pick<TenantLedger, 'ledger' | 'limits'>

type Parts = {
  readonly tenants: readonly TenantLedger[]
  /** The server's own ledger and limits. */
  readonly ledger: TenantLedger['ledger']
  readonly limits: Limits
  readonly keys: Pick<ServerKeys, 'seals'>
  readonly serviceOf: (acting: LedgerActing) => MemoryService
  /** Wraps the ledger of a service. */
  readonly through: (ledger: Ledger) => Ledger
}

/** Opens the services of the tenants: each acts with its own wallet, and seals under its own keys. */
export function openTenants({
  tenants,
  ledger,
  limits,
  keys,
  serviceOf,
  through,
}: Parts): OpenTenants {
  const known = new Map<string, Acting & Wallet>()
  for (const tenant of tenants.filter(({ isActive }) => isActive)) {
    const service = serviceOf({ ledger: through(tenant.ledger), tenant: tenant.name })
    known.set(tenant.name, { ...tenant, agent: tenant.ledger.agent, service })
  }
  const find = (name: string) => (keys.seals(name) ? known.get(name) : undefined)
  return {
    find,
    walletFor: (caller) => {
      if (caller?.tenant === undefined) return { ledger, limits }
      const found = find(caller.tenant)
      if (found === undefined) throw new Failure('request/not-authorized', { scheme: 'Bearer' })
      return found
    },
  }
}

/** The embedded chain, once it is open. */
type Chain = { readonly request: (call: { method: string; params?: unknown }) => Promise<unknown> }

// The last of the well-known test accounts: its key is public, and its ether is worth nothing.
const giver = () => walletOf('0x2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6')

/** The ether of a new tenant on the embedded chain. */
const gift = parseEther('100')

/**
 * Gives play money of the embedded chain to the wallets that neither have nor ever spent any. A test
 * account pays, whose money may be used up: then the wallets wait for money from elsewhere.
 */
export async function givePlayMoney(chain: Chain, wallets: readonly Hex[]): Promise<void> {
  const read = async (method: string, address: Hex): Promise<bigint> =>
    BigInt((await chain.request({ method, params: [address, 'latest'] })) as Hex)
  for (const to of wallets) {
    const known = (await read('eth_getBalance', to)) + (await read('eth_getTransactionCount', to))
    const from = giver()
    const price = BigInt((await chain.request({ method: 'eth_gasPrice' })) as Hex) * 2n
    const cost = gift + price * gasOfTransfer
    if (known > 0n || (await read('eth_getBalance', from.address)) < cost) continue
    const raw = await from.signTransaction({
      type: 'eip1559',
      to,
      value: gift,
      gas: gasOfTransfer,
      maxFeePerGas: price,
      maxPriorityFeePerGas: 0n,
      chainId: await chainIdOf(chain),
      nonce: Number(await read('eth_getTransactionCount', from.address)),
    })
    await chain.request({ method: 'eth_sendRawTransaction', params: [raw] })
  }
}

const gasOfTransfer = 21_000n

const chainIdOf = async (chain: Chain): Promise<number> =>
  Number(await chain.request({ method: 'eth_chainId' }))
