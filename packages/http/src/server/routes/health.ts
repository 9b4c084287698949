import { setTimeout as pause } from 'node:timers/promises'
import type { NodeStatus } from '@heirloom/adapters/internal/nodes'
import { memoize } from '@heirloom/adapters/internal/platform'
import { Failure, type FailureCode } from '@heirloom/core'
import type { FastifyBaseLogger, FastifyPluginAsync } from 'fastify'
import { problemOf } from '../../api/problem.ts'
import { type Handler, serveOperation } from '../operations/serve-operation.ts'
import { sendProblem, unexpected } from '../plugins/failure-reply.ts'

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

/** `GET /livez` and `GET /readyz` */
export const healthRoute =
  (readiness: Readiness, nodes?: NodeList): FastifyPluginAsync =>
  async (app) => {
    const config = { isUntraced: true }
    const downLately = new Map<string, FailureCode>()
    // A part that is silent for a while is asked once, not again by everyone who asks meanwhile.
    const parts = Object.entries(readiness).map(
      ([component, run]): Part => ({ component, run: memoize(run, { resultFor: 0 }) }),
    )
    serveOperation(app, 'livez', async () => ({ status: 'ok' as const }), { config })

    const ready: Handler<'readyz'> = async (request, reply) => {
      const checked = await Promise.all(parts.map(check))
      const components = Object.fromEntries(checked.map(stateOf)) as Components
      const down = checked.filter(isDown)
      logChanges(request.log, checked, downLately)
      const [first] = down
      const known = nodes === undefined ? {} : { nodes: nodes().map(shownNode) }
      if (first === undefined) return { status: 'ok' as const, components, ...known }
      const problem = problemOf(first.failure, { status: 503, retryable: true })
      const { component } = first
      return sendProblem(reply, { ...problem, component, components, ...known })
    }
    serveOperation(app, 'readyz', ready, { config })
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
      logDown(log, component, failure)
    }
  }
}

function logDown(log: FastifyBaseLogger, component: string, failure: Failure): void {
  // A chain that is being opened, as at each start: nothing failed to answer.
  const isOpening = failure.code === 'ledger/unavailable' && failure.cause === undefined
  if (isOpening) log.info({ component }, 'not ready yet')
  else log.warn({ err: failure, component }, 'not ready')
}

/** Returns what is known of a node, without what is not. */
const shownNode = ({ place, state, height, lag }: NodeStatus) => ({
  place,
  state,
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
