import { on } from 'node:events'
import { MessageChannel, type MessagePort, parentPort, Worker } from 'node:worker_threads'
import { Failure, type FailureCode, isFailure } from '@heirloom/core'

/** A thread beside this one, which runs a program; it does not keep the process alive. */
export type Thread<Job, Answer> = {
  /**
   * Returns the answer to a job. The first job starts the thread, and so does the first one after
   * it has died or, being idle for a while, was ended.
   *
   * @throws what the job failed with, and `service/unexpected` when the thread died or did not start
   */
  ask(job: Job, given?: Given): Promise<Answer>
  /** Tells whether a thread is up that has answered already, so that a job need not wait for it. */
  ready(): boolean
  /** Starts the thread before the first job; one that cannot start is told with that. */
  start(): void
  /** Ends the thread and waits for its end; jobs under way fail, and a later one starts another. */
  end(): Promise<void>
}

export type Given = {
  /** Buffers of the job that the thread takes over: they are empty here from now on. */
  readonly moved?: readonly ArrayBuffer[]
  /** What the job is to be fed with; each piece is copied once the thread has room for it. */
  readonly pieces?: Iterable<Uint8Array>
}

/** A job as it is sent: one that is fed has a port of its own, any other a number. */
type Request<Job> = { readonly job: Job } & (
  | { readonly port: MessagePort }
  | { readonly number: number }
)

/** How a job ended. */
type End =
  | { readonly kind: 'done'; readonly answer: unknown }
  | { readonly kind: 'refused'; readonly code: FailureCode; readonly facts: object }
  | { readonly kind: 'broken'; readonly error: unknown }

/** What a thread says on the port of a job: that it has room for a piece, or how the job ended. */
type Word = { readonly kind: 'more' } | End

/** What a thread says of a job that has a number. */
type Numbered = { readonly number: number; readonly end: End }

/** How many pieces are under way to a job, so that it need not wait for the next one. */
const ahead = 3

/**
 * Returns the thread that runs the module at `program`, which calls `answering`. It is ended when it
 * had no job for as long as `patience`, in milliseconds, since it takes some 30 MB; never when that
 * is infinite.
 */
export function thread<Job, Answer>(program: URL, patience = 60_000): Thread<Job, Answer> {
  let running: Running | undefined
  const live = (): Running => {
    if (running !== undefined) return running
    const started = start(program)
    started.worker.once('exit', () => {
      if (running === started) running = undefined
    })
    running = started
    return started
  }
  let jobs = 0
  let idle: NodeJS.Timeout | undefined
  const retire = async () => {
    const retired = running
    // A job that comes while the thread is ending gets another.
    running = undefined
    await retired?.worker.terminate()
  }
  const rest = () => {
    jobs -= 1
    if (jobs === 0 && Number.isFinite(patience)) idle = setTimeout(retire, patience).unref()
  }
  return {
    async ask(job, given = {}) {
      clearTimeout(idle)
      jobs += 1
      try {
        return await ask<Job, Answer>(live(), job, given)
      } finally {
        rest()
      }
    },
    ready: () => running?.hasAnswered === true,
    start() {
      try {
        live()
      } catch {
        // Whoever needs it is told why.
      }
    },
    end: () => {
      clearTimeout(idle)
      return retire()
    },
  }
}

type Running = {
  readonly worker: Worker
  readonly death: Promise<unknown>
  /** Who waits for the jobs that have numbers. */
  readonly asked: Map<number, (end: End) => void>
  hasAnswered: boolean
}

function start(program: URL): Running {
  const worker = newWorker(program)
  const death = new Promise((resolve) => {
    worker.once('error', resolve)
    worker.once('exit', () => resolve(new Error('The thread ended.')))
  })
  const running: Running = { worker, death, asked: new Map(), hasAnswered: false }
  worker.on('message', ({ number, end }: Numbered) => running.asked.get(number)?.(end))
  worker.once('exit', async () => {
    const end: End = { kind: 'broken', error: await death }
    for (const tell of running.asked.values()) tell(end)
  })
  worker.unref()
  return running
}

function newWorker(program: URL): Worker {
  try {
    // What such a thread throws away is large, and a small young generation is cleared often.
    return new Worker(program, { resourceLimits: { maxYoungGenerationSizeMb: 6 } })
  } catch (error) {
    throw unexpected(error)
  }
}

function ask<Job, Answer>(running: Running, job: Job, given: Given): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const tell = (end: End) => {
    if (end.kind !== 'done') return reject(errorOf(end))
    running.hasAnswered = true
    resolve(end.answer as Answer)
  }
  if (given.pieces === undefined) askUnfed(running, { job, moved: given.moved ?? [] }, tell)
  else askFed(running, { job, pieces: given.pieces, moved: given.moved ?? [] }, tell)
  return promise
}

type Tell = (end: End) => void
type Unfed<Job> = Required<Pick<Given, 'moved'>> & { readonly job: Job }

let last = 0

/** Asks without a port, which costs more than many a job. */
function askUnfed<Job>({ worker, asked }: Running, { job, moved }: Unfed<Job>, tell: Tell): void {
  const number = ++last
  asked.set(number, (end) => {
    asked.delete(number)
    if (asked.size === 0) worker.unref()
    tell(end)
  })
  if (asked.size === 1) worker.ref()
  worker.postMessage({ job, number } satisfies Request<Job>, moved)
}

function askFed<Job>(
  { worker, death }: Running,
  { job, moved, pieces }: Unfed<Job> & Required<Pick<Given, 'pieces'>>,
  tell: Tell,
): void {
  const { port1: port, port2: other } = new MessageChannel()
  const left = pieces[Symbol.iterator]()
  // The end of the thread closes the port, too.
  const onClose = async () => tell({ kind: 'broken', error: await death })
  port.once('close', onClose)
  port.on('message', (word: Word) => {
    if (word.kind === 'more') return sendCopy(port, left.next().value)
    port.off('close', onClose).close()
    tell(word)
  })
  worker.postMessage({ job, port: other } satisfies Request<Job>, [other, ...moved])
}

function sendCopy(port: MessagePort, piece: Uint8Array | undefined): void {
  const copy = piece === undefined ? undefined : new Uint8Array(piece)
  port.postMessage(copy, copy === undefined ? [] : [copy.buffer])
}

function errorOf(end: Exclude<End, { kind: 'done' }>): Error {
  if (end.kind === 'broken') return unexpected(end.error)
  return new Failure(end.code, end.facts as never)
}

const unexpected = (cause: unknown) => new Failure('service/unexpected', {}, { cause })

/** An answer, and the buffers in it that need not be copied. */
export type Answered<Answer> = { readonly answer: Answer; readonly moved?: readonly ArrayBuffer[] }

/** Makes this thread answer whoever started it. */
export function answering<Job, Answer>(
  perform: (job: Job, pieces: AsyncIterable<Uint8Array>) => Promise<Answered<Answer>>,
): void {
  parentPort?.on('message', async (request: Request<Job>) => {
    const tell = tellerOf(request)
    try {
      const { answer, moved } = await perform(request.job, piecesOf(request))
      tell({ kind: 'done', answer }, moved)
    } catch (error) {
      if (isFailure(error)) tell({ kind: 'refused', code: error.code, facts: error.facts })
      else tell({ kind: 'broken', error })
    }
  })
}

type TellMoved = (end: End, moved?: readonly ArrayBuffer[]) => void

function tellerOf(request: Request<unknown>): TellMoved {
  if ('port' in request) return (end, moved) => say(request.port, end, moved)
  const { number } = request
  return (end, moved = []) =>
    parentPort?.postMessage({ number, end } satisfies Numbered, [...moved])
}

async function* piecesOf(request: Request<unknown>): AsyncGenerator<Uint8Array> {
  if ('port' in request) yield* taken(request.port)
}

function say(port: MessagePort, word: Word, moved: readonly ArrayBuffer[] = []): void {
  port.postMessage(word, [...moved])
}

async function* taken(port: MessagePort): AsyncGenerator<Uint8Array> {
  const arrivals = on(port, 'message', { close: ['close'] })
  for (let asked = 0; asked < ahead; asked += 1) say(port, { kind: 'more' })
  for await (const [piece] of arrivals) {
    if (piece === undefined) return
    say(port, { kind: 'more' })
    yield piece
  }
}
