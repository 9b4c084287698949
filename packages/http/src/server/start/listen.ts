import { once } from 'node:events'
import { createServer } from 'node:net'
import { Failure } from '@heirloom/core'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config/config.ts'

/**
 * Listens at the configured host and port, and returns the URL.
 *
 * @throws `config/invalid`
 */
export async function listen(
  server: FastifyInstance,
  { host, port }: Pick<Config, 'host' | 'port'>,
): Promise<string> {
  try {
    await server.listen({ host, port })
  } catch (cause) {
    throw listenFailure({ host, port }, cause as NodeJS.ErrnoException)
  }
  const address = server.server.address()
  const bound = typeof address === 'object' ? address?.port : undefined
  return `http://${host.includes(':') ? `[${host}]` : host}:${bound ?? port}`
}

/**
 * Refuses a port where this server cannot listen, before it makes an installation that no server uses.
 *
 * @throws `config/invalid`
 */
export async function requireFreePort({
  host,
  port,
}: Pick<Config, 'host' | 'port'>): Promise<void> {
  const probe = createServer().listen({ host, port })
  try {
    await once(probe, 'listening')
  } catch (cause) {
    throw listenFailure({ host, port }, cause as NodeJS.ErrnoException)
  }
  probe.close()
  await once(probe, 'close')
}

function listenFailure(
  { host, port }: Pick<Config, 'host' | 'port'>,
  cause: NodeJS.ErrnoException,
): Failure {
  const { code } = cause
  const isTaken = code === 'EADDRINUSE'
  const problem = isTaken
    ? `${port} at ${host} is in use by another program; stop that program or set another PORT`
    : `does not let the server listen at ${host}:${port} (${code})`
  const name = isTaken || code === 'EACCES' ? 'PORT' : 'HOST'
  return new Failure('config/invalid', { name, problem }, { cause })
}
