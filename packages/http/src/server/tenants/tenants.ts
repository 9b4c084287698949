import { type Account, Failure, type MemoryService } from '@heirloom/core'
import type { ApiKey } from '../api-keys/api-key.ts'
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
