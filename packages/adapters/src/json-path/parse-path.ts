import { Failure, type PathQuery, type PathRest } from '@heirloom/core'
import { type PathPlan, planPath } from './path-plan.ts'
import { evaluatePath } from './path-worker.ts'

/** The longest JSONPath that is evaluated, in UTF-16 code units. */
const maxPathLength = 1_000

/**
 * Parses a JSONPath (RFC 9535).
 *
 * @throws `part/malformed`
 */
export function parsePath(path: string): PathQuery {
  const { prefix, rest } = plan(path)
  if (rest === undefined) return { path, prefix }
  const { items, needsArray } = rest
  const select: PathRest['select'] = (stretch, bounds) => evaluatePath({ path, stretch, bounds })
  return { path, prefix, rest: { items, needsArray, select } }
}

function plan(path: string): PathPlan {
  if (path.length > maxPathLength) throw malformed(`it is longer than ${maxPathLength} characters`)
  try {
    return planPath(path)
  } catch (cause) {
    // The library throws errors of its own for what it cannot read, the engine for what is too deep.
    throw malformed(cause instanceof RangeError ? 'it is nested too deep' : messageOf(cause), cause)
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : 'it cannot be read'
}

function malformed(problem: string, cause?: unknown): Failure {
  return new Failure('part/malformed', { what: 'JSONPath', problem }, { cause })
}
