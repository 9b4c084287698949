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
    const { code } = cause as NodeJS.ErrnoException
    const problem = `does not let the server listen at ${host}:${port} (${code})`
    const name = code === 'EADDRINUSE' || code === 'EACCES' ? 'PORT' : 'HOST'
    throw new Failure('config/invalid', { name, problem }, { cause })
  }
  const address = server.server.address()
  const bound = typeof address === 'object' ? address?.port : undefined
  return `http://${host.includes(':') ? `[${host}]` : host}:${bound ?? port}`
}
