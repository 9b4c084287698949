import type { FastifyPluginAsync } from 'fastify'
import { readAgentText } from '../read-agent-text.ts'

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
