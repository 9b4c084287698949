import { on } from 'node:events'
import { MessageChannel, type MessagePort, parentPort, Worker } from 'node:worker_threads'
import { Failure, type FailureCode, isFailure } from '@heirloom/core'

/** A thread beside this one, which runs a program; it does not keep the process alive. */
export type Thread<Job, Answer> = {
  /**
   * Returns the answer to a job. The first job starts the thread, and so does the first one after
   * it has died or, being idle for a while, was ended.
   *
   * @throws what the job failed with, and `service/unexpected` when the thread died
   */
  ask(job: Job, given?: Given): Promise<Answer>
}

export type Given = {
  /** Buffers of the job that the thread takes over: they are empty here from now on. */
  readonly moved?: readonly ArrayBuffer[]
  /** What the job is to be fed with; each piece is copied once the thread has room for it. */
  readonly pieces?: Iterable<Uint8Array>
}

type Request<Job> = { readonly job: Job; readonly port: MessagePort }

/** What a thread says of a job: that it has room for a piece, or how the job ended. */
type Word =
  | { readonly kind: 'more' }
  | { readonly kind: 'done'; readonly answer: unknown }
  | { readonly kind: 'refused'; readonly code: FailureCode; readonly facts: object }
  | { readonly kind: 'broken'; readonly error: unknown }

/** How many pieces are under way to a job, so that it need not wait for the next one. */
const ahead = 3

/** After how long without a job a thread is ended, in milliseconds: it takes some 30 MB. */
const patience = 60_000

/** Returns the thread that runs the module at `program`, which calls `answering`. */
export function thread<Job, Answer>(program: URL): Thread<Job, Answer> {
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
  const retire = () => {
    const retired = running
    // A job that comes while the thread is ending gets another.
    running = undefined
    retired?.worker.terminate()
  }
  const rest = () => {
    jobs -= 1
    if (jobs === 0) idle = setTimeout(retire, patience).unref()
  }
  return {
    ask(job, given = {}) {
      clearTimeout(idle)
      jobs += 1
      return ask<Job, Answer>(live(), job, given).finally(rest)
    },
  }
}

type Running = { readonly worker: Worker; readonly death: Promise<unknown> }

function start(program: URL): Running {
  // What such a thread throws away is large, and a small young generation is cleared often.
  const worker = new Worker(program, { resourceLimits: { maxYoungGenerationSizeMb: 6 } })
  worker.unref()
  const death = new Promise((resolve) => {
    worker.once('error', resolve)
    worker.once('exit', () => resolve(new Error('The thread ended.')))
  })
  return { worker, death }
}

function ask<Job, Answer>(
  { worker, death }: Running,
  job: Job,
  { moved = [], pieces = [] }: Given,
): Promise<Answer> {
  const { port1: port, port2: other } = new MessageChannel()
  const left = pieces[Symbol.iterator]()
  return new Promise((resolve, reject) => {
    // The end of the thread closes the port, too.
    const onClose = async () => reject(unexpected(await death))
    port.once('close', onClose)
    port.on('message', (word: Word) => {
      if (word.kind === 'more') return sendCopy(port, left.next().value)
      port.off('close', onClose).close()
      if (word.kind === 'done') resolve(word.answer as Answer)
      else reject(errorOf(word))
    })
    worker.postMessage({ job, port: other } satisfies Request<Job>, [other, ...moved])
  })
}

function sendCopy(port: MessagePort, piece: Uint8Array | undefined): void {
  const copy = piece === undefined ? undefined : new Uint8Array(piece)
  port.postMessage(copy, copy === undefined ? [] : [copy.buffer])
}

function errorOf(word: Exclude<Word, { kind: 'more' | 'done' }>): Error {
  if (word.kind === 'broken') return unexpected(word.error)
  return new Failure(word.code, word.facts as never)
}

const unexpected = (cause: unknown) => new Failure('service/unexpected', {}, { cause })

/** An answer, and the buffers in it that need not be copied. */
export type Answered<Answer> = { readonly answer: Answer; readonly moved?: readonly ArrayBuffer[] }

/** Makes this thread answer whoever started it. */
export function answering<Job, Answer>(
  perform: (job: Job, pieces: AsyncIterable<Uint8Array>) => Promise<Answered<Answer>>,
): void {
  parentPort?.on('message', async ({ job, port }: Request<Job>) => {
    try {
      const { answer, moved = [] } = await perform(job, taken(port))
      say(port, { kind: 'done', answer }, moved)
    } catch (error) {
      if (isFailure(error)) say(port, { kind: 'refused', code: error.code, facts: error.facts })
      else say(port, { kind: 'broken', error })
    }
  })
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
