import { sqliteJobStore } from '@heirloom/adapters/job-store'
import {
  account,
  erase,
  isFailure,
  listableTerms,
  type MemoryService,
  nobody,
  type Registry,
  rentalDays,
  toSeconds,
} from '@heirloom/core'
import { app } from '@heirloom/http'
import { erasePartsOver } from '@heirloom/testkit'
import type { FastifyInstance } from 'fastify'
import { eraseText } from '../../../packages/http/src/api/signed-texts.ts'
import { sealingOver } from '../../../packages/http/test/sealing-over.ts'
import { acceptedReply, serviceOverHttp } from '../../../packages/http/test/service-over-http.ts'
import { openEmbeddedHarness } from './embedded.ts'
import type { OpenHarness } from './evm.ts'

/** A harness with an HTTP server in front of each party's service. */
export type HttpHarness = OpenHarness & { readonly servers: readonly FastifyInstance[] }

/** Opens the embedded harness with an HTTP server in front of each party's service. */
export async function openHttpHarness(): Promise<HttpHarness> {
  const harness = await openEmbeddedHarness()
  const store = await sqliteJobStore(':memory:')
  const clock = { now: harness.now }
  const erasing = erasePartsOver(harness, harness.stored)
  const servers = harness.services.map((service, index) =>
    app({
      service,
      names: harness.names,
      erasing: (input) => erase(erasing, input),
      sealing: sealingOver(store, { service, clock, registry: registryOf(harness) }),
      config: { host: '127.0.0.1', apiKeys: [], bodyLimit: 2 ** 20 },
      deployment: {
        chainId: 31337,
        registry: account(harness.contracts.registry),
        marketplace: account(harness.contracts.marketplace),
        forwarder: nobody,
        depositCode: nobody,
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
    ...harness,
    servers,
    services: servers.map((server, index) => {
      const service = harness.services[index]
      const seals = service && { ...service, now: harness.now }
      return withCoreFailures(serviceOverHttp(server, seals))
    }),
    erase: eraseOver(servers, harness),
    close,
  }
}

/** Returns a function that asks the first server over HTTP to erase a memory. */
function eraseOver(
  [server]: readonly FastifyInstance[],
  harness: OpenHarness,
): OpenHarness['erase'] {
  return async (owner, id, signer = owner) => {
    if (server === undefined) throw new Error('There is no server.')
    const { agent: claimant } = owner.ledger
    const timestamp = toSeconds(harness.now())
    const { chainId, address: registry } = registryOf(harness)
    const place = { host: 'localhost', chainId, registry }
    const message = eraseText(place, { tokenId: `${id}`, account: claimant, timestamp })
    const headers = {
      'x-wallet-address': claimant,
      'x-timestamp': `${timestamp}`,
      'x-signature': await signer.sign(message),
    }
    const url = `/api/memory/${id}/erase`
    await acceptedReply(server.inject({ method: 'POST', url, headers }))
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
