import { on } from 'node:events'
import { MessageChannel, type MessagePort, parentPort, Worker as Thread } from 'node:worker_threads'
import { Failure, type FailureCode, isFailure } from '@heirloom/core'

/** A worker thread that runs a program; it does not keep the process alive. */
export type Worker<Job, Answer> = {
  /**
   * Returns the result of a job. Starts the thread for the first job, and again for the first job
   * after it died or was ended for being idle.
   *
   * @throws the failure of the job, and `service/unexpected` when the thread died or did not start
   */
  ask(job: Job, options?: JobOptions): Promise<Answer>
  /** Reports whether a thread is running that has finished a job, so that a job starts at once. */
  ready(): boolean
  /** Returns the processor time that the running thread took until now, in milliseconds; 0 without one. */
  processorTime(): Promise<number>
  /** Starts the thread before the first job. A failure to start is reported to that job. */
  start(): void
  /** Ends the thread and waits for its end. Jobs under way fail; a later job starts another one. */
  end(): Promise<void>
}

/** The bytes that go with a job. */
export type JobOptions = {
  /** Buffers of the job to transfer to the thread: they are detached here. */
  readonly moved?: readonly ArrayBuffer[]
  /**
   * Input to stream to the job; each piece is copied when the thread requests it. What its iterator
   * throws fails the job.
   */
  readonly pieces?: Iterable<Uint8Array> | AsyncIterable<Uint8Array>
  /** The number of pieces requested in advance, so that the job need not wait; three when absent. */
  readonly ahead?: number
}

/** A job as it is sent: with a port of its own when it has streamed input, else with a number. */
type Request<Job> = { readonly job: Job } & (
  | { readonly port: MessagePort; readonly ahead: number }
  | { readonly number: number }
)

/** The outcome of a job. */
type Outcome =
  | { readonly kind: 'done'; readonly answer: unknown }
  | { readonly kind: 'refused'; readonly code: FailureCode; readonly facts: object }
  | { readonly kind: 'broken'; readonly error: unknown }

/** A message on the port of a job: a request for the next piece, or the outcome. */
type PortMessage = { readonly kind: 'more' } | Outcome

/** The outcome of a job that has a number. */
type NumberedOutcome = { readonly number: number; readonly outcome: Outcome }

/**
 * Returns a worker that runs the module at `program`, which calls `handleJobs`. Its thread takes
 * some 30 MB, so it is ended after `idleTimeout` milliseconds without a job; never when that is
 * infinite. With a `heapLimit` in MB the thread dies when its objects need more.
 */
export function worker<Job, Answer>(
  program: URL,
  idleTimeout = 60_000,
  heapLimit?: number,
): Worker<Job, Answer> {
  let running: Running | undefined
  const live = (): Running => {
    if (running !== undefined) return running
    const started = start(program, heapLimit)
    started.thread.once('exit', () => {
      if (running === started) running = undefined
    })
    running = started
    return started
  }
  let jobs = 0
  let idle: NodeJS.Timeout | undefined
  const terminate = async () => {
    const ending = running
    // A job that arrives while the thread is ending starts another one.
    running = undefined
    await ending?.thread.terminate()
  }
  const finishJob = () => {
    jobs -= 1
    if (jobs === 0 && Number.isFinite(idleTimeout))
      idle = setTimeout(terminate, idleTimeout).unref()
  }
  return {
    async ask(job, options = {}) {
      clearTimeout(idle)
      jobs += 1
      try {
        return await run<Job, Answer>(live(), job, options)
      } finally {
        finishJob()
      }
    },
    ready: () => running?.hasAnswered === true,
    async processorTime() {
      // A thread that died meanwhile has no time left to count; its jobs fail with the cause.
      const { user, system } = (await running?.thread.cpuUsage().catch(() => undefined)) ?? none
      return (user + system) / 1000
    },
    start() {
      try {
        live()
      } catch {
        // The first job tries again and fails with the reason.
      }
    },
    end: () => {
      clearTimeout(idle)
      return terminate()
    },
  }
}

const none = { user: 0, system: 0 }

type Running = {
  readonly thread: Thread
  readonly death: Promise<unknown>
  /** The callers of the jobs under way that have numbers. */
  readonly pending: Map<number, Settle>
  hasAnswered: boolean
}

function start(program: URL, heapLimit: number | undefined): Running {
  const thread = newThread(program, heapLimit)
  const death = new Promise((resolve) => {
    thread.once('error', resolve)
    thread.once('exit', () => resolve(new Error('The worker ended.')))
  })
  const running: Running = { thread, death, pending: new Map(), hasAnswered: false }
  thread.on('message', ({ number, outcome }: NumberedOutcome) =>
    running.pending.get(number)?.(outcome),
  )
  thread.once('exit', async () => {
    const outcome: Outcome = { kind: 'broken', error: await death }
    for (const settle of running.pending.values()) settle(outcome)
  })
  thread.unref()
  return running
}

function newThread(program: URL, heapLimit: number | undefined): Thread {
  try {
    // The garbage of such a thread is large buffers, and a small young generation is collected often.
    const limits = heapLimit === undefined ? {} : { maxOldGenerationSizeMb: heapLimit }
    return new Thread(program, { resourceLimits: { maxYoungGenerationSizeMb: 6, ...limits } })
  } catch (error) {
    throw unexpected(error)
  }
}

function run<Job, Answer>(running: Running, job: Job, options: JobOptions): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const settle = (outcome: Outcome) => {
    if (outcome.kind !== 'done') return reject(errorOf(outcome))
    running.hasAnswered = true
    resolve(outcome.answer as Answer)
  }
  const { moved = [], pieces, ahead = 3 } = options
  if (pieces === undefined) sendNumbered(running, { job, moved }, settle)
  else sendWithPort(running, { job, pieces, ahead, moved }, { settle, reject })
  return promise
}

type Settle = (outcome: Outcome) => void
type Message<Job> = Required<Pick<JobOptions, 'moved'>> & { readonly job: Job }

let lastNumber = 0

/** Sends a job without a port of its own, which would cost more than many a job. */
function sendNumbered<Job>(
  { thread, pending }: Running,
  { job, moved }: Message<Job>,
  settle: Settle,
): void {
  const number = ++lastNumber
  pending.set(number, (outcome) => {
    pending.delete(number)
    if (pending.size === 0) thread.unref()
    settle(outcome)
  })
  if (pending.size === 1) thread.ref()
  thread.postMessage({ job, number } satisfies Request<Job>, moved)
}

function sendWithPort<Job>(
  { thread, death }: Running,
  { job, moved, pieces, ahead }: Message<Job> & Required<Pick<JobOptions, 'pieces' | 'ahead'>>,
  { settle, reject }: { readonly settle: Settle; readonly reject: (error: unknown) => void },
): void {
  const { port1: port, port2: other } = new MessageChannel()
  const left = iterate(pieces)
  // The port also closes when the thread ends.
  const onClose = async () => settle({ kind: 'broken', error: await death })
  const sendNext = async () => {
    try {
      sendCopy(port, (await left.next()).value)
    } catch (error) {
      // The thread gives up the job when its port closes.
      port.off('close', onClose).close()
      reject(error)
    }
  }
  port.once('close', onClose)
  port.on('message', (message: PortMessage) => {
    if (message.kind === 'more') return sendNext()
    port.off('close', onClose).close()
    settle(message)
  })
  thread.postMessage({ job, port: other, ahead } satisfies Request<Job>, [other, ...moved])
}

async function* iterate(pieces: NonNullable<JobOptions['pieces']>): AsyncGenerator<Uint8Array> {
  yield* pieces
}

function sendCopy(port: MessagePort, piece: Uint8Array | undefined): void {
  const copy = piece === undefined ? undefined : new Uint8Array(piece)
  port.postMessage(copy, copy === undefined ? [] : [copy.buffer])
}

function errorOf(outcome: Exclude<Outcome, { kind: 'done' }>): Error {
  if (outcome.kind === 'broken') return unexpected(outcome.error)
  return new Failure(outcome.code, outcome.facts as never)
}

const unexpected = (cause: unknown) => new Failure('service/unexpected', {}, { cause })

/** The result of a job, and the buffers in it to transfer instead of copying. */
export type JobResult<Answer> = { readonly answer: Answer; readonly moved?: readonly ArrayBuffer[] }

/** Handles the jobs that the parent thread sends to this one. */
export function handleJobs<Job, Answer>(
  perform: (job: Job, pieces: AsyncIterable<Uint8Array>) => Promise<JobResult<Answer>>,
): void {
  parentPort?.on('message', async (request: Request<Job>) => {
    const reply = replyTo(request)
    try {
      const { answer, moved } = await perform(request.job, piecesOf(request))
      reply({ kind: 'done', answer }, moved)
    } catch (error) {
      if (isFailure(error)) reply({ kind: 'refused', code: error.code, facts: error.facts })
      else reply({ kind: 'broken', error })
    }
  })
}

type Reply = (outcome: Outcome, moved?: readonly ArrayBuffer[]) => void

function replyTo(request: Request<unknown>): Reply {
  if ('port' in request) return (outcome, moved) => post(request.port, outcome, moved)
  const { number } = request
  return (outcome, moved = []) =>
    parentPort?.postMessage({ number, outcome } satisfies NumberedOutcome, [...moved])
}

async function* piecesOf(request: Request<unknown>): AsyncGenerator<Uint8Array> {
  if ('port' in request) yield* receivePieces(request)
}

function post(port: MessagePort, message: PortMessage, moved: readonly ArrayBuffer[] = []): void {
  port.postMessage(message, [...moved])
}

async function* receivePieces({
  port,
  ahead,
}: Extract<Request<unknown>, { port: MessagePort }>): AsyncGenerator<Uint8Array> {
  const arrivals = on(port, 'message', { close: ['close'] })
  for (let requested = 0; requested < ahead; requested += 1) post(port, { kind: 'more' })
  for await (const [piece] of arrivals) {
    if (piece === undefined) return
    post(port, { kind: 'more' })
    yield piece
  }
}
