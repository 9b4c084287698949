import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyPluginAsync } from 'fastify'
import { packageFolder } from '../../package-folder.ts'

const texts = [
  ['llms.txt', 'text/plain; charset=utf-8'],
  ['start-here.md', 'text/markdown; charset=utf-8'],
] as const

const schema = { hide: true }

/** `GET /llms.txt` (llmstxt.org) and `GET /start-here.md`, the introductions for agents. */
export const agentsRoute: FastifyPluginAsync = async (app) => {
  for (const [name, type] of texts) {
    app.get(`/${name}`, { schema }, async (_, reply) => {
      reply.type(type).header('cache-control', 'no-cache')
      return reply.send(await readAgentText(name))
    })
  }
}

const folder = join(packageFolder, 'agents')

/** Returns the bytes of a text for agents that ships with this package. */
const readAgentText = (name: string): Promise<Buffer> => readFile(join(folder, name))
