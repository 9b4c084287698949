import type { OpenedTenant } from '@heirloom/adapters/keys'
import type { ViemLedger } from '@heirloom/adapters/ledger'
import { walletOf } from '@heirloom/adapters/wallet'
import { type Account, Failure, type MemoryService, type Wei, wei } from '@heirloom/core'
import { bytesToHex, type LocalAccount } from 'viem'
import type { ApiKey } from '../api-keys/key-ring.ts'
import { guardAcquisitions } from '../request/guard-acquisitions.ts'

/** The wallet of a tenant, or of the server itself, and the service that it pays. */
export type Acting = { readonly agent: Account; readonly service: MemoryService }

/** The tenants that a server acts for. */
export type Tenants = {
  /** Finds a tenant; `undefined` when it is unknown, or its keys were destroyed. */
  readonly find: (name: string) => Acting | undefined
}

/** Returns the service that acts for an API key, or for a request without one. */
export type ServiceFor<verb extends keyof MemoryService = keyof MemoryService> = (
  caller: ApiKey | undefined,
) => Pick<MemoryService, verb>

type Parts = {
  readonly service: MemoryService
  readonly deployment: { readonly agent: Account }
  readonly tenants?: Tenants | undefined
  /** Without it copies, and prices that were just raised, are not refused. */
  readonly browsing?: Omit<guardAcquisitions.Parts, 'agent'> | undefined
}

/** Returns which service and which wallet act for a request: those of its tenant, and no others. */
export function servicesOf({ service, deployment: { agent }, tenants, browsing }: Parts): {
  readonly serviceFor: (caller: ApiKey | undefined) => MemoryService
  readonly agentFor: (caller: ApiKey | undefined) => Account
} {
  const guarded = (acting: Acting): MemoryService =>
    browsing === undefined
      ? acting.service
      : guardAcquisitions(acting.service, { ...browsing, agent: acting.agent })
  const own = { agent, service: guarded({ agent, service }) }
  const ofTenants = new WeakMap<Acting, Acting>()
  const actingFor = (caller: ApiKey | undefined): Acting => {
    if (caller?.tenant === undefined) return own
    const found = tenants?.find(caller.tenant)
    // It may have been closed since its key was looked up.
    if (found === undefined) throw new Failure('request/not-authorized', { scheme: 'Bearer' })
    const acting = ofTenants.get(found) ?? { ...found, service: guarded(found) }
    ofTenants.set(found, acting)
    return acting
  }
  return {
    serviceFor: (caller) => actingFor(caller).service,
    agentFor: (caller) => actingFor(caller).agent,
  }
}

/** The most that a wallet spends, in wei; an absent limit does not bound. */
export type Limits = { readonly perCall: Wei | undefined; readonly perDay: Wei | undefined }

/** A tenant of a running server: its wallet, and the limits of what it spends. */
export type Tenant = {
  readonly name: string
  /** False while its removal is not complete: it begins nothing new, and ends what it began. */
  readonly isActive: boolean
  readonly wallet: LocalAccount
  readonly limits: Limits
}

/** A tenant, and the ledger on which its wallet acts. */
export type TenantLedger = Omit<Tenant, 'wallet'> & { readonly ledger: ViemLedger }

/** Returns the wallets of tenants; a limit that a tenant lacks is that of the server. */
export const tenantWallets = (
  tenants: readonly OpenedTenant[],
  { limits }: { readonly limits: Limits },
): readonly Tenant[] =>
  tenants.map(({ facts: { name, state, perCall, perDay }, walletKey }) => ({
    name,
    isActive: state === 'active',
    wallet: walletOf(bytesToHex(walletKey)),
    limits: {
      perCall: perCall === undefined ? limits.perCall : wei(perCall),
      perDay: perDay === undefined ? limits.perDay : wei(perDay),
    },
  }))
