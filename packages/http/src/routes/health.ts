import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Failure, isFailure } from '@heirloom/core'
import { problemOf, sendProblem } from '../failure-reply.ts'
import { anyRequest, Health, problems } from '../schemas.ts'

/** The parts without which no call can be served; each answers when it is up and throws if not. */
export type Readiness = {
  readonly chain: () => Promise<unknown>
  readonly storage: () => Promise<unknown>
}

const live = {
  operationId: 'livez',
  tags: ['server'],
  summary: 'Tell whether the process runs',
  response: { 200: Health, ...problems(anyRequest) },
}

const ready = {
  operationId: 'readyz',
  tags: ['server'],
  summary: 'Tell whether the chain and the storage answer',
  description: 'Answers 503 with the failure of the part that is down, and `component`, its name.',
  response: { 200: Health, ...problems([...anyRequest, 'ledger/unavailable']) },
}

/** `GET /livez` and `GET /readyz` */
export const healthRoute =
  (readiness: Readiness): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/livez', { schema: live }, async () => ({ status: 'ok' as const }))

    app.get('/readyz', { schema: ready }, async (request, reply) => {
      const down = (await Promise.all(Object.entries(readiness).map(look))).find((it) => it)
      if (down === undefined) return { status: 'ok' as const }
      request.log.warn({ err: down.failure, component: down.component }, 'not ready')
      const problem = problemOf(down.failure, { status: 503, retryable: true })
      return sendProblem(reply, { ...problem, component: down.component }) as never
    })
  }

async function look([component, check]: [string, () => Promise<unknown>]) {
  try {
    await check()
    return undefined
  } catch (error) {
    const cause = { cause: error }
    return {
      component,
      failure: isFailure(error) ? error : new Failure('service/unexpected', {}, cause),
    }
  }
}
