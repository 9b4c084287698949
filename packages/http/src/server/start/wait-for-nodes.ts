import { setTimeout as rest } from 'node:timers/promises'
import { Failure, isFailure } from '@heirloom/core'
import fastify, { type FastifyInstance, LogController } from 'fastify'
import { problemOf } from '../../api/problem.ts'
import type { Config } from '../../config/config.ts'
import { logging } from '../../observability/logging.ts'
import { listen } from './listen.ts'

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
  /** Gives notice, drains the server, then closes the chain, the blob store and the data folder. */
  readonly close: () => Promise<void>
}

export declare namespace waitForNodes {
  type Input = {
    readonly config: Pick<Config, 'host' | 'port' | 'logLevel'>
    /** Why the first start failed. */
    readonly failure: Failure
    /** The longest wait, in milliseconds. */
    readonly patience: number
    /** Returns whether a node answers. */
    readonly isReachable: () => Promise<boolean>
    /** Starts the server at a port, and calls back just before it listens there. */
    readonly start: (port: number, beforeListen: () => Promise<void>) => Promise<Server>
    /** The pause between two attempts, in milliseconds. */
    readonly pause?: number
  }
}

/**
 * Listens for a server whose chain does not answer: `/livez` is fine, all else is unavailable. Starts
 * the server in its place as soon as the chain answers; `ready` rejects when that takes too long, or
 * the start fails for another reason.
 *
 * @throws `config/invalid`
 */
export async function waitForNodes(input: waitForNodes.Input): Promise<Server> {
  const room = await openRoom(input.config)
  room.log.warn({ err: input.failure }, 'no node of RPC_URL can be used; the start waits for one')
  const stopped = new AbortController()
  const open: Opening = { room, server: undefined }
  const ready = startWhenPossible(input, open, stopped.signal)
  // The caller may not wait for it.
  ready.catch(() => undefined)
  return {
    url: room.url,
    ready,
    close: async () => {
      stopped.abort()
      await ready.catch(() => undefined)
      await open.room?.close()
      await open.server?.close()
    },
  }
}

type Room = Pick<FastifyInstance, 'log'> & {
  readonly url: string
  readonly port: number
  readonly close: () => Promise<void>
}

/** The server that listens at the moment. */
type Opening = { room: Room | undefined; server: Server | undefined }

async function startWhenPossible(
  input: waitForNodes.Input,
  open: Opening,
  stopped: AbortSignal,
): Promise<void> {
  const { failure, patience, pause = 2000 } = input
  const began = performance.now()
  const { port = 0 } = open.room ?? {}
  while (!stopped.aborted) {
    if (performance.now() - began >= patience) throw failure
    await rest(pause, undefined, { signal: stopped }).catch(() => undefined)
    if (!stopped.aborted && (await tryToStart(input, open, port))) return
  }
}

/** Starts the server if a node answers, and returns whether it did; else the room stays open. */
async function tryToStart(
  { config, isReachable, start }: waitForNodes.Input,
  open: Opening,
  port: number,
): Promise<boolean> {
  if (!(await isReachable())) return false
  try {
    open.server = await start(port, async () => {
      await open.room?.close()
      open.room = undefined
    })
    await open.server.ready
    return true
  } catch (error) {
    if (!isFailure(error, 'ledger/unavailable')) throw error
    open.room ??= await openRoom({ ...config, port })
    return false
  }
}

async function openRoom({ logLevel, ...address }: waitForNodes.Input['config']): Promise<Room> {
  const log = { level: logLevel, stream: process.stderr }
  const logController = new LogController({ disableRequestLogging: true })
  const server = fastify({ logger: logging(log), logController })
  const failure = new Failure('ledger/unavailable', { operation: 'eth_chainId' })
  const components = { chain: failure.code }
  server.get('/livez', async () => ({ status: 'ok' }))
  server.setNotFoundHandler((_request, reply) =>
    reply
      .code(503)
      .headers({ 'content-type': 'application/problem+json', 'retry-after': '5' })
      .send({ ...problemOf(failure), component: 'chain', components }),
  )
  const url = await listen(server, address)
  return { url, port: Number(new URL(url).port), log: server.log, close: () => server.close() }
}
