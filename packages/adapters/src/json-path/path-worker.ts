import { extname } from 'node:path'
import {
  type DocumentStretch,
  Failure,
  isFailure,
  type SelectBounds,
  type Selected,
} from '@heirloom/core'
import { rejectAfter } from '../platform/reject-after.ts'
import { worker } from '../platform/worker.ts'

/** A job of the worker; the first one only waits for its start. */
export type PathJob =
  | 'start'
  | { readonly path: string; readonly stretch: DocumentStretch; readonly bounds: SelectBounds }

/** The result of a job. */
export type PathReply = Selected

/** The longest evaluation, in milliseconds of processor time: a busy machine makes no path dear. */
const timeLimit = 1_000

/** The most memory for the objects of the worker in MB. */
const heapLimit = 128

// A packed program has its worker's program packed beside it.
const program = `./path-worker-program${extname(import.meta.url)}`

const pathWorker = worker<PathJob, PathReply>(
  new URL(program, import.meta.url),
  undefined,
  heapLimit,
)

let lastJob: Promise<unknown> = Promise.resolve()

/**
 * Evaluates a path over a stretch in a worker, after the jobs before. A path may have a regular
 * expression that never ends, or select without end, so the worker ends with a job that takes too
 * long.
 *
 * @throws `part/too-costly`
 */
export function evaluatePath(job: Exclude<PathJob, 'start'>): Promise<PathReply> {
  const result = lastJob.then(() => evaluate(job))
  lastJob = result.catch(() => undefined)
  return result
}

async function evaluate({ stretch, ...job }: Exclude<PathJob, 'start'>): Promise<PathReply> {
  // The start takes longer than most jobs, and counts for none.
  await pathWorker.ask('start')
  // A copy of its own: the rest of the buffer would be sent, too.
  const bytes = new Uint8Array(stretch.bytes)
  const sent = { ...job, stretch: { ...stretch, bytes } }
  const before = await pathWorker.processorTime()
  const late = tooCostly(`it takes longer than ${timeLimit} milliseconds`)
  try {
    // A job may fail at once: nothing may be awaited between the request and the wait for its answer.
    return await whileAffordable(pathWorker.ask(sent, { moved: [bytes.buffer] }), before, late)
  } catch (error) {
    if (error === late) await pathWorker.end()
    throw isOutOfMemory(error) ? tooCostly(`it needs more than ${heapLimit} MB`) : error
  }
}

/** Waits for an answer until the worker, which had worked for `before`, has for as long as it may. */
async function whileAffordable(
  answer: Promise<PathReply>,
  before: number,
  late: Failure,
): Promise<PathReply> {
  for (let left = timeLimit; left > 0; ) {
    const unready = new Error('The worker has time left.')
    try {
      return await rejectAfter(left, answer, () => unready)
    } catch (error) {
      if (error !== unready) throw error
    }
    // A thread that is too busy to say it has worked for long.
    const now = rejectAfter(10 * timeLimit, pathWorker.processorTime(), () => late)
    left = timeLimit - ((await now) - before)
  }
  throw late
}

function tooCostly(problem: string): Failure {
  return new Failure('part/too-costly', { problem })
}

function isOutOfMemory(error: unknown): boolean {
  if (!isFailure(error, 'service/unexpected')) return false
  const { cause } = error
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
}
