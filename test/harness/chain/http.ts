import { sqliteJobStore } from '@heirloom/adapters/job-store'
import {
  account,
  isFailure,
  listableTerms,
  type MemoryService,
  nobody,
  type Registry,
  rentalDays,
} from '@heirloom/core'
import { app } from '@heirloom/http'
import type { FastifyInstance } from 'fastify'
import { sealingOver } from '../../../packages/http/test/sealing-over.ts'
import { serviceOverHttp } from '../../../packages/http/test/service-over-http.ts'
import { openEmbeddedHarness } from './embedded.ts'
import type { OpenHarness } from './evm.ts'

/** A harness with an HTTP server in front of each party's service. */
export type HttpHarness = OpenHarness & { readonly servers: readonly FastifyInstance[] }

/** Opens the embedded harness with an HTTP server in front of each party's service. */
export async function openHttpHarness(): Promise<HttpHarness> {
  const harness = await openEmbeddedHarness()
  const store = await sqliteJobStore(':memory:')
  const clock = { now: harness.now }
  const servers = harness.services.map((service, index) =>
    app({
      service,
      sealing: sealingOver(store, { service, clock, registry: registryOf(harness) }),
      config: { host: '127.0.0.1', apiKeys: [], bodyLimit: 2 ** 20 },
      deployment: {
        chainId: 31337,
        registry: account(harness.contracts.registry),
        marketplace: account(harness.contracts.marketplace),
        ...{ forwarder: nobody, depositCode: nobody },
        agent: harness.parties[index]?.ledger.agent ?? account(nobody),
      },
      readiness: { chain: async () => undefined, storage: async () => undefined },
    }),
  )
  const close = async () => {
    for (const server of servers) await server.close()
    await store.close()
    await harness.close()
  }
  return {
    ...{ ...harness, servers },
    services: servers.map((server, index) => {
      const service = harness.services[index]
      const seals = service && { ...service, now: harness.now }
      return withCoreFailures(serviceOverHttp(server, seals))
    }),
    close,
  }
}

function registryOf({ contracts }: OpenHarness): Registry {
  return { chainId: 31337, address: account(contracts.registry) }
}

/**
 * Replaces `request/malformed` by the failure that the core would throw for the same input, since the
 * model expects one code for one mistake.
 */
function withCoreFailures(service: MemoryService): MemoryService {
  return {
    ...service,
    list: (input) => service.list(input).catch(translated(() => listableTerms(input))),
    rent: (input) => service.rent(input).catch(translated(() => rentalDays(input.days))),
  }
}

function translated(check: () => unknown): (error: unknown) => never {
  return (error) => {
    if (isFailure(error, 'request/malformed')) check()
    throw error
  }
}
