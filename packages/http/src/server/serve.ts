import { nodePool } from '@heirloom/adapters/internal/nodes'
import { chainState } from '@heirloom/adapters/ledger'
import { isFailure } from '@heirloom/core'
import type { Config } from '../config/config.ts'
import { warnOfUnboundedSpending, warnOfUnservedKeys } from './api-keys/open-api-keys.ts'
import { warnOfOlderJobs } from './compare-jobs.ts'
import { stopNotice } from './health/readiness.ts'
import { openChain, warnOfLongChain } from './open-chain.ts'
import { listen, requireFreePort } from './start/listen.ts'
import { startServer } from './start/start-server.ts'
import { type Server, waitForNodes } from './start/wait-for-nodes.ts'

/**
 * Starts the server of a configuration. While no node of its chain answers it listens, says so, and
 * starts once one does.
 *
 * @throws `config/invalid`, `folder/in-use`, `folder/unusable`, and `ledger/unavailable` where the
 * start may not wait
 */
export async function serve(config: Config, open = openChain): Promise<Server> {
  const { chain } = config
  await requireFreePort(config)
  try {
    return await start(config, open)
  } catch (error) {
    const waits = chain.kind === 'remote' && chain.patience > 0
    if (!waits || !isFailure(error, 'ledger/unavailable')) throw error
    const startAt = (port: number, beforeListen: () => Promise<void>) =>
      start({ ...config, port }, open, beforeListen)
    const isReachable = () => answers(chain.urls)
    const waiting = { config, failure: error, patience: chain.patience, isReachable }
    return waitForNodes({ ...waiting, start: startAt })
  }
}

async function answers(urls: readonly URL[]): Promise<boolean> {
  const nodes = nodePool(urls)
  return chainState(nodes)
    .then(() => true)
    .catch(() => false)
    .finally(nodes.close)
}

async function start(
  config: Config,
  open: typeof openChain,
  beforeListen = async () => {},
): Promise<Server> {
  const resources = new AsyncDisposableStack()
  try {
    const notice = stopNotice(config.stopDelay)
    const started = await startServer({ config, open, notice }, resources)
    const { server, chain, apiKeys, tenants, unknownTransactions } = started
    await beforeListen()
    const url = await listen(server, config)
    warnOfUnboundedSpending(server.log, { ...config, tenants }, apiKeys)
    warnOfUnservedKeys(server.log, tenants, apiKeys)
    // `ready` reports a chain that does not open.
    warnOfLongChain(server.log, chain).catch(() => undefined)
    warnOfOlderJobs(server.log, chain.ready, unknownTransactions).catch(() => undefined)
    // Disposal runs backwards. Requests that wait for the chain are refused first, then the server
    // ends the others, which need the parts that close after it.
    resources.defer(() => server.close())
    resources.defer(chain.giveUp)
    const close = async () => {
      await notice.give()
      await resources.disposeAsync()
    }
    return { url, ready: chain.ready, close }
  } catch (error) {
    await resources.disposeAsync()
    throw error
  }
}
