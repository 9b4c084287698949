import { join } from 'node:path'
import { heliaBlobStore } from '@heirloom/adapters/blob-store'
import { openDataFolder } from '@heirloom/adapters/data-folder'
import { chainState, viemLedger } from '@heirloom/adapters/ledger'
import { account, type BlobStore, Failure } from '@heirloom/core'
import { app } from './app.ts'
import { type OpenChain, openChain } from './chain-source.ts'
import type { Config } from './config.ts'
import { compose, get, tokens } from './container.ts'
import type { Readiness } from './routes/health.ts'
import { secretsOf } from './secrets.ts'

/** A server that answers at `url` until it is closed. */
export type Server = {
  readonly url: string
  /** Stops accepting, ends what was accepted, then lets go of the chain, the blobs and the folder. */
  readonly close: () => Promise<void>
}

/**
 * Starts the server that a configuration describes.
 *
 * @throws `config/invalid`, `folder/in-use`, `folder/unusable`, `journal/diverged`,
 * `ledger/unavailable`, and what deploying may fail with
 */
export async function serve(config: Config): Promise<Server> {
  const opened = new AsyncDisposableStack()
  try {
    const server = await start(config, opened)
    const url = await listen(server, config)
    // Disposal runs backwards: the server first, for the requests under way need all the rest.
    opened.defer(() => server.close())
    return { url, close: () => opened.disposeAsync() }
  } catch (error) {
    await opened.disposeAsync()
    throw error
  }
}

async function start(
  config: Config,
  opened: AsyncDisposableStack,
): Promise<ReturnType<typeof app>> {
  const folder = openDataFolder(config.dataDir)
  opened.defer(() => folder.close())
  const { wallet, masterKeys } = secretsOf(config, folder)
  const chain = await openChain(config, { wallet, folder: folder.path })
  opened.defer(() => chain.close())
  const blobStore = await heliaBlobStore({
    folder: join(folder.path, 'blobs'),
    ...(config.network && { network: config.network }),
  })
  opened.defer(() => blobStore.close())

  const { source, contracts, chainId, rpc } = chain
  const ledger = await viemLedger({ chain: source, wallet, contracts })
  const box = compose({ blobStore, ledger, masterKeys })
  return app({
    service: get(box, tokens.service),
    config,
    deployment: {
      chainId,
      registry: account(contracts.registry),
      marketplace: account(contracts.marketplace),
      agent: ledger.agent,
    },
    readiness: readinessOf(chain, blobStore),
    rpc,
    logger: { level: config.logLevel, stream: process.stderr },
  })
}

const probe = new TextEncoder().encode('heirloom')

function readinessOf({ source }: OpenChain, blobStore: BlobStore): Readiness {
  return {
    chain: () => chainState(source),
    storage: async () => blobStore.get(await blobStore.put(probe)),
  }
}

async function listen(server: ReturnType<typeof app>, { host, port }: Config): Promise<string> {
  try {
    await server.listen({ host, port })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const problem = `does not let the server listen at ${host}:${port} (${code})`
    const name = code === 'EADDRINUSE' || code === 'EACCES' ? 'PORT' : 'HOST'
    throw new Failure('config/invalid', { name, problem }, { cause })
  }
  const address = server.server.address()
  const bound = typeof address === 'object' ? address?.port : undefined
  return `http://${host.includes(':') ? `[${host}]` : host}:${bound ?? port}`
}
