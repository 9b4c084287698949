import type { Config } from '../config/config.ts'
import { warnOfUnboundedSpending } from './api-keys/log-api-keys.ts'
import { warnOfOlderJobs } from './compare-jobs.ts'
import { openChain, warnOfLongChain } from './open-chain.ts'
import { listen } from './start/listen.ts'
import { startServer } from './start/start-server.ts'

/** A server that listens at `url` until it is closed. */
export type Server = {
  readonly url: string
  /**
   * Resolves once every part is ready. Until then the embedded chain replays its journal: requests
   * that the catalogue can answer are answered, and those that need the chain wait.
   *
   * @throws `config/invalid`, `folder/unusable`, `journal/diverged`, and the failures of a deployment
   */
  readonly ready: Promise<void>
  /** Drains the server, then closes the chain, the blob store and the data folder. */
  readonly close: () => Promise<void>
}

/**
 * Starts the server of a configuration.
 *
 * @throws `config/invalid`, `folder/in-use`, `folder/unusable`, `ledger/unavailable`
 */
export async function serve(config: Config, open = openChain): Promise<Server> {
  const resources = new AsyncDisposableStack()
  try {
    const started = await startServer({ config, open }, resources)
    const { server, chain, apiKeys, unknownTransactions } = started
    const url = await listen(server, config)
    warnOfUnboundedSpending(server.log, config, apiKeys)
    // `ready` reports a chain that does not open.
    warnOfLongChain(server.log, chain).catch(() => undefined)
    warnOfOlderJobs(server.log, chain.ready, unknownTransactions).catch(() => undefined)
    // Disposal runs backwards. Requests that wait for the chain are refused first, then the server
    // ends the others, which need the parts that close after it.
    resources.defer(() => server.close())
    resources.defer(chain.giveUp)
    return { url, ready: chain.ready, close: () => resources.disposeAsync() }
  } catch (error) {
    await resources.disposeAsync()
    throw error
  }
}
