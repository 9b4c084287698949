import { Failure } from '@heirloom/core'
import { handleJobs } from '../platform/worker.ts'
import { planPath } from './path-plan.ts'
import type { PathJob, PathReply } from './path-worker.ts'
import { selectInBytes } from './select-in-bytes.ts'

handleJobs<PathJob, PathReply>(async (job) => {
  if (job === 'start') return { answer: { values: [] } }
  return { answer: select(job) }
})

function select({ path, stretch, bounds }: Exclude<PathJob, 'start'>): PathReply {
  try {
    const { rest } = planPath(path)
    return rest === undefined ? { values: [] } : selectInBytes(rest, stretch, bounds)
  } catch (cause) {
    // The engine throws it for a stack that is too deep, and for an array that is too long.
    if (!(cause instanceof RangeError)) throw cause
    throw new Failure('part/too-costly', { problem: 'it goes too deep or too wide' }, { cause })
  }
}
