import { extname } from 'node:path'
import { isFailure } from '@heirloom/core'
import { type Worker, worker } from '../../platform/worker.ts'
import { turns } from './query-slots.ts'
import { type Ask, longestInAll, type Question } from './query-table.ts'
import { tooCostly } from './sqlite-reader.ts'

/** What the worker is asked: a question of a file, or to close the file it has open. */
export type ReaderJob =
  | { readonly kind: 'ask'; readonly path: string; readonly question: Question }
  | { readonly kind: 'close' }

/** What it answers: also what SQLite failed with, whose code tells whether the file is broken. */
export type ReaderAnswer =
  | { readonly kind: 'answered'; readonly answer: unknown }
  | { readonly kind: 'failed'; readonly message: string; readonly errcode: number | undefined }

/** Answers questions from a file in a worker, one after another. */
export type WorkerReader = {
  readonly ask: Ask
  /** Closes the file; the next question opens it again. */
  readonly closeFile: () => Promise<void>
  /** Closes the file and ends the worker. */
  readonly end: () => Promise<void>
}

/** How many questions may wait, and how long one may; it is refused after that, in milliseconds. */
const [mostWaiting, longestWait] = [64, 250]

/** How long a question may take in all where the worker has yet to start, in milliseconds. */
const withStart = 10_000

// Where the program was packed, so was the worker's, beside it.
const program = `./query-worker-program${extname(import.meta.url)}`

/** Returns what reads a file beside the event loop; the worker starts with the first question. */
export function workerReader(
  path: string,
  worker: Worker<ReaderJob, ReaderAnswer> = readerThread(),
): WorkerReader {
  // Questions that come while the worker starts would otherwise be refused for its start.
  const patience = () => (worker.ready() ? longestWait : withStart)
  const { take } = turns({ atOnce: 1, mostWaiting, longestWait: patience })
  const answer = async (question: Question) => {
    const said = await answered(worker, { kind: 'ask', path, question })
    if (said.kind === 'answered') return said.answer as never
    throw Object.assign(new Error(said.message), { errcode: said.errcode })
  }
  const closeFile = async () => {
    if (worker.ready()) await answered(worker, { kind: 'close' })
  }
  return {
    ask: (name, input) =>
      within(
        worker.ready() ? longestInAll : withStart,
        take(() => answer({ name, input } as Question)),
      ),
    closeFile,
    end: async () => {
      await closeFile().catch(() => undefined)
      await worker.end()
    },
  }
}

/** A worker of its own for a file, which stays: it may have open what was removed from the disk. */
function readerThread(): Worker<ReaderJob, ReaderAnswer> {
  return worker(new URL(program, import.meta.url), Number.POSITIVE_INFINITY)
}

async function answered(
  worker: Worker<ReaderJob, ReaderAnswer>,
  job: ReaderJob,
): Promise<ReaderAnswer> {
  try {
    return await worker.ask(job)
  } catch (cause) {
    // The next question starts another.
    if (isFailure(cause, 'service/unexpected')) throw new Error('The worker ended.', { cause })
    throw cause
  }
}

/** Waits no longer than some milliseconds; what is waited for keeps its turn until it is over. */
async function within<T>(milliseconds: number, answer: Promise<T>): Promise<T> {
  const { promise: overdue, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(tooCostly()), milliseconds)
  try {
    return await Promise.race([answer, overdue])
  } finally {
    clearTimeout(timer)
    answer.catch(() => undefined)
  }
}
