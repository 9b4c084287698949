import { useEffect, useState } from 'preact/hooks'
import { readNow } from '../api/get-json.ts'
import { Problem } from '../api/problem.ts'
import { isTokenNumber, validateParent } from './draft.ts'

/** The pause in typing before a parent is read, in milliseconds. */
const debounce = 300

/**
 * Checks that the parent of a draft is the number of a token that exists. Returns a sentence when it
 * is not, an empty text when nothing is wrong, and `undefined` until that is known.
 */
export function useParentProblem(typed: string): string | undefined {
  const parent = typed.trim()
  const [problem, setProblem] = useState<string>()
  const hasParent = isTokenNumber(parent)
  useEffect(() => {
    setProblem(undefined)
    if (!hasParent) return
    const stop = new AbortController()
    const due = setTimeout(async () => {
      const found = await findProblem(parent, stop.signal)
      if (!stop.signal.aborted) setProblem(found)
    }, debounce)
    return () => {
      stop.abort()
      clearTimeout(due)
    }
  }, [parent])
  return hasParent ? problem : validateParent(parent)
}

async function findProblem(parent: string, signal: AbortSignal): Promise<string> {
  try {
    await readNow('lineage', { tokenId: parent }, signal)
    return ''
  } catch (error) {
    // Without an answer, the server checks it again before it seals.
    const isMissing = error instanceof Problem && error.code === 'token/not-found'
    return isMissing ? `No. ${parent} does not exist on this chain.` : ''
  }
}
