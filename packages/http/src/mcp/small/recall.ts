import { type Failure, isFailure } from '@heirloom/core'
import { type HeirloomError, isHeirloomError } from '../../client/heirloom-error.ts'
import { findPlaces, rankOf } from '../find-places.ts'
import { type Guard, guardText } from '../guard.ts'
import type { CallContext, Session } from '../tools/tool.ts'
import { describeMatch } from './inside-tools.ts'
import { listOwnMemories, type OwnMemory, startOf } from './own-memories.ts'

/** The bounds of one call: memories that are searched, in all and at once, and of each the places. */
const bounds = { memories: 50, atOnce: 4, places: 20, matches: 3 }

export declare namespace recall {
  type Input = {
    readonly text: string
    readonly limit: number
    /** The memory that the last call searched last. */
    readonly after?: string | undefined
    /** Whether to return what is held back in the memories of others. */
    readonly flagged?: boolean | undefined
  }
  type Output = {
    /** Describes what is said of the memories of others, before what they say. */
    readonly guards?: readonly object[] | undefined
    readonly matches: readonly object[]
    readonly searched: string
    readonly unread?: readonly object[] | undefined
    readonly next?: string | undefined
  }
  type Found = {
    readonly memory: string
    readonly matches: readonly object[]
    /** The ranks of the matches, which do not get lower. */
    readonly ranks: readonly number[]
    readonly guard?: Guard | undefined
    readonly code?: string
  }
}

/**
 * Searches for a text in the newest versions of all memories that a session may read, until so many
 * matches are found, or so many memories searched. What cannot be read is reported and left out.
 */
export async function recall(
  session: Session,
  { text, limit, after, flagged }: recall.Input,
  context: CallContext,
): Promise<recall.Output> {
  const all = await listOwnMemories(session, context)
  const start = startOf(all, after)
  const chosen = all.slice(start, start + bounds.memories)
  const found: recall.Found[] = []
  const count = () => found.reduce((sum, { matches }) => sum + matches.length, 0)
  for (let at = 0; at < chosen.length && count() < limit; at += bounds.atOnce) {
    context.signal.throwIfAborted()
    const group = chosen.slice(at, at + bounds.atOnce)
    const message = `Searching memory ${at + 1} of ${chosen.length}`
    context.report?.({ progress: at, total: chosen.length, message })
    found.push(
      ...(await Promise.all(group.map((it) => searchOne(session, it, { text, flagged }, context)))),
    )
  }
  return summarize(all.length, start, found)
}

function summarize(total: number, start: number, found: readonly recall.Found[]): recall.Output {
  const unread = found.flatMap(({ memory, code }) => (code === undefined ? [] : [{ memory, code }]))
  const end = start + found.length
  const guards = found.flatMap(({ memory, guard }) => (guard ? [{ memory, ...guard }] : []))
  return {
    guards: guards.length > 0 ? guards : undefined,
    matches: bestFirst(found),
    searched: `${end} of ${total} memories`,
    unread: unread.length > 0 ? unread.slice(0, 10) : undefined,
    next: end < total ? found.at(-1)?.memory : undefined,
  }
}

/** Returns the matches of all memories by their rank; of equal ones those of earlier memories first. */
const bestFirst = (found: readonly recall.Found[]): readonly object[] =>
  found
    .flatMap(({ matches, ranks }) =>
      matches.map((match, nth) => ({ match, rank: ranks[nth] ?? 0 })),
    )
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ match }) => match)

/** Searches one memory; a failure to read it is part of the result. */
async function searchOne(
  { client }: Session,
  { memory, tokenId }: OwnMemory,
  { text, flagged }: Pick<recall.Input, 'text' | 'flagged'>,
  { signal }: Pick<CallContext, 'signal'>,
): Promise<recall.Found> {
  try {
    const { matches: all, next } = await findPlaces(
      client,
      { tokenId, text, limit: bounds.places },
      { signal },
    )
    const matches = all.slice(0, bounds.matches)
    const ranks = matches.map(rankOf)
    const more = next === undefined && all.length === matches.length ? {} : { more: true }
    const found = JSON.stringify(matches.map((it) => ({ memory, ...describeMatch(it), ...more })))
    if (matches.length === 0) return { memory, matches, ranks }
    const guarded = await guardText(client, found, { tokenId, flagged, signal })
    return { memory, matches: JSON.parse(guarded.text), ranks, guard: guarded.guard }
  } catch (error) {
    if (signal.aborted || !isOfMemory(error)) throw error
    return { memory, matches: [], ranks: [], code: error.code }
  }
}

/** Returns whether a failure is one of the memory: another one may be read all the same. */
const isOfMemory = (error: unknown): error is HeirloomError | Failure =>
  isFailure(error) || (isHeirloomError(error) && !error.code.startsWith('client/'))
