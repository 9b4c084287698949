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
import { embeddedWorld } from './embedded.ts'
import type { OpenWorld } from './evm.ts'

/** Opens the embedded world with an HTTP server in front of each party's service. */
export async function httpWorld(): Promise<OpenWorld> {
  const world = await embeddedWorld()
  const servers = world.services.map((service, index) =>
    app({
      service,
      config: { host: '127.0.0.1', apiKeys: [], bodyLimit: 2 ** 20 },
      deployment: {
        chainId: 31337,
        registry: nobody,
        marketplace: nobody,
        agent: world.parties[index]?.ledger.agent ?? account(nobody),
      },
      readiness: { chain: async () => undefined, storage: async () => undefined },
    }),
  )
  const close = async () => {
    for (const server of servers) await server.close()
    await world.close()
  }
  return {
    ...world,
    services: servers.map((server) => namedAsCore(serviceOverHttp(server))),
    close,
  }
}

/**
 * Names what the door of HTTP refuses as malformed the way the core, which never sees it, would:
 * the model knows one code for one mistake.
 */
function namedAsCore(service: MemoryService): MemoryService {
  return {
    ...service,
    list: (input) => service.list(input).catch(renamed(() => listableTerms(input))),
    rent: (input) => service.rent(input).catch(renamed(() => rentalDays(input.days))),
  }
}

function renamed(check: () => unknown): (error: unknown) => never {
  return (error) => {
    if (isFailure(error, 'request/malformed')) check()
    throw error
  }
}
