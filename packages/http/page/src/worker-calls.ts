/** The functions that a worker offers, by name; each takes at most one structured value and returns one. */
export type Handlers = { readonly [name: string]: (...input: never[]) => unknown }

/** The functions of a worker as its page calls them. */
export type Calls<T extends Handlers> = {
  readonly [name in keyof T]: (
    ...input: Parameters<T[name]>
  ) => Promise<Awaited<ReturnType<T[name]>>>
}

type Request = { readonly id: number; readonly name: string; readonly input: unknown }
type Response =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failed: string }

/** Reports why a worker could not do what it was called for. */
export class WorkerFailure extends Error {
  override readonly name = 'WorkerFailure'
}

/** Connects to a worker that serves functions, which are called like those of a module. */
export function connect<T extends Handlers>(worker: Worker) {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let last = 0
  const failAll = (why: string) => {
    for (const { reject } of waiting.values()) reject(new WorkerFailure(why))
    waiting.clear()
  }
  worker.onmessage = ({ data }: MessageEvent<Response>) => {
    const call = waiting.get(data.id)
    waiting.delete(data.id)
    if ('failed' in data) call?.reject(new WorkerFailure(data.failed))
    else call?.resolve(data.result)
  }
  // A script that cannot be loaded, or an error outside a call.
  worker.onerror = () => failAll('A part of this page could not be loaded.')
  const call = (name: string) => (input: unknown) => {
    const answer = Promise.withResolvers<unknown>()
    last += 1
    waiting.set(last, answer)
    worker.postMessage({ id: last, name, input } satisfies Request)
    return answer.promise
  }
  const calls = new Proxy({}, { get: (_, name) => call(String(name)) }) as Calls<T>
  /** Stops the worker at once, also in the middle of a computation; open calls fail. */
  const stop = () => {
    worker.terminate()
    failAll('It was stopped.')
  }
  return { calls, stop }
}

/** Serves functions to the page that started this worker. */
export function serve(handlers: Handlers): void {
  const scope = globalThis as unknown as Pick<Worker, 'onmessage' | 'postMessage'>
  scope.onmessage = async ({ data: { id, name, input } }: MessageEvent<Request>) => {
    const handler = handlers[name] as unknown as ((input: unknown) => unknown) | undefined
    try {
      if (handler === undefined) throw new WorkerFailure(`The worker offers no ${name}.`)
      scope.postMessage({ id, result: await handler(input) } satisfies Response)
    } catch (error) {
      const failed = error instanceof Error ? error.message : String(error)
      scope.postMessage({ id, failed } satisfies Response)
    }
  }
}

/** A worker, and the limit of its time in milliseconds. */
type Limited = { readonly start: () => Worker; readonly limit: number; readonly tooLong: string }

/**
 * Returns a function that runs calls in a worker of their own, which is stopped at the end or when
 * the limit has passed: nothing else can interrupt a computation.
 *
 * @throws {WorkerFailure} when they take longer than the limit
 */
export function inWorker<T extends Handlers>({ start, limit, tooLong }: Limited) {
  return async <R>(run: (calls: Calls<T>) => Promise<R>): Promise<R> => {
    const { calls, stop } = connect<T>(start())
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new WorkerFailure(tooLong)), limit)
    })
    try {
      return await Promise.race([run(calls), late])
    } finally {
      clearTimeout(timer)
      stop()
    }
  }
}
