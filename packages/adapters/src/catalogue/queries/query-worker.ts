import { extname } from 'node:path'
import { isFailure } from '@heirloom/core'
import { rejectAfter } from '../../platform/reject-after.ts'
import { type Worker, worker } from '../../platform/worker.ts'
import { querySlots } from './query-slots.ts'
import { callerTimeLimit, type QueryRequest, type RunQuery } from './query-table.ts'
import { tooCostly } from './sqlite-reader.ts'

/** A job of the worker: a query of a file, or closing the open file. */
export type QueryJob =
  | { readonly kind: 'ask'; readonly path: string; readonly query: QueryRequest }
  | { readonly kind: 'close' }

/** The result of a job; an error of SQLite carries its code, which shows whether the file is corrupt. */
export type QueryReply =
  | { readonly kind: 'answered'; readonly answer: unknown }
  | { readonly kind: 'failed'; readonly message: string; readonly errcode: number | undefined }

/** Runs queries of a file in a worker, one after another. */
export type QueryWorker = {
  readonly runQuery: RunQuery
  /** Closes the file; the next query opens it again. */
  readonly closeFile: () => Promise<void>
  /** Closes the file and ends the worker. */
  readonly end: () => Promise<void>
}

/** The most queries that may wait, and the longest wait before one is refused, in milliseconds. */
const [queueLimit, waitLimit] = [64, 250]

/** The time that a caller waits for a result while the worker starts, in milliseconds. */
const startTimeLimit = 10_000

// The extension of this module is also that of the worker's program, packed or not.
const program = `./query-worker-program${extname(import.meta.url)}`

/**
 * Returns a worker that runs queries on the SQLite file at `path`, off the event loop. Its thread
 * starts at once, so that the first query waits less.
 */
export function queryWorker(
  path: string,
  worker: Worker<QueryJob, QueryReply> = startReader(),
): QueryWorker {
  worker.start()
  // Queries that arrive before the first result would otherwise be refused because of the start.
  const currentWaitLimit = () => (worker.ready() ? waitLimit : startTimeLimit)
  const slots = querySlots({ concurrency: 1, queueLimit, waitLimit: currentWaitLimit })
  const runInWorker = async (query: QueryRequest) => {
    const reply = await send(worker, { kind: 'ask', path, query })
    if (reply.kind === 'answered') return reply.answer as never
    throw Object.assign(new Error(reply.message), { errcode: reply.errcode })
  }
  // Also behind a query that is still the first: the worker must not keep a file that is deleted.
  const closeFile = async () => {
    await send(worker, { kind: 'close' })
  }
  return {
    runQuery: (name, input) =>
      // The query holds its slot until it ends.
      rejectAfter(
        worker.ready() ? callerTimeLimit : startTimeLimit,
        slots.run(() => runInWorker({ name, input } as QueryRequest)),
        tooCostly,
      ),
    closeFile,
    end: async () => {
      if (worker.ready()) await closeFile().catch(() => undefined)
      await worker.end()
    },
  }
}

/** Returns a worker for one file. It never idles out: its file may be deleted from the disk already. */
function startReader(): Worker<QueryJob, QueryReply> {
  return worker(new URL(program, import.meta.url), Number.POSITIVE_INFINITY)
}

async function send(worker: Worker<QueryJob, QueryReply>, job: QueryJob): Promise<QueryReply> {
  try {
    return await worker.ask(job)
  } catch (cause) {
    // The next query starts a new worker.
    if (isFailure(cause, 'service/unexpected')) throw new Error('The worker ended.', { cause })
    throw cause
  }
}
