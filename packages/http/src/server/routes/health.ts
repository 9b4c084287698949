import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Failure, type FailureCode, isFailure } from '@heirloom/core'
import { Type } from '@sinclair/typebox'
import { sendProblem } from '../plugins/failure-reply.ts'
import { problemOf } from '../../api/problem.ts'
import { anyRequest, problemResponses } from '../../api/schemas.ts'

/** The parts without which no call can be served; each answers when it is up and throws if not. */
export type Readiness = {
  readonly chain: () => Promise<unknown>
  readonly storage: () => Promise<unknown>
  readonly store?: () => Promise<unknown>
  readonly disk?: () => Promise<unknown>
  readonly catalogue?: () => Promise<unknown>
  readonly keys?: () => Promise<unknown>
}

const ok = Type.Literal('ok', { examples: ['ok'] })

const Health = Type.Object({ status: ok }, { description: 'It does.' })

const component = (description: string) => Type.String({ description, examples: ['ok'] })

const Ready = Type.Object(
  {
    status: ok,
    components: Type.Object({
      chain: component('The node, or the chain in this process.'),
      storage: component('The blobs.'),
      store: Type.Optional(component('The jobs.')),
      disk: Type.Optional(component('The disk of the data folder.')),
      catalogue: Type.Optional(component('The catalogue.')),
      keys: Type.Optional(component('The keys that the memories stored here are sealed under.')),
    }),
  },
  { description: 'Every part answers.' },
)

const live = {
  operationId: 'livez',
  tags: ['server'],
  summary: 'Tell whether the process runs',
  response: { 200: Health, ...problemResponses(anyRequest) },
}

const ready = {
  operationId: 'readyz',
  tags: ['server'],
  summary: 'Tell whether every part of the server answers',
  description:
    'Answers 503 with the failure of the first part that is down, `component`, its name, and `components`: each part, and `ok` or the code of its failure. At a start the embedded chain is down until it has mined its history again.',
  response: { 200: Ready, ...problemResponses([...anyRequest, 'ledger/unavailable', 'keys/not-here']) },
}

/** `GET /livez` and `GET /readyz` */
export const healthRoute =
  (readiness: Readiness): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/livez', { schema: live }, async () => ({ status: 'ok' as const }))

    app.get('/readyz', { schema: ready }, async (request, reply) => {
      const seen = await Promise.all(Object.entries(readiness).map(look))
      const components = Object.fromEntries(seen.map(stateOf)) as Components
      const down = seen.filter(isDown)
      for (const { component, failure } of down) {
        request.log.warn({ err: failure, component }, 'not ready')
      }
      const [first] = down
      if (first === undefined) return { status: 'ok' as const, components }
      const problem = problemOf(first.failure, { status: 503, retryable: true })
      const { component } = first
      return sendProblem(reply, { ...problem, component, components }) as never
    })
  }

type Components = Readonly<Record<keyof Readiness, 'ok' | FailureCode>>
type Seen = { readonly component: string; readonly failure: Failure | undefined }

const stateOf = ({ component, failure }: Seen) => [component, failure?.code ?? 'ok'] as const

const isDown = (seen: Seen): seen is Seen & { readonly failure: Failure } =>
  seen.failure !== undefined

async function look([component, check]: [string, () => Promise<unknown>]): Promise<Seen> {
  try {
    await check()
    return { component, failure: undefined }
  } catch (cause) {
    const failure = isFailure(cause) ? cause : new Failure('service/unexpected', {}, { cause })
    return { component, failure }
  }
}
