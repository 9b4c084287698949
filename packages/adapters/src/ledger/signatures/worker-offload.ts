import type { Worker } from '../../platform/worker.ts'

export declare namespace workerOffload {
  type Parts<Input, Output> = {
    /** Computes one output in this thread. */
    readonly local: (input: Input) => Promise<Output>
    /** Computes many outputs in another thread, in the order of the inputs. */
    readonly remote: Pick<Worker<readonly Input[], readonly Output[]>, 'ask' | 'ready'>
    /** Returns the time, in milliseconds; the clock of the process when absent. */
    readonly now?: () => number
  }
}

type Task<Input, Output> = { readonly input: Input } & PromiseWithResolvers<Output>

/** The most inputs that the worker has at the same time: enough to last until the next turn. */
const maxOffloaded = 16

/** The shortest time between two starts of the worker, in milliseconds: a start is expensive. */
const restartDelay = 60_000

/**
 * Returns a function that shares its work between this thread and a worker. An input that waits
 * alone is computed here. While several wait, each turn of the event loop sends a batch to the
 * worker in one message and computes one input here, so that a burst uses two processors. If the
 * worker dies, its inputs are computed here.
 */
export function workerOffload<Input, Output>({
  local,
  remote,
  now = () => performance.now(),
}: workerOffload.Parts<Input, Output>): (input: Input) => Promise<Output> {
  const waiting: Task<Input, Output>[] = []
  const isReady = startedWhenNeeded(remote, now)
  let offloaded = 0
  const offload = async (tasks: readonly Task<Input, Output>[]) => {
    offloaded += tasks.length
    try {
      const outputs = await remote.ask(tasks.map(({ input }) => input))
      tasks.forEach(({ resolve }, index) => {
        resolve(outputs[index] as Output)
      })
    } catch {
      add(tasks)
    } finally {
      offloaded -= tasks.length
    }
  }
  const add = (tasks: readonly Task<Input, Output>[]) => {
    if (waiting.push(...tasks) === tasks.length) setImmediate(turn)
  }
  const turn = () => {
    if (waiting.length > 1 && offloaded <= maxOffloaded / 2 && isReady()) {
      offload(waiting.splice(0, maxOffloaded - offloaded))
    }
    const next = waiting.shift()
    if (next !== undefined) local(next.input).then(next.resolve, next.reject)
    if (waiting.length > 0) setImmediate(turn)
  }
  return (input) => {
    const task = { input, ...Promise.withResolvers<Output>() }
    add([task])
    return task.promise
  }
}

type Remote = Pick<Worker<readonly never[], unknown>, 'ask' | 'ready'>

/** Returns a function that returns whether the worker is ready, and starts it if it is not. */
function startedWhenNeeded(remote: Remote, now: () => number): () => boolean {
  let startedAt = Number.NEGATIVE_INFINITY
  return () => {
    if (remote.ready()) return true
    if (now() - startedAt >= restartDelay) {
      startedAt = now()
      // If the worker does not start, this thread computes everything.
      remote.ask([]).catch(() => undefined)
    }
    return false
  }
}
