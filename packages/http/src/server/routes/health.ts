import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { NodeStatus } from '@heirloom/adapters/internal/nodes'
import { memoize } from '@heirloom/adapters/internal/platform'
import { Failure, type FailureCode } from '@heirloom/core'
import { Type } from '@sinclair/typebox'
import type { FastifyBaseLogger } from 'fastify'
import { problemOf } from '../../api/problem.ts'
import { anyRequest, problemResponses } from '../../api/problem-responses.ts'
import { sendProblem } from '../plugins/failure-reply.ts'
import { unexpected } from '../unexpected.ts'

/** A check for each part that the server needs; it throws while the part is down. */
export type Readiness = {
  readonly server?: () => Promise<unknown>
  readonly chain: () => Promise<unknown>
  readonly storage: () => Promise<unknown>
  readonly store?: () => Promise<unknown>
  readonly disk?: () => Promise<unknown>
  readonly catalogue?: () => Promise<unknown>
  readonly keys?: () => Promise<unknown>
  readonly memories?: () => Promise<unknown>
  readonly keyService?: () => Promise<unknown>
  readonly wallet?: () => Promise<unknown>
}

/** Returns what is known of the nodes of a remote chain. */
export type NodeList = () => readonly NodeStatus[]

const ok = Type.Literal('ok', { examples: ['ok'] })

const Health = Type.Object({ status: ok }, { description: 'The process runs.' })

const component = (description: string) => Type.String({ description, examples: ['ok'] })

const Node = Type.Object(
  {
    place: Type.Integer({ description: 'Its place in RPC_URL.', examples: [1] }),
    state: Type.Union(
      (['up', 'unknown', 'silent', 'behind', 'other-chain', 'other-fork'] as const).map((state) =>
        Type.Literal(state),
      ),
      { description: '`unknown` until its first check.', examples: ['up'] },
    ),
    height: Type.Optional(
      Type.Integer({ description: 'The newest block that it showed.', examples: [23_000_000] }),
    ),
    lag: Type.Optional(Type.Integer({ description: 'The blocks that it lacks.', examples: [0] })),
  },
  { title: 'Node' },
)

const Ready = Type.Object(
  {
    status: ok,
    components: Type.Object({
      server: Type.Optional(component('The server itself, which says when it is about to stop.')),
      chain: component('The node, or the chain in this process.'),
      storage: component('The blobs.'),
      store: Type.Optional(component('The jobs.')),
      disk: Type.Optional(component('The disk of the data folder.')),
      catalogue: Type.Optional(component('The catalogue.')),
      keys: Type.Optional(component('The keys that the memories stored here are sealed under.')),
      memories: Type.Optional(
        component('The memories of the agent wallet, where only this server stores them.'),
      ),
      keyService: Type.Optional(component('The service that signs for the agent wallet.')),
      wallet: Type.Optional(
        component('The agent wallet, on a chain elsewhere: no other program writes with it.'),
      ),
    }),
    nodes: Type.Optional(
      Type.Array(Node, { description: 'The nodes of the chain, unless it is the embedded one.' }),
    ),
  },
  { description: 'Every part answers.' },
)

const live = {
  operationId: 'livez',
  tags: ['server'],
  summary: 'Check whether the process runs',
  description: 'Looks at no part of the server; `/readyz` does.',
  response: { 200: Health, ...problemResponses(anyRequest) },
}

const ready = {
  operationId: 'readyz',
  tags: ['server'],
  summary: 'Check whether every part of the server answers',
  description:
    'Replies 503 with the failure of the first part that is down, its name as `component`, and `components`: each part with `ok` or the code of its failure. Each part has a second for its answer; one that takes longer is down with `service/part-silent`. After a start the embedded chain is down until it has replayed its journal.',
  response: {
    200: Ready,
    ...problemResponses([
      ...anyRequest,
      'catalogue/behind',
      'ledger/unavailable',
      'keys/not-here',
      'memories/lost',
      'key-service/unavailable',
      'store/unavailable',
      'wallet/shared',
      'service/part-silent',
    ]),
  },
}

/** `GET /livez` and `GET /readyz` */
export const healthRoute =
  (readiness: Readiness, nodes?: NodeList): FastifyPluginAsyncTypebox =>
  async (app) => {
    const config = { isUntraced: true }
    const downLately = new Map<string, FailureCode>()
    // A part that is silent for a while is asked once, not again by everyone who asks meanwhile.
    const parts = Object.entries(readiness).map(
      ([component, run]): Part => ({ component, run: memoize(run, { resultFor: 0 }) }),
    )
    app.get('/livez', { schema: live, config }, async () => ({ status: 'ok' as const }))

    app.get('/readyz', { schema: ready, config }, async (request, reply) => {
      const checked = await Promise.all(parts.map(check))
      const components = Object.fromEntries(checked.map(stateOf)) as Components
      const down = checked.filter(isDown)
      logChanges(request.log, checked, downLately)
      const [first] = down
      const known = nodes === undefined ? {} : { nodes: nodes().map(shownNode) }
      if (first === undefined) return { status: 'ok' as const, components, ...known }
      const problem = problemOf(first.failure, { status: 503, retryable: true })
      const { component } = first
      return sendProblem(reply, { ...problem, component, components, ...known }) as never
    })
  }

/** Logs what went down, or came back, since the last check: probes repeat it every few seconds. */
function logChanges(
  log: FastifyBaseLogger,
  checked: readonly Checked[],
  downLately: Map<string, FailureCode>,
): void {
  for (const { component, failure } of checked) {
    const before = downLately.get(component)
    if (failure?.code === before) continue
    if (failure === undefined) {
      downLately.delete(component)
      log.info({ component }, 'ready again')
    } else {
      downLately.set(component, failure.code)
      log.warn({ err: failure, component }, 'not ready')
    }
  }
}

/** Returns what is known of a node, without what is not. */
const shownNode = ({ place, state, height, lag }: NodeStatus) => ({
  ...{ place, state },
  ...(height !== undefined && { height }),
  ...(lag !== undefined && { lag }),
})

type Components = Readonly<Record<keyof Readiness, 'ok' | FailureCode>>
type Checked = { readonly component: string; readonly failure: Failure | undefined }

const stateOf = ({ component, failure }: Checked) => [component, failure?.code ?? 'ok'] as const

const isDown = (checked: Checked): checked is Checked & { readonly failure: Failure } =>
  checked.failure !== undefined

type Part = { readonly component: string; readonly run: () => Promise<unknown> }

async function check({ component, run }: Part): Promise<Checked> {
  const answered = new AbortController()
  try {
    await Promise.race([run(), rejectLate(component, answered.signal)])
    return { component, failure: undefined }
  } catch (cause) {
    return { component, failure: unexpected(cause) }
  } finally {
    answered.abort()
  }
}

/** The time that a part has for its answer, and the steps in which it is counted, in milliseconds. */
const [patience, step] = [1000, 100]

/** Rejects once a part was silent for a second. A process that was frozen meanwhile counts one step. */
async function rejectLate(part: string, answered: AbortSignal): Promise<never> {
  for (let waited = 0; waited < patience; waited += step) {
    await pause(step, undefined, { signal: answered })
  }
  throw new Failure('service/part-silent', { part })
}
