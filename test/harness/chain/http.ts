import {
  account,
  isFailure,
  listableTerms,
  type MemoryService,
  nobody,
  rentalDays,
} from '@heirloom/core'
import { app } from '@heirloom/http'
import { serviceOverHttp } from '../../../packages/http/test/service-over-http.ts'
import { openEmbeddedHarness } from './embedded.ts'
import type { OpenHarness } from './evm.ts'

/** Opens the embedded harness with an HTTP server in front of each party's service. */
export async function openHttpHarness(): Promise<OpenHarness> {
  const harness = await openEmbeddedHarness()
  const servers = harness.services.map((service, index) =>
    app({
      service,
      config: { host: '127.0.0.1', apiKeys: [], bodyLimit: 2 ** 20 },
      deployment: {
        chainId: 31337,
        registry: nobody,
        marketplace: nobody,
        agent: harness.parties[index]?.ledger.agent ?? account(nobody),
      },
      readiness: { chain: async () => undefined, storage: async () => undefined },
    }),
  )
  const close = async () => {
    for (const server of servers) await server.close()
    await harness.close()
  }
  return {
    ...harness,
    services: servers.map((server) => withCoreFailures(serviceOverHttp(server))),
    close,
  }
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
