import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { sqlCatalogue } from '@heirloom/adapters/catalogue'
import { systemClock } from '@heirloom/adapters/clock'
import { type Account, account, isFailure, memoryService } from '@heirloom/core'
import { memoryBlobStore, memoryChain, memoryCipher, memoryRatings } from '@heirloom/testkit'
import { app } from '../../packages/http/src/server/app.ts'
import { integrityCheck } from '../../packages/http/src/server/health/integrity.ts'
import { readPage } from '../../packages/http/src/server/read-page.ts'
import { serveRequests } from './child.ts'
import { largeMarket } from './large-market.ts'

/** What to open. */
type Opening = {
  /** The folder of its catalogue. */
  readonly folder: string
  readonly tokens: number
  readonly family?: number
  /** The folder of a built page, whose market asks again what a busy machine did not read in time. */
  readonly page?: string
}

/** A request to open a server of a large market, or to report its load since the last report. */
export type MarketRequest = ({ readonly kind: 'open' } & Opening) | { readonly kind: 'busy' }

/**
 * The address; or the CPU time of all threads, that of the event loop's thread, and its longest
 * delay, in milliseconds.
 */
export type MarketResponse =
  | { readonly url: string }
  | { readonly processor: number; readonly loop: number; readonly longest: number }

/** The contracts of a chain without contracts. */
const deploymentAt = (address: Account) => ({
  registry: address,
  marketplace: address,
  forwarder: address,
  depositCode: address,
})

// The routes of the real server over a real catalogue, with a synthetic chain and synthetic cards.

const delay = monitorEventLoopDelay({ resolution: 1 })
let since = { loop: process.threadCpuUsage(), processor: process.cpuUsage() }

async function open({ folder, tokens, family, page }: Opening): Promise<MarketResponse> {
  const market = largeMarket(tokens, family)
  const opened = await sqlCatalogue({ ...market, db: join(folder, 'catalogue.sqlite') })
  await opened.caughtUp()
  const catalogue = page === undefined ? opened : patient(opened)
  const clock = systemClock()
  const agent = account('0x0000000000000000000000000000000000000001')
  const ledger = memoryChain({ clock }).ledger(agent)
  const blobStore = memoryBlobStore()
  const service = memoryService({ ledger, blobStore, clock, cipher: memoryCipher() })
  const server = app({
    service,
    browsing: {
      catalogue,
      clock,
      integrity: integrityCheck({ ...service, stored: { get: blobStore.get } }),
    },
    rating: { ledger, clock, ratings: memoryRatings(), catchUp: async () => undefined },
    config: { host: '127.0.0.1', apiKeys: [], bodyLimit: 1 << 20 },
    deployment: { chainId: 1, agent, ...deploymentAt(agent) },
    readiness: { chain: async () => undefined, storage: async () => undefined },
    page: page === undefined ? undefined : readPage([page]),
  })
  delay.enable()
  return { url: await server.listen({ port: 0 }) }
}

/** How often a read is made again: a query that is too costly on a free machine is refused each time. */
const retries = 20

const isRefusal = (error: unknown) =>
  isFailure(error, 'catalogue/too-costly') || isFailure(error, 'catalogue/busy')

/**
 * Returns a catalogue that repeats a read which was refused as too costly or because too many wait:
 * both take longer on a busy machine, whose cores and caches a query shares.
 */
function patient<Catalogue extends object>(catalogue: Catalogue): Catalogue {
  const repeated =
    (call: (...input: readonly unknown[]) => unknown, left = retries) =>
    (...input: readonly unknown[]): unknown => {
      const result = call(...input)
      if (!(result instanceof Promise)) return result
      return result.catch((error) => {
        if (left === 0 || !isRefusal(error)) throw error
        return repeated(call, left - 1)(...input)
      })
    }
  return Object.fromEntries(
    Object.entries(catalogue).map(([name, member]) => [
      name,
      typeof member === 'function' ? repeated(member) : member,
    ]),
  ) as Catalogue
}

function busy(): MarketResponse {
  const { user, system } = process.cpuUsage(since.processor)
  const loop = process.threadCpuUsage(since.loop)
  const longest = delay.max / 1e6
  delay.reset()
  since = { loop: process.threadCpuUsage(), processor: process.cpuUsage() }
  return { processor: (user + system) / 1000, loop: (loop.user + loop.system) / 1000, longest }
}

serveRequests<MarketRequest>(async (request) => (request.kind === 'busy' ? busy() : open(request)))
